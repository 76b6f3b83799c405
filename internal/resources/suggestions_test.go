package resources

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// providerOfTypes returns a provider of a server that can search for these types, in vain, and for no others.
func providerOfTypes(t *testing.T, types ...string) *Provider {
	t.Helper()
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Type string }
		w.Header().Set("Content-Type", "application/json")
		switch err := json.NewDecoder(r.Body).Decode(&asked); {
		case asked.Type == "refused":
			w.WriteHeader(http.StatusBadRequest)
		case err == nil && !strings.Contains(" "+strings.Join(types, " ")+" ", " "+asked.Type+" "):
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write([]byte(`{"alert": "Error 500 - Internal Server Error."}`))
		default:
			_, _ = w.Write([]byte("[]"))
		}
	}))
	t.Cleanup(served.Close)
	return providerAt(t, served.URL)
}

// A type is lacking if the server says so. The one that is meant is suggested if the server has that.
func TestProvider_lacksType(t *testing.T) {
	t.Parallel()
	known := []string{"device", "ping_service", "pong"}
	for _, test := range []struct {
		types, typ, near string
		lacks            bool
	}{
		{"service device", "devise", "device", true}, {"service", "devise", "", true}, {"service device", "device", "", false}, {"service", "refused", "", false}, {"", "devise", "", false},
		{"service ping_service pong", "pin_service", "ping_service", true}, {"service ping_service pong", "zzz_service", "", true}, {"service ping_service pong", "pon", "pong", true},
	} {
		near, lacks := providerOfTypes(t, strings.Fields(test.types)...).LacksType(t.Context(), known, test.typ)
		if near != test.near || lacks != test.lacks {
			t.Errorf("%+v: near %q, lacks: %t", test, near, lacks)
		}
	}
}

// What is missing may be hidden from a user who is no administrator, if there is a right to read it.
func TestProvider_missingRemedy(t *testing.T) {
	t.Parallel()
	p := providerOfTypes(t)
	p.Kinds = []*kind.Kind{
		{Name: "box", Attributes: []kind.Attribute{{Name: "rbac_read", Type: kind.Many, Of: "group"}}, BuiltIn: []kind.BuiltIn{{Name: "first"}}},
		{Name: "open"},
	}
	for refs, want := range map[string]string{
		"box/a": "If it exists, this user lacks the right", "box/first": "Every eNMS has it", "box/first box/a": "If it exists, this user lacks the right", "box/a box/first": "If it exists, this user lacks the right",
		"open/a": "", "box/a open/a": "", "open/a box/a": "",
	} {
		var missing []applying.Reference
		for _, ref := range strings.Fields(refs) {
			typ, name, _ := strings.Cut(ref, "/")
			missing = append(missing, applying.Reference{Type: typ, Name: name})
		}
		remedy, hidden := p.MissingRemedy(t.Context(), missing...)
		if hidden != (want != "") || !strings.Contains(remedy, want) || !hidden && remedy != CreateFirst {
			t.Errorf("%s: hidden: %t, %s", refs, hidden, remedy)
		}
	}
}

// A name of which eNMS has another Unicode form is not suggested: Terraform cannot write that.
// Of many names, a diagnostic shows some, in the quotes of HCL.
func TestSome(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "", 2: `"$${x}", "$${x}"`, MaxNamed: `"$${x}"`, MaxNamed + 1: " and 1 more"} {
		if got := AllQuoted(slices.Repeat([]string{"${x}"}, n)); !strings.HasSuffix(got, want) {
			t.Errorf("of %d: %s", n, got)
		}
	}
}

func TestProvider_nameHint(t *testing.T) {
	t.Parallel()
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`[{"id": 1, "name": "mu\u0308ller"}, {"id": 2, "name": "muller"}, {"id": 3, "name": "paris"}]`))
	}))
	t.Cleanup(served.Close)
	p := providerAt(t, served.URL)
	for name, want := range map[string]string{"m\u00fcller": `it has "mu\u0308ller", which looks the same`, "mullet": `did you mean "muller"?`, "rome": ""} {
		if got := p.NameHint(t.Context(), "device", name); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
