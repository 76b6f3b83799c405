// Tests of identities, ids of imports, and moves from other types of resources.

package identify

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

var (
	device  = &kind.Kind{Name: "device", Off: value.Object{"on": false}, Attributes: []kind.Attribute{{Name: "type", Role: kind.Subtype, OneOf: []string{"device", "gateway", "no_service"}}}}
	service = &kind.Kind{Name: "service", Attributes: []kind.Attribute{{Name: "type", Role: kind.Subtype, OneOf: []string{"ping_service"}}}}
	pool    = &kind.Kind{Name: "pool"}
	other   = &kind.Kind{Name: "instance", AnyType: &kind.AnyType{}, Attributes: []kind.Attribute{{Name: "type", Role: kind.Subtype, Required: true}}}
	kinds   = []*kind.Kind{device, service, pool, other}
)

// row are values of attributes.
type row = map[string]any

// valuesOf returns strings and Booleans as values; nil is a null string.
func valuesOf(given row) kind.Values {
	values := kind.Values{}
	for name, v := range given {
		typ := tftypes.Type(tftypes.String)
		if _, is := v.(bool); is {
			typ = tftypes.Bool
		}
		values[name] = tftypes.NewValue(typ, v)
	}
	return values
}

func TestOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		k            *kind.Kind
		values, want row
	}{
		{pool, row{"name": "p", "id": "1"}, row{"name": "p"}},
		{device, row{"name": "d", "type": "gateway"}, row{"name": "d", "type": "gateway"}},
		{device, row{"name": "d"}, row{"name": "d", "type": nil}},
		{device, row{"name": nil, "type": "gateway"}, nil},
		{device, row{"type": "gateway"}, nil},
	} {
		got := Of(c.k, valuesOf(c.values))
		if typ := got.Type().(tftypes.Object); len(typ.AttributeTypes) != len(c.k.IdentityRows()) {
			t.Errorf("%v: the identity is %s", c.values, typ)
		}
		if !maps.EqualFunc(kind.ValuesOf(got), valuesOf(c.want), tftypes.Value.Equal) || got.IsNull() != (c.want == nil) {
			t.Errorf("%v: the identity is %s, want %v", c.values, got, c.want)
		}
	}
}

func TestImport(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		k    *kind.Kind
		id   string
		want row // nil if the id is malformed
	}{
		{device, "a/b", row{"name": "a/b"}},
		{other, "rack/A 1", row{"type": "rack", "name": "A 1"}},
		{other, "rack/", row{"type": "rack", "name": ""}},
		{other, "rack", nil},
		{other, "/A 1", nil},
		{other, "", nil},
	} {
		if got, ok := Imported(c.k, c.id); ok != (c.want != nil) || ok && !maps.EqualFunc(got, valuesOf(c.want), tftypes.Value.Equal) {
			t.Errorf("%q imports %v (%v), want %v", c.id, got, ok, c.want)
		}
	}
	rack := other.For(valuesOf(row{"type": "rack"}))
	if got := []string{ImportID(device, "d"), ImportID(rack, "r")}; !slices.Equal(got, []string{"d", "rack/r"}) {
		t.Errorf("the ids are %q", got)
	}
	for _, c := range []struct {
		identity, want row // nil if it is not valid
	}{
		{row{"name": "d", "type": "gateway"}, row{"name": "d", "type": "gateway"}},
		{row{"name": "d", "type": nil}, row{"name": "d"}},
		{row{"name": "d", "type": ""}, nil},
		{row{"name": ""}, nil},
	} {
		if got, ok := ByIdentity(device, valuesOf(c.identity)); ok != (c.want != nil) || !maps.EqualFunc(got, valuesOf(c.want), tftypes.Value.Equal) {
			t.Errorf("%v imports %v (%v), want %v", c.identity, got, ok, c.want)
		}
	}
}

