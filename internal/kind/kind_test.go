// Tests of the kinds of types.

package kind_test

import (
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
)

func TestNamed(t *testing.T) {
	t.Parallel()
	other := &kind.Kind{Name: "any", AnyType: &kind.AnyType{}, Attributes: []kind.Attribute{{Name: "type", Role: kind.Subtype, Required: true}}}
	kinds := []*kind.Kind{kindtest.Gadget, other}
	if kind.Named(kinds, "gadget") != kindtest.Gadget || kind.Named(kinds, "gizmo") != kindtest.Gadget {
		t.Error("a gadget is none")
	}
	if k := kind.Named(kinds, "rack"); k == nil || k.Name != "rack" || k.AnyType == nil {
		t.Errorf("a rack is %v", k)
	}
	if kind.Named(kinds[:1], "rack") != nil {
		t.Error("a rack is a gadget")
	}
}
