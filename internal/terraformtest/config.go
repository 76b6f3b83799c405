// A configuration: its blocks, and what they refer to.

package terraformtest

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Config is a configuration.
type Config struct {
	source    []byte
	dir       string // path.module; "" when the configuration is in no directory
	functions map[string]function.Function
	provider  *hclsyntax.Body   // empty when there is no provider block
	blocks    map[string]*block // resources and data sources by their addresses
	locals    map[string]hcl.Expression
	given     map[string]hcl.Expression // the values of variables that were given
	variables map[string]variable
	outputs   map[string]hcl.Expression
	moved     []move
	removed   []string // addresses of resources that are to be forgotten
	imports   []importBlock
}

// block is the block of a resource or of a data source.
type block struct {
	address, typ string
	data         bool
	body         hcl.Body // without what Terraform itself reads
	syntax       *hclsyntax.Body
	count        hcl.Expression // nil when there is none
	forEach      hcl.Expression // nil when there is none
	dependsOn    []string       // addresses
	refersTo     []string       // addresses that it refers to or depends on
	createsFirst bool           // create_before_destroy
	ignores      []string       // ignore_changes
	replacedBy   []reference    // replace_triggered_by
}

// variable is the value of a variable, or its default, and its type.
type variable struct {
	value hcl.Expression
	typ   cty.Type
}

// reference is an attribute of a resource, or all of it.
type reference struct{ address, attribute string }

// importBlock says what to import.
type importBlock struct {
	to string
	id hcl.Expression
}

// move is a moved block: two addresses of resources, or of instances.
type move struct{ from, to string }

// Dependencies returns the addresses of everything that a block refers to or depends on, directly or not.
func (c *Config) Dependencies(address string) []string {
	var all []string
	queue := c.refersTo(address)
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if !slices.Contains(all, next) {
			all = append(all, next)
			queue = append(queue, c.refersTo(next)...)
		}
	}
	slices.Sort(all)
	return all
}

// refersTo returns the addresses that a block refers to or depends on.
func (c *Config) refersTo(address string) []string {
	if b := c.blocks[address]; b != nil {
		return slices.Clone(b.refersTo)
	}
	return nil
}

// readAfter returns the addresses of the resources of which any change makes Terraform read a data source in
// the apply: those that its block itself names, and those that depends_on brings.
func (c *Config) readAfter(b *block) (addresses []string) {
	for _, a := range b.syntax.Attributes {
		for _, v := range a.Expr.Variables() {
			if address := v.RootName() + "." + step(v, 1); c.blocks[address] != nil {
				addresses = append(addresses, address)
			}
		}
	}
	for _, address := range b.dependsOn {
		addresses = append(append(addresses, address), c.Dependencies(address)...)
	}
	return resources(addresses)
}

// createsFirst reports whether a replacement at an address creates before it destroys: the
// block says so, or one that depends on it.
func (c *Config) createsFirst(address string) bool {
	for other, b := range c.blocks {
		if b.createsFirst && (other == address || slices.Contains(c.Dependencies(other), address)) {
			return true
		}
	}
	return false
}

// step returns the name at a place of a traversal such as data.enms_device.a, or "".
func step(v hcl.Traversal, i int) string {
	if i < len(v) {
		if a, is := v[i].(hcl.TraverseAttr); is {
			return a.Name
		}
	}
	return ""
}
