package resources

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// Advice about a setting follows only if a setting is unknown.
func TestProvider_withoutClient(t *testing.T) {
	t.Parallel()
	for want, p := range map[string]*Provider{
		"The provider block has not been read.": nil,
		"In the provider block, base_url, token is still unknown. Give it a value that is known when this is read.": {Unknown: []string{"base_url", "token"}},
	} {
		if diags := p.Readable("Cannot read"); len(diags) != 1 || strings.TrimSpace(diags[0].Detail()) != want {
			t.Errorf("got %v, want %q", diags, want)
		}
	}
}

// What a resource sets takes precedence over the provider.
func TestProvider_settings(t *testing.T) {
	t.Parallel()
	flag := func(x any) kind.Values {
		return kind.Values{kind.RowAdoptExisting: tftypes.NewValue(tftypes.Bool, x)}
	}
	ready := providerAt(t, "https://a.example.com")
	for _, test := range []struct {
		adoptAll, byName, ready bool
		planned                 kind.Values
		adopts, may             bool
	}{
		{false, false, true, flag(nil), false, false}, {true, false, true, flag(nil), true, true}, {false, true, true, flag(nil), true, true}, {true, true, true, flag(false), false, false},
		{false, false, true, flag(true), true, true}, {false, false, false, flag(nil), false, true}, {false, false, true, flag(tftypes.UnknownValue), false, true},
	} {
		p := &Provider{AdoptExisting: test.adoptAll, IdentifyByName: test.byName}
		if test.ready {
			p.Client = ready.Client
		}
		if adopts, may := p.Adopts(test.planned), p.MayAdopt(test.planned); adopts != test.adopts || may != test.may {
			t.Errorf("%+v: it adopts: %t, or may: %t", test, adopts, may)
		}
	}
	for _, test := range []struct {
		own, all, want string
		deletes        bool
	}{
		{"", kind.PolicyDelete, kind.PolicyDelete, true}, {kind.PolicyCascade, kind.PolicyAbandon, kind.PolicyCascade, true}, {"", kind.PolicyAbandon, kind.PolicyAbandon, false}, {kind.PolicyDisable, kind.PolicyDelete, kind.PolicyDisable, false},
	} {
		values := kind.Values{}
		if test.own != "" {
			values[kind.RowDeletionPolicy] = tftypes.NewValue(tftypes.String, test.own)
		}
		p := &Provider{DeletionPolicy: test.all}
		if p.Policy(values) != test.want || p.Deletes(values) != test.deletes {
			t.Errorf("%+v: the policy is %s, and deletes: %t", test, p.Policy(values), p.Deletes(values))
		}
	}
	var none *Provider
	none.Applying()
	if none.HasDefaults() || none.Ready() || ready.HasDefaults() || !(&Provider{Defaults: map[string]kind.Values{"device": nil}}).HasDefaults() {
		t.Error("there are defaults without a provider, or none with one")
	}
	var diags diag.Diagnostics
	if providerOf(nil, &diags) != nil || providerOf(ready, &diags) != ready || diags.HasError() || providerOf("x", &diags) != nil || !diags.HasError() {
		t.Errorf("a provider is taken for another: %v", diags)
	}
}
