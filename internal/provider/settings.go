// This file declares the settings of the provider block in a table, from which the schema and the environment
// variables follow, and reads their values.

package provider

import (
	"fmt"
	"math/big"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/schemas"
)

// setting is one attribute of the provider block.
type setting struct {
	name      string
	section   string // the heading of the settings from this one on; "" where it is that of the one before
	doc       string
	written   form
	instead   string // the setting that this one can stand in for
	sensitive bool
	required  bool
	fallback  string // the default
	oneOf     []string
	// use checks the value, and assigns it to a field. The error says what is wrong with the value.
	use func(s *settings, value string) error
}

// form says how a setting is written in the configuration. All are read as texts.
type form int

const (
	asText form = iota
	asFlag
	asNumber
	asHeaders // a map, read as lines of "Name: value"
	asList    // a list, read as lines
)

// settings are the values of the provider block.
type settings struct {
	config         enms.Config
	caCert         []byte // PEM
	clientCert     []byte // PEM
	clientKey      []byte // PEM
	insecure       bool
	plainHTTP      bool // whether base_url may begin with http:// without a warning
	adoptExisting  bool
	deletionPolicy string
	formerBaseURLs []string
	identifyBy     string // byID or byName
}

// table has the settings in the order of their page.
var table = []setting{
	{name: "base_url", section: "Connection", required: true,
		doc: "The address of eNMS without `/rest`, such as `https://enms.example.com`.",
		use: func(s *settings, v string) error { s.config.BaseURL = v; return checkURL(v) }},
	{name: "username", required: true,
		doc: "The eNMS user that the provider logs in as.",
		use: func(s *settings, v string) error { s.config.Username = v; return nil }},
	{name: "password", required: true, sensitive: true,
		doc: "The password of the user.",
		use: func(s *settings, v string) error { s.config.Password = v; return nil }},
	{name: "request_timeout", section: "Timeouts and retries", fallback: "120s",
		doc: "The timeout of a request, as a duration such as `90s` or `2m`.",
		use: func(s *settings, v string) (err error) {
			s.config.RequestTimeout, err = positiveDuration(v)
			return err
		}},
	{name: "max_retries", fallback: "3", written: asNumber,
		doc: "How often a request is retried if there is no response, or if a gateway responds with 429, 502, 503 or 504.",
		use: func(s *settings, v string) (err error) { s.config.MaxRetries, err = atLeast(0, v); return err }},
	{name: "max_concurrent_requests", written: asNumber,
		doc: "The maximum number of requests that the provider sends at the same time, for servers that others use as well. By default, there is no limit: reads of different types and up to ten deletions are sent at the same time.",
		use: func(s *settings, v string) (err error) {
			s.config.MaxConcurrentRequests, err = atLeast(1, v)
			return err
		}},
	{name: "ca_cert_pem", section: "TLS", instead: "ca_cert_file",
		doc: "The CA certificates used to verify eNMS, in PEM format. Defaults to the CA certificates of the system.",
		use: func(s *settings, v string) error { s.caCert = []byte(v); return checkAuthorities(s.caCert) }},
	{name: "ca_cert_file", instead: "ca_cert_pem",
		doc: "A file with the CA certificates; use it instead of `ca_cert_pem`.",
		use: func(s *settings, v string) (err error) {
			if s.caCert, err = readFile(v); err == nil {
				err = checkAuthorities(s.caCert)
			}
			return err
		}},
	{name: "client_cert_pem", instead: "client_cert_file",
		doc: "The client certificate for mutual TLS, in PEM format. It requires a client key.",
		use: func(s *settings, v string) error { s.clientCert = []byte(v); return nil }},
	{name: "client_cert_file", instead: "client_cert_pem",
		doc: "A file with the client certificate; use it instead of `client_cert_pem`.",
		use: func(s *settings, v string) (err error) { s.clientCert, err = readFile(v); return err }},
	{name: "client_key_pem", instead: "client_key_file", sensitive: true,
		doc: "The private key of the client certificate, in PEM format.",
		use: func(s *settings, v string) error { s.clientKey = []byte(v); return nil }},
	{name: "client_key_file", instead: "client_key_pem",
		doc: "A file with the private key; use it instead of `client_key_pem`.",
		use: func(s *settings, v string) (err error) { s.clientKey, err = readFile(v); return err }},
	{name: "insecure_skip_verify", fallback: "false", written: asFlag,
		doc: "Whether to accept any certificate of the server. Anyone who can intercept the connection can then read the password. For tests only.",
		use: func(s *settings, v string) (err error) { s.insecure, err = flag(v); return err }},
	{name: "accept_plain_http", fallback: "false", written: asFlag,
		doc: "Whether to accept a `base_url` that begins with `http://` without a warning, for networks that nobody else can read. For the local machine there is never a warning.",
		use: func(s *settings, v string) (err error) { s.plainHTTP, err = flag(v); return err }},
	{name: "proxy_url", section: "Proxies and gateways", sensitive: true,
		doc: "The URL of a proxy, such as `http://proxy.example.com:3128`. The schemes `http`, `https`, `socks5` and `socks5h` are supported. By default, `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` apply.",
		use: func(s *settings, v string) error { s.config.ProxyURL = v; return checkProxy(v) }},
	{name: "headers", written: asHeaders, sensitive: true,
		doc: "Headers to send with each request, for gateways that require a token. In the environment variable, write one `Name: value` per line. `Authorization` is not allowed, because it contains the eNMS user and password.",
		use: func(s *settings, v string) (err error) { s.config.Headers, err = headerLines(v); return err }},
	{name: "former_base_urls", section: "Identity", written: asList,
		doc: "Former and other addresses of the same eNMS, such as its address before it moved or that of a tunnel. A state that was written at any other address than `base_url` and these is refused; see [Another address of eNMS](guides/running-enms.md#another-address-of-enms). In the environment variable, separate the addresses by spaces, commas or line breaks.",
		use: func(s *settings, v string) (err error) { s.formerBaseURLs, err = urls(v); return err }},
	{name: "identify_by", fallback: byID, oneOf: identities,
		doc: "How an instance of the state is recognized in eNMS: by its `id`, so that renames are followed, or by its `name`, so that what has the name is the instance, and creating takes over what exists, unless the resource sets `adopt_existing = false`. Use `name` for one apply after a restore or migration of eNMS; see [Instances by name](guides/deleting-and-renaming.md#instances-by-name).",
		use: func(s *settings, v string) error { s.identifyBy = v; return checkOneOf(v, identities) }},
	{name: "adopt_existing", section: "Defaults of resources", fallback: "false", written: asFlag,
		doc: "Whether creating takes over an existing instance with the same name. Resources can override it.",
		use: func(s *settings, v string) (err error) { s.adoptExisting, err = flag(v); return err }},
	{name: "deletion_policy", fallback: kind.PolicyDelete, oneOf: kind.Policies,
		doc: "What destroying does: `delete`, `cascade`, `abandon` or `disable`. Resources can override it; see [Deletion policies](guides/deleting-and-renaming.md#deletion-policies).",
		use: func(s *settings, v string) error { s.deletionPolicy = v; return checkOneOf(v, kind.Policies) }},
}

