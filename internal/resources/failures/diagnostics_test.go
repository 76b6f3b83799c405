// Tests of the diagnostics that errors become.

package failures

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
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
	for name, want := range map[string]string{"DALLAS": "dallas", "[Shared] Back-up": "shared_back_up", "1.2": "_1_2", "9": "_9", "Ünï": "n", "→": "_", "": "_"} {
		if got := label(name); got != want {
			t.Errorf("label(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestTakenHint(t *testing.T) {
	t.Parallel()
	const own, created = "This apply may have created it", "If another address of this configuration gives the name up"
	for name, test := range map[string]struct {
		entry  bool
		verb   string
		exists enms.ExistsError
		want   string
	}{
		"planned":                     {false, Plan, enms.ExistsError{FoundType: "gadget"}, "To manage it, set adopt_existing = true, or add this block to the root module"},
		"planned, of some type":       {false, Plan, enms.ExistsError{}, "To manage it, set adopt_existing"},
		"created":                     {false, Create, enms.ExistsError{FoundType: "gadget"}, "Nothing was changed. To manage it, set adopt_existing = true, or import it with the id"},
		"created twice":               {false, Create, enms.ExistsError{FoundType: "gadget", MayBeOwn: true}, own},
		"adopted":                     {false, Adopt, enms.ExistsError{FoundType: "gadget"}, "Nothing was changed. To manage it, set adopt_existing"},
		"adopted, of another type":    {false, Adopt, enms.ExistsError{FoundType: "gizmo"}, `write type = "gizmo" to take it over`},
		"created, of another type":    {false, Create, enms.ExistsError{FoundType: "gizmo"}, `To manage it, write type = "gizmo" and import it`},
		"created, of another kind":    {false, Create, enms.ExistsError{FoundType: "planet"}, "Nothing was changed. A gadget cannot have the name of a planet"},
		"renamed":                     {false, Rename, enms.ExistsError{FoundType: "gadget"}, "Choose another name, or rename or delete the other instance first."},
		"renamed, another spelling":   {false, Rename, enms.ExistsError{FoundType: "gadget", FoundName: "G"}, "Choose another name, or rename or delete the other instance first."},
		"created, another spelling":   {false, Create, enms.ExistsError{FoundType: "gadget", FoundName: "G"}, `Nothing was changed. Choose another name. Or, to manage that one, write name = "G"`},
		"another spelling, of others": {false, Create, enms.ExistsError{FoundType: "planet", FoundName: "G"}, "Nothing was changed. A gadget cannot have the name of a planet"},
		"soft-deleted":                {false, Create, enms.ExistsError{FoundType: "gadget", SoftDeleted: true}, "Nothing was changed. Restore it"},
		"planned, soft-deleted":       {true, Plan, enms.ExistsError{FoundType: "gadget", SoftDeleted: true}, "Restore it"},
		"a planned entry":             {true, Plan, enms.ExistsError{FoundType: "gadget"}, takenInManyHint},
		"an entry":                    {true, Create, enms.ExistsError{FoundType: "gadget"}, "It was not changed. " + takenInManyHint + " " + created},
		"an entry, twice":             {true, Create, enms.ExistsError{FoundType: "gadget", MayBeOwn: true}, own},
		"a renamed entry":             {true, Rename, enms.ExistsError{FoundType: "gadget"}, "Choose another name, or rename or delete"},
	} {
		test.exists.Type, test.exists.Name = "gadget", "g"
		if got := (Subject{Kind: gadgets.Kind, Entry: test.entry}).TakenHint(test.verb, "g", &test.exists); !strings.HasPrefix(got, test.want) && !strings.Contains(got, test.want) || test.verb == Plan && strings.HasPrefix(got, NothingChanged) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestGeneralHint(t *testing.T) {
	t.Parallel()
	unresolved := &net.DNSError{Name: "h", IsNotFound: true}
	silent, err := enms.New(enms.Config{BaseURL: "http://h", RequestTimeout: time.Millisecond, DialContext: func(context.Context, string, string) (net.Conn, error) {
		conn, _ := net.Pipe() // to a server that never reads
		return conn, nil
	}}, enms.Words{})
	if err != nil {
		t.Fatal(err)
	}
	_, unread := silent.Get(t.Context(), "gadget", "g")
	const late = "eNMS did not respond in time. Check its load and its log, or increase request_timeout."
	for _, test := range []struct {
		err  error
		want string
	}{
		{&enms.StatusError{Method: http.MethodDelete, Status: 500}, deletionHint}, {&enms.StatusError{Method: http.MethodPost, Path: "/rest/instance/device", Status: 500}, writeHint},
		{&enms.StatusError{Method: http.MethodPost, Path: "/rest/search", Status: 500}, statusHints[500]}, {&enms.StatusError{Method: http.MethodGet, Path: "/rest/instance/device/x", Status: 500}, statusHints[500]},
		{&enms.StatusError{Method: http.MethodDelete, Status: 404}, statusHints[404]}, {&enms.StatusError{Method: http.MethodDelete, Status: 502}, gatewayHint}, {&enms.StatusError{Method: http.MethodGet, Status: 418}, ""},
		{unresolved, `The host "h" cannot be resolved. Check its spelling in base_url.`},
		{&net.OpError{Op: "dial", Err: unresolved}, `The host "h" cannot be resolved. Check its spelling in base_url.`},
		{&net.OpError{Op: "proxyconnect", Err: unresolved}, `The host "h" cannot be resolved. Check its spelling in proxy_url, or in HTTPS_PROXY or HTTP_PROXY.`},
		{&net.DNSError{Name: "h"}, ""}, {&net.OpError{Op: "remote error", Err: errors.New("x")}, hints[7].hint}, {&net.OpError{Op: "dial", Err: errors.New("x")}, ""},
		{&enms.NotJSONError{Status: 500}, hints[9].hint}, {&enms.NotJSONError{Status: 200}, hints[10].hint},
		{unread, late}, {silent.Create(t.Context(), enms.Type{Name: "gadget"}, enms.Object{"name": "g"}, nil), late + " The next plan checks what eNMS has done."},
	} {
		if got := generalHint(test.err); got != test.want {
			t.Errorf("%v: %s", test.err, got)
		}
	}
}

// All errors are those of an interrupt.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	warning := diag.NewWarningDiagnostic("w", "")
	interrupt, other := gadgets.Failed(Create, "g", nil, context.Canceled), gadgets.Failed(Create, "g", nil, enms.ErrForbidden)
	for _, test := range []struct {
		diags diag.Diagnostics
		want  bool
	}{{nil, false}, {diag.Diagnostics{warning}, false}, {interrupt, true}, {append(interrupt, warning), true}, {other, false}, {slices.Concat(interrupt, other), false}} {
		if got := Interrupted(test.diags); got != test.want {
			t.Errorf("%v: %t", test.diags, got)
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
		"hidden":       {&Unreadable{Cause: &enms.FieldError{Type: "gadget", Name: "g", Field: "owner_name", Reason: "is a person with the id 7, which eNMS does not find"}}, "owner", []string{"id 7", "rbac_read"}},
		"soft-deleted": {&Unreadable{Cause: &enms.FieldError{Type: "gadget", Name: "g", Field: "owner_name", Reason: `is the person "p"`}, SoftDeleted: true}, "owner", []string{`"p". Restore that instance, or delete it permanently, in eNMS.`}},
		"wrong key":    {&enms.FieldError{Type: "gadget", Name: "g", Field: "name", Reason: "a number"}, "name", []string{"base_url"}},
		"wrong answer": {&enms.AnswerError{Type: "gadget", Reason: "holds null where a list belongs"}, "", []string{"The answer about gadget holds null", "base_url"}},
		"wrong name":   {&enms.PayloadError{Type: "gadget", Reason: "needs a name"}, "", []string{"The payload of gadget needs a name."}},
		"credentials":  {enms.ErrUnauthorized, "", []string{"ENMS_PASSWORD"}},
		"rights":       {enms.ErrForbidden, "", []string{"administrator"}},
		"web pages":    {&enms.RedirectError{Location: "/login"}, "", []string{"base_url", "/login"}},
		"https":        {&enms.RedirectError{Location: "https://h/login", HTTPS: "https://h"}, "", []string{"redirects http:// to https://", "at https://h", "Set base_url to that address."}},
		"unknown":      {&enms.AmbiguousError{Type: "gadget", Name: "g"}, "", []string{"because its answer was lost", "The next plan checks"}},
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