func TestMoved(t *testing.T) {
	t.Parallel()
	const rest, restful = "restapi_object", "restful_resource"
	for what, c := range map[string]struct {
		to          *kind.Kind
		from, state string
		want        row    // nil if it is refused
		says        string // in the error
	}{
		"of the provider": {device, "enms_instance", `{"name": "d", "type": "gateway", "id": "7", "deletion_policy": "disable", "adopt_existing": true}`,
			row{"name": "d", "type": "gateway", "id": "7", "deletion_policy": "disable", "adopt_existing": true}, ""},
		"to any type":             {other, "enms_device", `{"name": "d"}`, row{"name": "d", "type": "device"}, ""},
		"to any type, a subtype":  {other, "enms_device", `{"name": "d", "type": "gateway", "adopt_existing": false}`, row{"name": "d", "type": "gateway", "adopt_existing": false}, ""},
		"from any type to any":    {other, "enms_instance", `{"name": "p", "type": "pool"}`, row{"name": "p", "type": "pool"}, ""},
		"a policy the kind lacks": {pool, "enms_instance", `{"name": "p", "type": "pool", "deletion_policy": "disable"}`, row{"name": "p"}, ""},
		"a whole type":            {device, "enms_instance", `{"name": "d", "type": "device"}`, row{"name": "d", "type": "device"}, ""},
		"a type of subtypes":      {service, rest, `{"id": "s", "path": "/instance/service"}`, row{"name": "s"}, ""},
		"a subtype of it":         {service, rest, `{"id": "s", "path": "/instance/ping_service"}`, row{"name": "s", "type": "ping_service"}, ""},
		"a type of the site":      {service, "enms_instance", `{"name": "s", "type": "my_service"}`, row{"name": "s", "type": "my_service"}, ""},

		"another kind":              {device, "enms_pool", `{"name": "p"}`, nil, "enms_pool"},
		"another type":              {service, "enms_instance", `{"name": "p", "type": "pool"}`, nil, "enms_pool"},
		"a type without a kind":     {service, "enms_instance", `{"name": "p", "type": "server"}`, nil, "enms_instance"},
		"a subtype of another kind": {pool, "enms_instance", `{"name": "p", "type": "my_pool"}`, nil, "enms_instance"},
		"a type with its suffix":    {service, "enms_instance", `{"name": "d", "type": "no_service"}`, nil, "enms_device"},
		"no name":                   {device, "enms_instance", `{"type": "device"}`, nil, "has no name"},
		"no object":                 {device, rest, `[]`, nil, "cannot be read"},
		"another provider":          {device, "local_file", `{"id": "x"}`, nil, "removed block"},

		"the id is a number":    {pool, rest, `{"id": "17", "path": "/instance/pool", "data": "{\"name\": \"p\"}"}`, row{"name": "p"}, ""},
		"the id is the name":    {pool, rest, `{"id": "p", "path": "/instance/pool", "data": "{\"name\": \"p\"}"}`, row{"name": "p"}, ""},
		"only data":             {pool, rest, `{"path": "/instance/pool", "data": "{\"name\": \"p\"}"}`, row{"name": "p"}, ""},
		"only an id, of digits": {pool, rest, `{"id": "17", "path": "/rest/instance/pool/17", "data": "{}"}`, row{"name": "17"}, ""},
		"by create_path":        {pool, rest, `{"id": "p", "path": "/search", "create_path": "rest/instance/pool/"}`, row{"name": "p"}, ""},
		"by read_path":          {pool, rest, `{"id": "p", "path": "/instance", "read_path": "/instance/pool/{id}"}`, row{"name": "p"}, ""},
		"by update_path":        {pool, rest, `{"id": "p", "path": "/instance/{id}", "read_path": "/instance/$(id)", "update_path": "/instance/pool?x=1"}`, row{"name": "p"}, ""},
		"not of eNMS":           {pool, rest, `{"id": "p", "path": "/api/objects"}`, nil, `"/api/objects"`},
		"two names":             {pool, rest, `{"id": "p", "path": "/instance/pool", "data": "{\"name\": \"q\"}"}`, nil, `"q" was sent`},

		"a value and its type":  {pool, restful, `{"id": "/instance/pool/17", "path": "/instance/pool", "body": {"type": "x", "value": {"name": "p"}}}`, row{"name": "p"}, ""},
		"a body with a value":   {pool, restful, `{"id": "/instance/pool/17", "path": "/instance/pool", "body": {"value": {"name": "q"}, "name": "p"}}`, row{"name": "p"}, ""},
		"a body with a type":    {pool, restful, `{"id": "/instance/pool/17", "path": "/instance/pool", "body": {"type": "pool", "name": "p"}}`, row{"name": "p"}, ""},
		"the body is JSON":      {pool, restful, `{"id": "/instance/pool/17", "path": "instance/pool", "body": "{\"name\": \"p\"}"}`, row{"name": "p"}, ""},
		"the id is escaped":     {pool, restful, `{"id": "/instance/pool/a%20b?x=1", "path": "/x"}`, row{"name": "a b"}, ""},
		"the id is not":         {pool, restful, `{"id": "/instance/pool/5%", "path": "/x"}`, row{"name": "5%"}, ""},
		"the id is of a list":   {pool, restful, `{"id": "/instance/pool", "path": "/instance/pool", "body": {"name": "p"}}`, row{"name": "p"}, ""},
		"the id is no path":     {pool, restful, `{"id": "q", "path": "/instance/pool", "body": {"name": "p"}}`, row{"name": "p"}, ""},
		"by read_path of it":    {pool, restful, `{"id": "/p", "path": "/x", "read_path": "/instance/pool/p"}`, row{"name": "p"}, ""},
		"two names, of restful": {pool, restful, `{"id": "/instance/pool/p", "path": "/x", "body": {"name": "q"}}`, nil, `"q" was sent`},
		"of no type":            {pool, restful, `{"id": "/x/p", "path": "/x"}`, nil, `"/x"`},
	} {
		got, err := Moved(c.to, kinds, c.from, []byte(c.state))
		if c.want == nil {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, want an error with %s", what, err, c.says)
			}
		} else if err != nil || !maps.EqualFunc(got, valuesOf(c.want), tftypes.Value.Equal) {
			t.Errorf("%s: %s (%v), want %v", what, kindtest.Show(got), err, c.want)
		}
	}
}
