// A configuration in HCL becomes blocks.

package terraformtest

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// ErrNotInModel is the error for a configuration that needs more than the model has, or that is wrong whatever
// the schema is.
var ErrNotInModel = errors.New("the model of Terraform does not have that")

// metaArguments are what Terraform itself reads in the block of a resource.
var metaArguments = &hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{{Name: "count"}, {Name: "for_each"}, {Name: "depends_on"}, {Name: "provider"}},
	Blocks:     []hcl.BlockHeaderSchema{{Type: "lifecycle"}},
}

// Parse reads a configuration with types of this provider.
func (p *Provider) Parse(source string) (*Config, error) {
	return p.parse(newConfig([]byte(source), "", nil))
}

// ParseDirectory reads the configuration in a directory. The provider gets these settings in addition to
// those of its block. variables are values of its variables; all others have their defaults.
func (p *Provider) ParseDirectory(dir string, settings, variables map[string]string) (*Config, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.tf"))
	if err != nil {
		return nil, err
	}
	var source []byte
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		source = append(append(source, content...), '\n')
	}
	c := newConfig(source, filepath.ToSlash(dir), variables)
	if _, err := p.parse(c); err != nil {
		return nil, err
	}
	with := *c.provider
	with.Attributes = hclsyntax.Attributes{}
	maps.Copy(with.Attributes, c.provider.Attributes)
	for name, text := range settings {
		with.Attributes[name] = &hclsyntax.Attribute{Name: name, Expr: &hclsyntax.LiteralValueExpr{Val: cty.StringVal(text)}}
	}
	c.provider = &with
	return c, nil
}

func newConfig(source []byte, dir string, variables map[string]string) *Config {
	c := &Config{source: source, dir: dir, functions: functionsIn(dir), provider: &hclsyntax.Body{},
		blocks: map[string]*block{}, locals: map[string]hcl.Expression{},
		given: map[string]hcl.Expression{}, variables: map[string]variable{}, outputs: map[string]hcl.Expression{}}
	for name, text := range variables {
		c.given[name] = hcl.StaticExpr(cty.StringVal(text), hcl.Range{})
	}
	return c
}

// parse parses the source of a configuration, and checks that the provider has its types.
func (p *Provider) parse(c *Config) (*Config, error) {
	if err := c.parse(); err != nil {
		return nil, err
	}
	schema, err := p.schema()
	if err != nil {
		return nil, err
	}
	process := &Process{Schema: schema}
	for address, b := range c.blocks {
		if process.schemaOf(b) == nil {
			return nil, fmt.Errorf("%w: the type of %s", ErrNotInModel, address)
		}
	}
	return c, nil
}

// parse adds the blocks of the source, and what they refer to.
func (c *Config) parse() error {
	file, diags := hclsyntax.ParseConfig(c.source, "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		return fmt.Errorf("%w: %w", ErrNotInModel, diags)
	}
	body := file.Body.(*hclsyntax.Body)
	if name := unknownFunction(body, c.functions); name != "" {
		return fmt.Errorf("%w: the function %s", ErrNotInModel, name)
	}
	for _, b := range body.Blocks {
		if err := c.add(b); err != nil {
			return fmt.Errorf("%w: %w", ErrNotInModel, err)
		}
	}
	for _, b := range c.blocks {
		refersTo, err := c.referencesOf(b.syntax)
		if err != nil {
			return fmt.Errorf("%w: %s: %w", ErrNotInModel, b.address, err)
		}
		b.refersTo = union(refersTo, b.dependsOn)
	}
	return c.check()
}

// add adds a block.
func (c *Config) add(b *hclsyntax.Block) error {
	switch b.Type {
	case "terraform":
		return nil
	case "provider":
		if len(c.provider.Attributes) > 0 || b.Body.Attributes["alias"] != nil {
			return errors.New("several provider blocks")
		}
		c.provider = b.Body
		return nil
	case "locals":
		for name, a := range b.Body.Attributes {
			c.locals[name] = a.Expr
		}
		return nil
	case "variable":
		return c.addVariable(b)
	case "output":
		return c.addOutput(b)
	case "resource", "data":
		return c.addResource(b)
	case "moved":
		return c.addMove(b.Body)
	case "removed":
		return c.addRemoved(b.Body)
	case "import":
		if len(b.Body.Attributes) != 2 || b.Body.Attributes["to"] == nil || b.Body.Attributes["id"] == nil {
			return errors.New("an import block without id, or with more")
		}
		c.imports = append(c.imports, importBlock{text(c.source, attribute(b.Body, "to").Range()), attribute(b.Body, "id")})
		return nil
	}
	return fmt.Errorf("a block %s", b.Type)
}

