// This file declares the resource, which everything in the package works with.

package bulk

import (
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Server serves the resource.
type Server struct {
	kinds    []*kind.Kind
	provider func() *lifecycle.Provider // nil while Terraform validates
}

// New returns the resource for the kinds. provider gives the configured provider.
func New(kinds []*kind.Kind, provider func() *lifecycle.Provider) *Server {
	return &Server{kinds: kinds, provider: provider}
}

// collection is the instances of one resource.
type collection struct {
	kinds     []*kind.Kind
	kind      *kind.Kind
	typ       string
	instances *lifecycle.Instances
	settings  kind.Values // adopt_existing and deletion_policy
	now       time.Time
}

// collectionOf returns the collection that a configuration or a state describes; nil while its
// type is unknown, and when there is none, which is an error.
func (s *Server) collectionOf(values kind.Values) (c *collection, diags diag.Diagnostics) {
	if !values[attrType].IsKnown() {
		return nil, nil
	}
	typ := value.Text(values[attrType])
	if typ == "" {
		diags.AddAttributeError(path.Root(attrType), "Missing type",
			`type is null or empty. Set the type of all instances, such as type = "device".`)
		return nil, diags
	}
	c = &collection{kinds: s.kinds, kind: kind.Named(s.kinds, typ), typ: typ, now: time.Now(), settings: kind.Values{
		kind.RowAdoptExisting: values[kind.RowAdoptExisting], kind.RowDeletionPolicy: values[kind.RowDeletionPolicy]}}
	c.instances = lifecycle.NewEntries(c.kind, s.provider())
	return c, c.checkType()
}

// neighbours reports whether instances of a type share a name space with the collection's.
func (c *collection) neighbours(typ string) bool {
	k := kind.Named(c.kinds, typ)
	return k != nil && k.Namespace == c.kind.Namespace
}

// checkType refuses types that must not be managed.
func (c *collection) checkType() (found diag.Diagnostics) {
	if problem := c.typeProblem(); problem != "" {
		found.AddAttributeError(path.Root(attrType), "Invalid type", problem)
		return found
	}
	// What is wrong with the type alone is wrong with any instance.
	config, _ := c.configOf("any", entry{})
	for _, d := range c.kind.NewPlan(config, nil, nil, c.now).Diagnostics {
		if on, is := d.(diag.DiagnosticWithPath); is && on.Path().Equal(path.Root(c.kind.SubtypeRow())) && d.Severity() == diag.SeverityError {
			found.AddAttributeError(path.Root(attrType), d.Summary(), d.Detail())
		}
	}
	return found
}

// typeProblem says that no path can hold the type, "" when one can.
func (c *collection) typeProblem() string {
	if strings.ContainsFunc(c.typ, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		return fmt.Sprintf("%q is not a type. Types are in lower case, as in the path /rest/instance/<type>.", c.typ)
	}
	return ""
}

// configOf returns the configuration of an entry.
func (c *collection) configOf(name string, e entry) (kind.Values, diag.Diagnostics) {
	config, diags := c.kind.EntryConfig(c.typ, name, e)
	for _, setting := range []string{kind.RowAdoptExisting, kind.RowDeletionPolicy} {
		config[setting] = c.settings[setting]
	}
	return config, diags
}
