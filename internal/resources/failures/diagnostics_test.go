// Tests of the diagnostics that errors become.

package failures

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// text returns a string of a configuration or state.
func text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

// gadgets are instances of a kind that has a relation of each sort.
var gadgets = Subject{Kind: &kind.Kind{
	Name: "gadget", Namespace: "gadget",
	Attributes: []kind.Attribute{
		{Name: "type", Role: kind.Subtype, Default: "gadget", Recreate: true, OneOf: []string{"gadget", "gizmo"}},
		{Name: "owner", Type: kind.One, Of: "person", ReadFrom: "owner_name"},
		{Name: "parts", Type: kind.Many, Of: "part"},
	},
}}

func TestLabel(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"DALLAS": "dallas", "[Shared] Back-up": "shared_back_up", "1.2": "_1_2", "Ünï": "n", "→": "_", "": "_"} {
		if got := label(name); got != want {
			t.Errorf("label(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestErrorDiagnostics(t *testing.T) {
	t.Parallel()
	values := kind.Values{"name": text("g"), "parts": tftypes.NewValue(value.StringSet, []tftypes.Value{text("p1"), text("p2")}), "owner": text("o")}
	for name, test := range map[string]struct {
		err       error
		attribute string
		words     []string
	}{
		"taken":        {&enms.ExistsError{Type: "gadget", Name: "g", ID: "242", FoundType: "gadget"}, "name", []string{"id 242", `import it with the id "g"`, "adopt_existing = true"}},
		"perhaps own":  {&enms.ExistsError{Type: "gadget", Name: "g", ID: "242", FoundType: "gadget", MayBeOwn: true}, "name", []string{"This apply may have created it", "adopt_existing = true"}},
		"namespace":    {&enms.ExistsError{Type: "gadget", Name: "g", ID: "2", FoundType: "planet", MayBeOwn: true}, "name", []string{"This apply may have created it", "A gadget cannot have the name of a planet"}},
		"meanwhile":    {&Meanwhile{&enms.ExistsError{Type: "gadget", Name: "g", ID: "242", FoundType: "gadget"}}, "name", []string{"which somebody has created", "Nothing was changed. Apply again"}},
		"perhaps both": {&Meanwhile{&enms.ExistsError{Type: "gadget", Name: "g", ID: "242", FoundType: "gadget", MayBeOwn: true}}, "name", []string{"which somebody or this apply has created at the same time. Apply again"}},
		"other type":   {&enms.ExistsError{Type: "gadget", Name: "g", ID: "2", FoundType: "gizmo"}, "name", []string{`type = "gizmo"`, "import it with the id"}},
		"name space":   {&enms.ExistsError{Type: "gadget", Name: "g", ID: "2", FoundType: "planet"}, "name", []string{"Choose another name"}},
		"no part":      {&enms.RefusedError{Op: "create", Type: "gadget", Name: "g", Reason: "There is no part in the database", Missing: &enms.Reference{Type: "part", Name: "p2"}}, "parts", []string{"Create it first"}},
		"no owner":     {&enms.RefusedError{Op: "create", Type: "gadget", Name: "g", Reason: "There is no person in the database", Missing: &enms.Reference{Type: "person", Name: "o"}}, "owner", []string{"Create it first"}},
		"wrong value":  {&enms.FieldError{Type: "gadget", Name: "g", Field: "owner_name", Reason: "a number"}, "owner", []string{"owner_name"}},
		"hidden":       {&Unreadable{&enms.FieldError{Type: "gadget", Name: "g", Field: "owner_name", Reason: "is a person with the id 7, which eNMS does not find"}}, "owner", []string{"id 7", "rbac_read"}},
		"wrong key":    {&enms.FieldError{Type: "gadget", Name: "g", Field: "name", Reason: "a number"}, "name", []string{"Correct it in eNMS"}},
		"wrong answer": {&enms.AnswerError{Type: "gadget", Reason: "holds null where a list belongs"}, "", []string{"The answer about gadget holds null", "base_url"}},
		"wrong name":   {&enms.PayloadError{Type: "gadget", Reason: "needs a name"}, "", []string{"The payload of gadget needs a name."}},
		"credentials":  {enms.ErrUnauthorized, "", []string{"ENMS_PASSWORD"}},
		"rights":       {enms.ErrForbidden, "", []string{"administrator"}},
		"web pages":    {&enms.RedirectError{Location: "/login"}, "", []string{"base_url", "/login"}},
		"https":        {&enms.RedirectError{Location: "https://h/login", HTTPS: "https://h"}, "", []string{"redirects http:// to https://", "at https://h", "Set base_url to that address."}},
		"unknown":      {&enms.AmbiguousError{Type: "gadget", Name: "g"}, "", []string{"Apply again"}},
		"another name": {&enms.RenamedError{Asked: "g", Got: "None"}, "", []string{`"None"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "unknown" {
				test.err = fmt.Errorf("wrapped: %w", test.err)
			}
			diags := gadgets.Failed("create", "g", values, test.err)
			d := diags[0]
			if d.Summary() != `Cannot create gadget "g"` {
				t.Error(d.Summary())
			}
			for _, w := range test.words {
				if !strings.Contains(d.Detail(), w) {
					t.Errorf("%q is not in %q", w, d.Detail())
				}
			}
			if got, _ := gadgets.explain("create", "g", values, test.err); got != test.attribute {
				t.Errorf("on %q, want %q", got, test.attribute)
			}
		})
	}
}
