// This file holds the validators of texts that tables refer to: dates and crontab
// expressions.

package kinds

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/schedule"
)

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
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid date",
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
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid crontab expression",
			fmt.Sprintf("%s eNMS would store the expression and never run the task.", asSentence(err)))
	}
}
