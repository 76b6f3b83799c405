// New clients.

package enms

import (
	"sync/atomic"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/knowledge"
)

// New makes a client. It fails when BaseURL or ProxyURL is not usable, and
// sends nothing.
func New(cfg Config) (*Client, error) { return newClient(cfg, false) }

// NewUncoalesced makes a client that gives each write and read a request of its
// own. For measurements.
func NewUncoalesced(cfg Config) (*Client, error) { return newClient(cfg, true) }

func newClient(cfg Config, uncoalesced bool) (_ *Client, err error) {
	c := &Client{
		username: cfg.Username, uncoalesced: uncoalesced, known: &knowledge.Store{},
		written: &nameSet{}, removed: &nameSet{}, renames: &renameLog{},
		clock: &clock{}, administrator: &atomic.Pointer[bool]{},
		respected: &nameSet{}, searchable: &nameSet{}, noUnion: &nameSet{},
	}
	cfg.Answered = c.clock.heard
	if c.endpoint, err = endpoint.New(cfg); err != nil {
		return nil, err
	}
	c.batcher = c.newBatcher()
	return c, nil
}
