// This file declares the settings of the provider block, once: the table gives
// the schema, the environment variables and what is read.

package provider

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/instance"
)

// setting is one attribute of the provider block. All are read as texts; flag
// and number only say how they are written in the configuration.
type setting struct {
	name         string
	variable     string // the environment variable; the configuration beats it
	doc          string
	flag, number bool
	sensitive    bool
	required     bool
	fallback     string
	oneOf        []string
	// use checks the value and puts it where it belongs; the error says what
	// is wrong with it.
	use func(s *settings, value string) error
}

// settings are the values of the provider block.
type settings struct {
	config         enms.Config
	adoptExisting  bool
	deletionPolicy string
}

// table are the settings in the order of the documentation.
var table = []setting{
	{name: "base_url", variable: "ENMS_BASE_URL", required: true,
		doc: "The address of eNMS, under which `/rest` answers, such as `https://enms.example.com`.",
		use: func(s *settings, v string) error { s.config.BaseURL = v; return checkURL(v) }},
	{name: "username", variable: "ENMS_USERNAME", required: true,
		doc: "The eNMS user whose rights the provider has.",
		use: func(s *settings, v string) error { s.config.Username = v; return nil }},
	{name: "password", variable: "ENMS_PASSWORD", required: true, sensitive: true,
		doc: "The user's password.",
		use: func(s *settings, v string) error { s.config.Password = v; return nil }},
	{name: "request_timeout", variable: "ENMS_REQUEST_TIMEOUT", fallback: "120s",
		doc: "How long one request may take, as a duration such as `90s` or `2m`.",
		use: func(s *settings, v string) (err error) {
			s.config.RequestTimeout, err = positiveDuration(v)
			return err
		}},
	{name: "max_retries", variable: "ENMS_MAX_RETRIES", fallback: "3", number: true,
		doc: "How often a request is sent again that eNMS did not answer, or that a gateway answered with 429, 502, 503 or 504.",
		use: func(s *settings, v string) (err error) { s.config.MaxRetries, err = count(v); return err }},
	{name: "adopt_existing", variable: "ENMS_ADOPT_EXISTING", fallback: "false", flag: true,
		doc: "Whether creating takes over an instance that already has the name. Resources may say otherwise.",
		use: func(s *settings, v string) (err error) { s.adoptExisting, err = strconv.ParseBool(v); return err }},
	{name: "deletion_policy", variable: "ENMS_DELETION_POLICY", fallback: instance.PolicyDelete, oneOf: instance.Policies,
		doc: "What destroying does, where the resource does not say: `delete`, `cascade`, `abandon` or `disable`.",
		use: func(s *settings, v string) error { s.deletionPolicy = v; return checkPolicy(v) }},
}

// blockSchema is the table as the schema of the provider block.
func blockSchema() schema.Schema {
	attributes := map[string]schema.Attribute{}
	for _, s := range table {
		attributes[s.name] = s.attribute()
	}
	return schema.Schema{
		MarkdownDescription: "The provider manages the devices, services and tasks of [eNMS](https://github.com/eNMS-automation/eNMS), the network-automation server.",
		Attributes:          attributes,
	}
}

func (s setting) attribute() schema.Attribute {
	doc := s.doc
	if s.fallback != "" {
		doc += fmt.Sprintf(" Default: `%s`.", s.fallback)
	}
	doc += fmt.Sprintf(" May come from `%s`.", s.variable)
	switch {
	case s.flag:
		return schema.BoolAttribute{MarkdownDescription: doc, Optional: true}
	case s.number:
		return schema.Int64Attribute{MarkdownDescription: doc, Optional: true}
	}
	var checks []validator.String
	if len(s.oneOf) > 0 {
		checks = []validator.String{stringvalidator.OneOf(s.oneOf...)}
	}
	return schema.StringAttribute{MarkdownDescription: doc, Optional: true, Sensitive: s.sensitive, Validators: checks}
}

// readSettings reads every setting from the configuration, else from its
// environment variable, else from the table. known is false when a setting is
// unknown; then the others are still checked.
func readSettings(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) (s *settings, known bool) {
	s, known = &settings{}, true
	for _, row := range table {
		value, valueKnown := row.configured(ctx, config, diags)
		if !valueKnown {
			known = false
			continue
		}
		origin := ""
		if value == "" {
			if value = os.Getenv(row.variable); value != "" {
				origin = fmt.Sprintf(" (from %s)", row.variable)
			}
		}
		if value == "" {
			value = row.fallback
		}
		if value == "" && row.required {
			diags.AddAttributeError(path.Root(row.name), fmt.Sprintf("Missing %s", row.name),
				fmt.Sprintf("Set %s in the provider block, or the environment variable %s.", row.name, row.variable))
			continue
		}
		if err := row.use(s, value); err != nil {
			diags.AddAttributeError(path.Root(row.name), fmt.Sprintf("Unusable %s%s", row.name, origin), instance.Sentence(err.Error()))
		}
	}
	return s, known
}

// configured is the setting as the provider block has it, "" when it does not.
func (s setting) configured(ctx context.Context, config tfsdk.Config, diags *diag.Diagnostics) (value string, known bool) {
	at := path.Root(s.name)
	switch {
	case s.flag:
		var v types.Bool
		diags.Append(config.GetAttribute(ctx, at, &v)...)
		if v.IsNull() {
			return "", true
		}
		return strconv.FormatBool(v.ValueBool()), !v.IsUnknown()
	case s.number:
		var v types.Int64
		diags.Append(config.GetAttribute(ctx, at, &v)...)
		if v.IsNull() {
			return "", true
		}
		return strconv.FormatInt(v.ValueInt64(), 10), !v.IsUnknown()
	}
	var v types.String
	diags.Append(config.GetAttribute(ctx, at, &v)...)
	return v.ValueString(), !v.IsUnknown()
}

// client makes the client of the settings.
func (s *settings) client(version string, diags *diag.Diagnostics) *enms.Client {
	s.config.Version = version
	s.config.Uncoalesced = os.Getenv("ENMS_UNCOALESCED") != "" // for measurements; see CONTRIBUTING.md
	s.config.Logger = func(ctx context.Context, message string, fields map[string]any) { tflog.Debug(ctx, message, fields) }
	client, err := enms.New(s.config)
	if err != nil {
		diags.AddError("Cannot make a client for eNMS", instance.Sentence(err.Error()))
		return nil
	}
	return client
}

func checkURL(value string) error {
	u, err := url.Parse(value)
	switch {
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("the address must be like https://enms.example.com")
	case u.User != nil:
		return fmt.Errorf("the address must not hold a user or a password: set username and password instead")
	case u.RawQuery != "", u.Fragment != "":
		return fmt.Errorf("the address must end before ? and #")
	}
	return nil
}

func positiveDuration(value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is no duration such as 90s or 2m", value)
	}
	return d, nil
}

// checkPolicy is for values from the environment; the schema checks the others.
func checkPolicy(value string) error {
	if !slices.Contains(instance.Policies, value) {
		return fmt.Errorf("%q is none of %s", value, strings.Join(instance.Policies, ", "))
	}
	return nil
}

func count(value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is no number from 0 up", value)
	}
	return n, nil
}
