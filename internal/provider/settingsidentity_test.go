// Tests of former_base_urls, identify_by, adopt_existing and deletion_policy: how they are read, and that creations take
// over what exists where the name identifies.

package provider

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// All settings come from the configuration, else from the environment, where addresses may be separated by
// spaces, commas or line breaks. Null elements and empty lists are as if they were not there.
func TestSettings_identity(t *testing.T) {
	text := func(s any) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
	list := func(all ...tftypes.Value) tftypes.Value {
		return tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, all)
	}
	for name, c := range map[string]struct {
		urls, by         tftypes.Value
		urlsVar, byVar   string
		wantURLs, wantBy string
	}{
		"nothing":                {wantURLs: "[]", wantBy: "id"},
		"configuration":          {urls: list(text("https://a"), text(nil), text("https://b/x")), by: text("name"), urlsVar: "https://c", byVar: "id", wantURLs: "[https://a https://b/x]", wantBy: "name"},
		"environment":            {urlsVar: "https://a, https://b\nhttps://c\thttps://d,\r\n", byVar: "name", wantURLs: "[https://a https://b https://c https://d]", wantBy: "name"},
		"an empty list and \"\"": {urls: list(), by: text(""), urlsVar: "https://a", byVar: "name", wantURLs: "[https://a]", wantBy: "name"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, row := range table {
				t.Setenv(variableOf(row.name), "")
			}
			t.Setenv("ENMS_FORMER_BASE_URLS", c.urlsVar)
			t.Setenv("ENMS_IDENTIFY_BY", c.byVar)
			var diags diag.Diagnostics
			s, unknown := readSettings(map[string]tftypes.Value{"base_url": text("https://e"), "username": text("u"), "password": text("p"),
				"former_base_urls": c.urls, "identify_by": c.by}, &diags)
			if len(diags)+len(unknown) > 0 || fmt.Sprint(s.formerBaseURLs) != c.wantURLs || s.identifyBy != c.wantBy {
				t.Errorf("got %v and %q, want %s and %q: %v, unknown %v", s.formerBaseURLs, s.identifyBy, c.wantURLs, c.wantBy, diags, unknown)
			}
		})
	}
	t.Setenv("ENMS_ADOPT_EXISTING", "true")
	t.Setenv("ENMS_DELETION_POLICY", "abandon")
	for adopts, configured := range map[bool]map[string]tftypes.Value{true: {}, false: {"adopt_existing": tftypes.NewValue(tftypes.Bool, false), "deletion_policy": text("cascade")}} {
		var diags diag.Diagnostics
		s, _ := readSettings(configured, &diags)
		if want := map[bool]string{true: "abandon", false: "cascade"}[adopts]; s.adoptExisting != adopts || s.deletionPolicy != want {
			t.Errorf("adopts %v and deletes by %q, want %v and %q", s.adoptExisting, s.deletionPolicy, adopts, want)
		}
	}
}

// identify_by = "name" takes over what exists, whatever adopt_existing of the provider block, unless the resource itself
// forbids it.
func TestSettings_identifyByNameAdopts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		byName, provider bool
		resource         any // adopt_existing of the resource
		want             bool
	}{
		{false, false, nil, false}, {false, true, nil, true}, {true, false, nil, true}, {true, true, nil, true},
		{true, false, false, false}, {true, true, false, false}, {false, false, true, true}, {true, false, true, true},
	} {
		p := &resources.Provider{IdentifyByName: c.byName, AdoptExisting: c.provider}
		if got := p.Adopts(kind.Values{kind.RowAdoptExisting: tftypes.NewValue(tftypes.Bool, c.resource)}); got != c.want {
			t.Errorf("%+v: adopts %v", c, got)
		}
	}
}

// Terraform does not know a block of dynamic blocks before it knows what they are for.
func TestReadDefaults_unknownBlocks(t *testing.T) {
	t.Parallel()
	unknown := tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue)
	for name, test := range map[string]struct {
		defaults       tftypes.Value
		devices, links bool // their defaults are unknown
	}{
		"all":          {unknown, true, true},
		"of a kind":    {value.ObjectOf(map[string]tftypes.Value{"device": unknown}), true, false},
		"an empty one": {value.ObjectOf(map[string]tftypes.Value{"device": value.ObjectOf(nil)}), false, false},
	} {
		var diags diag.Diagnostics
		all := readDefaults(value.ObjectOf(map[string]tftypes.Value{attrDefaults: test.defaults}), &diags)
		for resource, want := range map[string]bool{"device": test.devices, "link": test.links} {
			v, has := all[resource]["rbac_read"]
			if is := has && !v.IsKnown(); is != want || has != want || diags.HasError() {
				t.Errorf("%s: rbac_read of a %s is %v, unknown is %t: %v", name, resource, v, want, diags)
			}
		}
	}
}