// The values of identify_by.
const (
	byID   = "id"
	byName = "name"
)

var identities = []string{byID, byName}

// Sections returns the sections of the provider's page, each with its settings.
func Sections() (all []schemas.Section) {
	for _, s := range table {
		if s.section != "" {
			all = append(all, schemas.Section{Title: s.section})
		}
		last := &all[len(all)-1]
		last.Attributes = append(last.Attributes, s.name)
	}
	last := &all[len(all)-1]
	last.Attributes = append(last.Attributes, attrDefaults)
	return all
}

// blockSchema returns the schema of the provider block: the settings of the table, and the block of defaults.
func blockSchema() schema.Schema {
	attributes := map[string]schema.Attribute{}
	for _, s := range table {
		attributes[s.name] = s.attribute()
	}
	return schema.Schema{
		MarkdownDescription: "The eNMS provider manages [eNMS](https://github.com/eNMS-automation/eNMS), the network-automation server: devices, links, networks and pools; services, workflows and tasks; credentials, users and groups.",
		Attributes:          attributes,
		Blocks:              map[string]schema.Block{attrDefaults: defaultsBlock()},
	}
}

// attribute returns the schema of the setting.
func (s setting) attribute() schema.Attribute {
	doc := s.doc
	if s.fallback != "" {
		doc += fmt.Sprintf(" Default: `%s`.", s.fallback)
	}
	doc += fmt.Sprintf(" Environment variable: `%s`.", variableOf(s.name))
	switch s.written {
	case asFlag:
		return schema.BoolAttribute{MarkdownDescription: doc, Optional: true}
	case asNumber:
		return schema.NumberAttribute{MarkdownDescription: doc, Optional: true}
	case asHeaders:
		return schema.MapAttribute{MarkdownDescription: doc, Optional: true, Sensitive: s.sensitive, ElementType: types.StringType}
	case asList:
		return schema.ListAttribute{MarkdownDescription: doc, Optional: true, Sensitive: s.sensitive, ElementType: types.StringType}
	}
	var validators []validator.String
	if len(s.oneOf) > 0 {
		validators = []validator.String{stringvalidator.OneOf(s.oneOf...)}
	}
	return schema.StringAttribute{MarkdownDescription: doc, Optional: true, Sensitive: s.sensitive, Validators: validators}
}

// readSettings reads every setting from the configuration, else from its environment variable, else from the
// table. unknown are the names of those that are unknown until apply; the others are checked all the same.
func readSettings(block map[string]tftypes.Value, diags *diag.Diagnostics) (s *settings, unknown []string) {
	configured := map[string]string{}
	for _, row := range table {
		text, known := row.text(block[row.name])
		configured[row.name] = text
		if !known {
			unknown = append(unknown, row.name)
		}
	}
	s = &settings{}
	var missing []setting
	for _, row := range table {
		if slices.Contains(unknown, row.name) || slices.Contains(unknown, row.instead) {
			continue
		}
		if configured[row.name] != "" && configured[row.instead] != "" {
			diags.AddAttributeError(path.Root(row.name), fmt.Sprintf("Both %s and %s are set", row.name, row.instead), "Set one of the two.")
			continue
		}
		if row.required && configured[row.name] == "" && os.Getenv(variableOf(row.name)) == "" {
			missing = append(missing, row)
			continue
		}
		row.read(s, configured[row.name], configured[row.instead], diags)
	}
	if len(missing) > 0 {
		diags.Append(missingSettings(missing))
	}
	isConfigured := func(row setting) bool { return configured[row.name] != "" }
	if len(unknown) == 0 && !slices.ContainsFunc(table, isConfigured) {
		*diags = sayingBlockIsOptional(*diags)
	}
	s.warn(diags)
	return s, unknown
}