// addOutput adds an output.
func (c *Config) addOutput(b *hclsyntax.Block) error {
	if err := only(b.Body, "value", "description"); err != nil {
		return err
	}
	c.outputs[b.Labels[0]] = attribute(b.Body, "value")
	return nil
}

// addVariable adds a variable, with its default unless a value was given.
func (c *Config) addVariable(b *hclsyntax.Block) error {
	if err := only(b.Body, "default", "type", "description", "ephemeral", "sensitive"); err != nil {
		return err
	}
	v := variable{value: c.given[b.Labels[0]], typ: cty.DynamicPseudoType}
	if v.value == nil {
		if b.Body.Attributes["default"] == nil {
			return fmt.Errorf("a variable %s without a value", b.Labels[0])
		}
		v.value = attribute(b.Body, "default")
	}
	if a := b.Body.Attributes["type"]; a != nil {
		var diags hcl.Diagnostics
		v.typ, diags = typeexpr.TypeConstraint(a.Expr)
		if diags.HasErrors() {
			return diags
		}
	}
	c.variables[b.Labels[0]] = v
	return nil
}

// addResource adds a resource or a data source.
func (c *Config) addResource(from *hclsyntax.Block) error {
	b := &block{typ: from.Labels[0], address: strings.Join(from.Labels, "."), data: from.Type == "data", syntax: from.Body}
	if b.data {
		b.address = "data." + b.address
	}
	if c.blocks[b.address] != nil {
		return fmt.Errorf("%s twice", b.address)
	}
	c.blocks[b.address] = b
	content, rest, diags := from.Body.PartialContent(metaArguments)
	if diags.HasErrors() {
		return diags
	}
	b.body = rest
	for name, a := range content.Attributes {
		switch name {
		case "count":
			b.count = a.Expr
		case "for_each":
			b.forEach = a.Expr
		case "depends_on":
			for _, on := range c.list(a.Expr) {
				b.dependsOn = append(b.dependsOn, resourceOf(on))
			}
		case "provider":
			if strings.Contains(text(c.source, a.Expr.Range()), ".") {
				return errors.New("several providers")
			}
		}
	}
	for _, lifecycle := range content.Blocks {
		if err := c.addLifecycle(b, lifecycle.Body.(*hclsyntax.Body)); err != nil {
			return err
		}
	}
	return nil
}

// addLifecycle adds what a lifecycle block says.
func (c *Config) addLifecycle(b *block, body *hclsyntax.Body) error {
	if len(body.Blocks) > 0 {
		return errors.New("conditions")
	}
	for name, a := range body.Attributes {
		switch name {
		case "create_before_destroy":
			value, diags := a.Expr.Value(nil)
			if diags.HasErrors() {
				return diags
			}
			b.createsFirst = value.True()
		case "ignore_changes":
			b.ignores = c.list(a.Expr)
			if len(b.ignores) == 0 || slices.ContainsFunc(b.ignores, func(name string) bool { return strings.ContainsAny(name, ".[") }) {
				return errors.New("ignore_changes of all, or of parts")
			}
		case "replace_triggered_by":
			for _, on := range c.list(a.Expr) {
				parts := strings.Split(on, ".")
				if strings.Contains(on, "[") || len(parts) > 3 {
					return errors.New("replace_triggered_by of parts")
				}
				r := reference{address: parts[0] + "." + parts[1]}
				if len(parts) == 3 {
					r.attribute = parts[2]
				}
				b.replacedBy = append(b.replacedBy, r)
			}
		default:
			return errors.New(name)
		}
	}
	return nil
}

// addMove adds a moved block.
func (c *Config) addMove(body *hclsyntax.Body) error {
	m := move{text(c.source, attribute(body, "from").Range()), text(c.source, attribute(body, "to").Range())}
	if TypeOf(m.from) != TypeOf(m.to) || strings.Contains(m.from+m.to, "module.") {
		return errors.New("moves between types or modules")
	}
	c.moved = append(c.moved, m)
	return nil
}

