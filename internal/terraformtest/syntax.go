// Helpers for reading the bodies of blocks in HCL.

package terraformtest

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// only returns an error if a body has anything besides these attributes. The error names one such thing, and is the
// end of an error with ErrNotInModel.
func only(body *hclsyntax.Body, names ...string) error {
	for name := range body.Attributes {
		if !slices.Contains(names, name) {
			return fmt.Errorf("the argument %s", name)
		}
	}
	if len(body.Blocks) > 0 {
		return fmt.Errorf("a block %s", body.Blocks[0].Type)
	}
	return nil
}

// text returns the text of a range.
func text(source []byte, r hcl.Range) string { return string(r.SliceBytes(source)) }

// attribute returns the expression of an attribute, or an empty list if there is none.
func attribute(body *hclsyntax.Body, name string) hcl.Expression {
	if a := body.Attributes[name]; a != nil {
		return a.Expr
	}
	return &hclsyntax.TupleConsExpr{}
}
