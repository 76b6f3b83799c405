package resources

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// providerAt returns a provider with a client of a server that is never asked.
func providerAt(t *testing.T, baseURL string, former ...string) *Provider {
	t.Helper()
	client, err := enms.New(enms.Config{BaseURL: baseURL, Username: "u", Password: "p"}, enms.Words{})
	if err != nil {
		t.Fatal(err)
	}
	return &Provider{Client: client, FormerBaseURLs: former}
}

// A state is accepted at the address that it was written at, whatever its spelling, at one that lists it, and if it
// has none.
func TestCheckAddress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		recorded, baseURL string
		former            []string
		other             bool
	}{
		{"", "https://b.example.com", nil, false},
		{"https://b.example.com", "HTTPS://B.example.com:443/", nil, false},
		{"https://a.example.com", "https://b.example.com", nil, true},
		{"https://b.example.com", "http://b.example.com", nil, true},
		{"https://b.example.com", "https://b.example.com/enms", nil, true},
		{"https://a.example.com", "https://b.example.com", []string{"https://c.example.com", "https://A.example.com:443/"}, false},
		{"https://a.example.com", "https://b.example.com", []string{"https://c.example.com"}, true},
	} {
		other, diags := providerAt(t, c.baseURL, c.former...).CheckAddress(c.recorded)
		if other != c.other || diags.HasError() != c.other {
			t.Errorf("%+v: other %v: %v", c, other, diags)
		}
	}
	if other, diags := (&Provider{Unknown: []string{"base_url"}}).CheckAddress("https://a.example.com"); other || len(diags) > 0 {
		t.Errorf("without a client: other %v: %v", other, diags)
	}
}

// The error names both addresses and the ways on, in four lines.
func TestCheckAddress_message(t *testing.T) {
	t.Parallel()
	_, diags := providerAt(t, "https://b.example.com").CheckAddress("https://a.example.com")
	if len(diags) != 1 || diags[0].Summary() != "This state belongs to another eNMS" {
		t.Fatalf("got %v", diags)
	}
	detail := diags[0].Detail()
	for _, want := range []string{"https://a.example.com", "https://b.example.com", "former_base_urls", "ENMS_FORMER_BASE_URLS", "terraform state rm", "Nothing was sent."} {
		if !strings.Contains(detail, want) {
			t.Errorf("%q is not in %q", want, detail)
		}
	}
	if lines := strings.Count(detail, "\n") + 1; lines > 4 {
		t.Errorf("%d lines: %s", lines, detail)
	}
}

// While a run only reads and plans, one of many calls has the error. Once an apply has begun, each has it.
func TestCheckAddress_saidOnceInPlans(t *testing.T) {
	t.Parallel()
	p := providerAt(t, "https://b.example.com")
	errorsOf := func() int {
		var count atomic.Int64
		var calls sync.WaitGroup
		for range 20 {
			calls.Go(func() {
				other, diags := p.CheckAddress("https://a.example.com")
				if !other {
					t.Error("a state of another eNMS is accepted")
				}
				count.Add(int64(diags.ErrorsCount()))
			})
		}
		calls.Wait()
		return int(count.Load())
	}
	if got := errorsOf(); got != 1 {
		t.Errorf("%d errors in 20 plans, want 1", got)
	}
	p.Applying()
	if got := errorsOf(); got != 20 {
		t.Errorf("%d errors in 20 operations of an apply, want 20", got)
	}
}

// privateState is a private state as the framework passes it on.
type privateState map[string][]byte

func (p privateState) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) {
	return p[key], nil
}

func (p privateState) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	p[key] = value
	return nil
}

// A private state with the address of one server is refused by another one, and one without an address by none.
func TestIsOfAnother(t *testing.T) {
	t.Parallel()
	a, b, private := providerAt(t, "https://a.example.com"), providerAt(t, "https://b.example.com"), privateState{}
	check := func(what string, p *Provider, want bool) {
		t.Helper()
		var diags diag.Diagnostics
		if other := p.BelongsElsewhere(t.Context(), private, &diags); other != want || diags.HasError() != want {
			t.Errorf("%s: other %v: %v", what, other, diags)
		}
	}
	check("without an address", b, false)
	if diags := a.RecordAddress(t.Context(), private); len(diags) > 0 {
		t.Fatal(diags)
	}
	check("at the same address", a, false)
	check("at another address", b, true)
	if diags := (&Provider{}).RecordAddress(t.Context(), private); len(diags) > 0 || len(private) != 1 {
		t.Errorf("without a client: %v: %v", private, diags)
	}
}