// addRemoved adds a removed block with which Terraform forgets objects. One without a lifecycle block changes
// nothing: objects without a block are destroyed anyway.
func (c *Config) addRemoved(body *hclsyntax.Body) error {
	from := text(c.source, attribute(body, "from").Range())
	if len(body.Blocks) == 0 {
		return nil
	}
	if len(body.Blocks) > 1 || body.Blocks[0].Type != "lifecycle" || text(c.source, attribute(body.Blocks[0].Body, "destroy").Range()) != "false" {
		return fmt.Errorf("a removed block of %s with more than lifecycle", from)
	}
	c.removed = append(c.removed, from)
	return nil
}

// list returns the source text of the members of a list.
func (c *Config) list(e hcl.Expression) (members []string) {
	exprs, _ := hcl.ExprList(e)
	for _, member := range exprs {
		members = append(members, text(c.source, member.Range()))
	}
	return members
}

// check returns an error for references that Terraform would refuse: to something that does not exist, or in
// a circle; and for references in the provider block, which the model does not have.
func (c *Config) check() error {
	for _, b := range c.blocks {
		for _, address := range b.refersTo {
			if c.blocks[address] == nil {
				return fmt.Errorf("%w: %s refers to %s, which is not there", ErrNotInModel, b.address, address)
			}
		}
		if slices.Contains(c.Dependencies(b.address), b.address) {
			return fmt.Errorf("%w: %s refers to itself", ErrNotInModel, b.address)
		}
	}
	for _, i := range c.imports {
		if c.blocks[resourceOf(i.to)] == nil {
			return fmt.Errorf("%w: an import to %s, which has no block", ErrNotInModel, i.to)
		}
	}
	if on, err := c.referencesOf(c.provider); err != nil || len(on) > 0 {
		return fmt.Errorf("%w: the provider block refers to %s", ErrNotInModel, on)
	}
	for name, output := range c.outputs {
		on, err := c.referencesIn(output.Variables(), 0)
		if err != nil || slices.ContainsFunc(on, func(address string) bool { return c.blocks[address] == nil }) {
			return fmt.Errorf("%w: the output %s refers to %s", ErrNotInModel, name, on)
		}
	}
	return nil
}

// referencesOf returns the addresses of all that the expressions of a body refer to.
func (c *Config) referencesOf(body *hclsyntax.Body) (addresses []string, err error) {
	for _, a := range body.Attributes {
		more, err := c.referencesIn(a.Expr.Variables(), 0)
		if err != nil {
			return nil, err
		}
		addresses = union(addresses, more)
	}
	for _, b := range body.Blocks {
		if b.Type == "lifecycle" {
			for _, on := range c.list(attribute(b.Body, "replace_triggered_by")) {
				addresses = union(addresses, []string{resourceOf(on)})
			}
			continue
		}
		more, err := c.referencesOf(b.Body)
		if err != nil {
			return nil, err
		}
		addresses = union(addresses, more)
	}
	return addresses, nil
}

// referencesIn returns the addresses of the resources and data sources that variables refer to, also through
// locals and variables of the configuration. depth is the number of these that led here.
func (c *Config) referencesIn(variables []hcl.Traversal, depth int) (addresses []string, err error) {
	if depth > len(c.locals)+1 {
		return nil, errors.New("locals refer to each other in a circle")
	}
	for _, v := range variables {
		switch root := v.RootName(); root {
		case "each", "count":
		case "var", "local":
			value := c.locals[step(v, 1)]
			if root == "var" {
				value = c.variables[step(v, 1)].value
			}
			if value == nil {
				return nil, fmt.Errorf("%s.%s is not there", root, step(v, 1))
			}
			more, err := c.referencesIn(value.Variables(), depth+1)
			if err != nil {
				return nil, err
			}
			addresses = union(addresses, more)
		case "path":
			if c.dir == "" || step(v, 1) != "module" {
				return nil, errors.New(root)
			}
		case "terraform", "module", "self", "ephemeral", "action":
			return nil, errors.New(root)
		case "data":
			addresses = union(addresses, []string{"data." + step(v, 1) + "." + step(v, 2)})
		default:
			addresses = union(addresses, []string{root + "." + step(v, 1)})
		}
	}
	return addresses, nil
}
