// Package enms is a client of the REST interface of eNMS 4.7, as enms-rest.md
// beside this file describes it. It knows nothing of Terraform.
//
// A request costs eNMS a quarter of a second of one core, whatever it asks for
// (enms-rest.md 7), so the client counts requests: writes and reads that are
// under way at the same time share requests, invisibly to their callers.
package enms

import (
	"cmp"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// New makes a client. It fails when BaseURL or ProxyURL is not usable, and
// sends nothing.
func New(cfg Config) (*Client, error) {
	c := &Client{cfg: cfg, pages: newPages(), clock: &clock{}, written: &nameSet{}, removed: &nameSet{}, spelled: &nameSet{}, variant: &variant{}}
	var err error
	c.rest, err = rest.New(rest.Config{
		BaseURL: cfg.BaseURL, Username: cfg.Username, Password: cfg.Password,
		RequestTimeout: cfg.RequestTimeout, MaxRetries: cfg.MaxRetries, RetryWait: cfg.RetryWait,
		UserAgent: "terraform-provider-enms/" + cmp.Or(cfg.Version, "dev"), Headers: cfg.Headers,
		TLS: cfg.TLS, ProxyURL: cfg.ProxyURL, Logger: cfg.Logger, Answered: c.clock.heard,
	})
	if err != nil {
		return nil, err
	}
	c.batcher = c.newBatcher()
	return c, nil
}
