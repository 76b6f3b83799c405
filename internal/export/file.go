// This file writes configuration, block by block.

package export

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// configuration is a file of configuration that is being written.
type configuration struct{ *hclwrite.File }

func newConfiguration() configuration { return configuration{hclwrite.NewEmptyFile()} }

// comment writes lines of comment before the next block.
func (c configuration) comment(text string) {
	c.separate()
	for line := range strings.Lines(text) {
		c.Body().AppendUnstructuredTokens(hclwrite.Tokens{{Type: hclsyntax.TokenComment, Bytes: []byte("# " + strings.TrimSuffix(line, "\n") + "\n")}})
	}
}

// separate writes an empty line between blocks.
func (c configuration) separate() {
	if len(c.Body().Blocks()) > 0 {
		c.Body().AppendNewline()
	}
}

// block writes a block and returns its body.
func (c configuration) block(typ string, labels []string, attributes []attribute) *hclwrite.Body {
	c.separate()
	return c.add(typ, labels, attributes)
}

// add writes a block without an empty line before it, for example after a comment.
func (c configuration) add(typ string, labels []string, attributes []attribute) *hclwrite.Body {
	body := c.Body().AppendNewBlock(typ, labels).Body()
	set(body, attributes, step)
	return body
}

// set sets attributes of a body. indentation is that of its lines.
func set(body *hclwrite.Body, attributes []attribute, indentation int) {
	for _, a := range attributes {
		written := expression(a.value, indentation)
		body.SetAttributeRaw(a.name, hclwrite.Tokens{{Type: hclsyntax.TokenIdent, Bytes: []byte(written)}})
	}
}

// resource writes the block of a resource. ignored are its ignore_changes.
func (c configuration) resource(typ, label string, attributes []attribute, ignored []string) {
	body := c.block("resource", []string{typ, label}, attributes)
	if len(ignored) == 0 {
		return
	}
	body.AppendNewline()
	var names []any
	for _, name := range ignored {
		names = append(names, source(name))
	}
	set(body.AppendNewBlock("lifecycle", nil).Body(), []attribute{{"ignore_changes", names}}, 2*step)
}

// content returns the file, formatted as by `terraform fmt`.
func (c configuration) content() []byte { return hclwrite.Format(c.Bytes()) }
