// This file holds the validators of texts that tables refer to: addresses, dates and
// crontab expressions.

package kinds

import (
	"context"
	"fmt"
	"net/netip"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/schedule"
)

// ipAddress is the validator of addresses; eNMS takes any text (enms-rest.md
// 1.4).
type ipAddress struct{}

func (ipAddress) Description(context.Context) string { return "must be an IPv4 or IPv6 address" }

func (c ipAddress) MarkdownDescription(ctx context.Context) string { return c.Description(ctx) }

func (ipAddress) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	value := req.ConfigValue.ValueString()
	if value == "" { // Unset, which eNMS writes as "".
		return
	}
	if _, err := netip.ParseAddr(value); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Not an IP address",
			fmt.Sprintf("%q is neither an IPv4 address in dotted notation, such as 10.0.0.1, nor an IPv6 address. eNMS would store it and then fail to reach the device.", value))
	}
}

// date is the validator of start and end dates.
type date struct{}

func (date) Description(context.Context) string {
	return "must be a date that exists, as DD/MM/YYYY HH:MM:SS"
}

func (c date) MarkdownDescription(ctx context.Context) string { return c.Description(ctx) }

func (date) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	value := req.ConfigValue.ValueString()
	if value == "" { // Unset, which eNMS writes as "".
		return
	}
	if _, err := schedule.ParseDate(value); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a date that eNMS reads",
			dateAdvice(req.Path.String(), value, err)+" eNMS would store anything else and never run the task.")
	}
}

// crontab is the validator of crontab expressions.
type crontab struct{}

func (crontab) Description(context.Context) string {
	return "must be a crontab expression of five fields that eNMS's scheduler takes"
}

func (c crontab) MarkdownDescription(ctx context.Context) string { return c.Description(ctx) }

func (crontab) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	value := req.ConfigValue.ValueString()
	if value == "" { // Unset, which eNMS writes as "".
		return
	}
	if _, err := schedule.ParseCrontab(value); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, "Not an expression that eNMS's scheduler takes",
			fmt.Sprintf("%s eNMS would store the expression and never run the task.", asSentence(err)))
	}
}