// missingSettings returns the error of required settings that have no value.
func missingSettings(missing []setting) diag.Diagnostic {
	var names, variables []string
	for _, s := range missing {
		names, variables = append(names, s.name), append(variables, variableOf(s.name))
	}
	all := strings.Join(names, ", ")
	return diag.NewAttributeErrorDiagnostic(path.Root(names[0]), "Missing "+all,
		fmt.Sprintf("Set %s in the provider block, or %s in the environment.", all, strings.Join(variables, ", ")))
}

// sayingBlockIsOptional returns the diagnostics of a provider block that is empty or missing. If it is missing,
// Terraform adds to each error that it is required, so each error says that it is not.
func sayingBlockIsOptional(diags diag.Diagnostics) (all diag.Diagnostics) {
	for _, d := range diags {
		if d.Severity() == diag.SeverityError {
			d = diag.NewErrorDiagnostic(d.Summary(), d.Detail()+" No provider block is required if the environment has the settings.")
		}
		all.Append(d)
	}
	return all
}

// read reads the setting into settings: value, which is what the configuration has, else what the environment
// has, else the default. instead is what the configuration has for the setting that this one can stand in
// for: if it is set, the environment is ignored.
func (s setting) read(into *settings, value, instead string, diags *diag.Diagnostics) {
	origin := ""
	if value == "" && instead == "" {
		if value = os.Getenv(variableOf(s.name)); value != "" {
			origin = fmt.Sprintf(" (from %s)", variableOf(s.name))
		}
		if other := variableOf(s.instead); value != "" && os.Getenv(other) != "" {
			diags.AddAttributeError(path.Root(s.name), fmt.Sprintf("Both %s and %s are set", variableOf(s.name), other), "Set one of the two environment variables.")
			return
		}
	}
	if value == "" {
		value = s.fallback
	}
	if value == "" {
		return
	}
	if err := s.use(into, value); err != nil {
		diags.AddAttributeError(path.Root(s.name), fmt.Sprintf("Invalid %s%s", s.name, origin), checks.Sentence(err.Error()))
	}
}

// variableOf returns the name of the environment variable that is read if the configuration does not
// have a setting. For no setting (""), such as setting.instead of most, it returns "".
func variableOf(name string) string {
	if name == "" {
		return ""
	}
	return "ENMS_" + strings.ToUpper(name)
}

// text returns the value of the setting in the provider block as text, or "" if it is not set.
func (s setting) text(v tftypes.Value) (text string, known bool) {
	if v.IsNull() || !v.IsKnown() {
		return "", v.IsKnown()
	}
	switch s.written {
	case asHeaders:
		return mapLines(v)
	case asList:
		return listLines(v)
	case asFlag:
		var b bool
		_ = v.As(&b)
		return strconv.FormatBool(b), true
	case asNumber:
		f := new(big.Float)
		_ = v.As(&f)
		return f.Text('f', -1), true
	case asText:
		_ = v.As(&text)
	}
	return text, true
}

// Format prints no values of the settings, whatever the verb, because some are secret.
func (s settings) Format(f fmt.State, _ rune) { fmt.Fprint(f, "provider.settings{}") }

// warn adds warnings about settings with which others can read the password, and about a password that is probably
// another one than eNMS has.
func (s *settings) warn(diags *diag.Diagnostics) {
	if s.insecure {
		diags.AddAttributeWarning(path.Root("insecure_skip_verify"), "Certificates are not verified",
			"Anyone who can intercept the connection can read the password and change requests. Set ca_cert_pem to the certificate of your CA instead.")
	}
	if strings.TrimRight(s.config.Password, "\r\n") != s.config.Password {
		diags.AddAttributeWarning(path.Root("password"), "The password ends with a line break",
			"The last line of a file has one, but hardly any password. If eNMS refuses the password, remove it, for example with trimspace().")
	}
	u, err := url.Parse(s.config.BaseURL)
	if err == nil && u.Scheme == "http" && u.Host != "" && !s.plainHTTP && !loopback(u.Hostname()) {
		diags.AddAttributeWarning(path.Root("base_url"), "The password is not encrypted",
			fmt.Sprintf("The address of %s begins with http://, so anyone on the network can read the password. Use https://, or set accept_plain_http = true (ENMS_ACCEPT_PLAIN_HTTP) if nobody else can read that network.", u.Host))
	}
}

// loopback reports whether a host is this machine, as far as its name tells.
func loopback(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}
