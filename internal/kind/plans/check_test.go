// Tests of the checks of a plan and of a configuration alone: what is missing, refused, doubtful or secret.

package plans

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// lacks is a Doubt of what is missing, unless the color is gray, and of the text "odd".
func lacks(text string, other func(string) any) string {
	if text == "" && other("color") != "gray" || text == "odd" {
		return "It is of no use."
	}
	return ""
}

// shelf is a kind with rules for each row.
var shelf = &kind.Kind{
	Name: "shelf", Namespace: "shelf",
	Attributes: []kind.Attribute{
		{Name: "type", Role: kind.Subtype, Default: "shelf", Recreate: true},
		{Name: "room", Type: kind.One, Of: "room", IDField: "room_id", Needed: true},
		{Name: "wall", Required: true, MaxLength: kind.ShortLength},
		{Name: "color", Doubt: func(text string, other func(string) any) string { return lacks(text, func(string) any { return text }) }},
		{Name: "use", Doubt: lacks},
		{Name: "tags", Type: kind.Many, Suggest: []string{"reading", "writing"}},
		{Name: "extra", Type: kind.JSON},
		{Name: "depth", Type: kind.Number, Range: &kind.Range{Min: 1, Max: 9}},
		{Name: "info", ReadOnly: true, MaxLength: kind.ShortLength},
		{Name: "key", Role: kind.Secret, Doubt: lacks},
	},
	Properties: []kind.Attribute{{Name: "label", MaxLength: kind.ShortLength}, {Name: "user", Doubt: lacks}},
	Subtypes:   []kind.SubtypeTable{{Name: "rack", Fields: []kind.Attribute{{Name: "units", Type: kind.Number}}}},
	NeverSent:  []string{"gone"},
	Secrets:    []string{"code"},
	Rules: kind.Rules{Check: func(p *kind.Plan) {
		if p.Config["depth"].Equal(tftypes.NewValue(tftypes.Number, 4)) {
			p.Refuse("depth", "It is 4", "")
			p.Warn("depth", "It is even", "")
			p.ErrorAt("extra", "k", "It has k", "")
			p.Diagnostics.AddError("Without an attribute", "")
		}
	}},
}

type object = map[string]any

// shelfOf returns the values of a valid shelf with changes.
func shelfOf(changes object) kind.Values {
	all := object{"name": "s", "type": "shelf", "room": "r", "wall": "w", "color": "gray", "use": "u"}
	maps.Copy(all, changes)
	return kindtest.ValuesFor(shelf, all)
}

func unknownOf(row string) tftypes.Value { return shelf.Row(row).Unknown() }

func TestChecksOfPlan(t *testing.T) {
	t.Parallel()
	const does = ` does not belong in properties`
	at := func(field string) string { return `Error: properties["` + field + `"]: ` + field }
	secretAt := func(field string) string {
		return `Warning: properties["` + field + `"]: ` + field + " looks like a secret, and is stored in the state"
	}
	properties := func(field string, x any) object { return object{kind.RowProperties: object{field: x}} }
	held := shelfOf(object{"id": "7", "color": "odd"})
	without := shelfOf(object{"id": "7", "room": nil})
	halfNUL := value.ObjectOf(map[string]tftypes.Value{"a": unknownOf("color"), "b": shelf.Row("color").Value("\x00")})
	tagsHalfKnown := tftypes.NewValue(value.StringSet, []tftypes.Value{tftypes.NewValue(tftypes.String, "writeing"), unknownOf("color")})
	for name, test := range map[string]struct {
		config object
		prior  kind.Values
		want   string
		words  string // of the first detail
	}{
		"valid":                      {object{}, nil, "", ""},
		"needed":                     {object{"room": nil}, nil, "Error: room: A shelf needs a room", "add room"},
		"needed, of an instance":     {object{"room": nil, "id": nil}, held, "Error: room: A shelf needs a room", ""},
		"needed, imported without":   {object{"room": nil}, without, "", ""},
		"never sent":                 {properties("gone", 1), nil, at("gone") + " must not be sent", ""},
		"secret with a row":          {properties("key", "x"), nil, at("key") + does, "key_wo_version = 1"},
		"attribute":                  {properties("wall", "x"), nil, at("wall") + does, "write wall instead"},
		"computed":                   {properties("info", "x"), nil, at("info") + does, "belongs to the attribute info"},
		"setting":                    {properties("adopt_existing", "x"), nil, at("adopt_existing") + does, "belongs to the attribute adopt_existing"},
		"other field of a row":       {properties("room_id", 1), nil, at("room_id") + does, "belongs to the attribute room,"},
		"secret properties":          {properties("properties_wo", object{}), nil, at("properties_wo") + does, "write properties_wo instead"},
		"without a name":             {object{"type": "rack", kind.RowProperties: object{"": 1}}, nil, `Error: properties[""]: A field has no name`, "of properties has"},
		"secret in plain text":       {properties("code", "x"), nil, `Warning: properties["code"]: The secret code is stored in the state`, "properties_wo_version"},
		"secret by its name":         {object{"type": "rack", kind.RowProperties: object{"my_password": "x"}}, nil, secretAt("my_password"), "properties_wo of a resource enms_shelf"},
		"secret in an object":        {object{"extra": object{"my_token": "x"}}, nil, "Warning: extra: extra.my_token looks like a secret, and is stored in the state", "environment"},
		"secret that is there":       {object{"extra": object{"my_token": "x"}}, shelfOf(object{"extra": object{"my_token": "x"}}), "", ""},
		"another secret":             {object{"extra": object{"my_token": "y"}}, shelfOf(object{"extra": object{"my_token": "x"}}), "Warning: extra: extra.my_token looks like a secret, and is stored in the state", ""},
		"doubtful":                   {object{"color": "odd"}, nil, "Warning: color: Unusual value for color", "of no use"},
		"doubtful, there":            {object{"color": "odd"}, held, "", ""},
		"doubtful field":             {properties("user", "odd"), nil, `Warning: properties["user"]: Unusual value for user`, ""},
		"empty is not doubtful":      {object{"color": "", "use": ""}, nil, "", ""},
		"unusual member":             {object{"tags": []string{"writeing"}}, nil, "Warning: tags: Unknown value for tags", `"writing"`},
		"unusual member, half known": {object{"tags": tagsHalfKnown}, nil, "", ""},
		"unknown field of a site":    {object{"type": "box", kind.RowProperties: object{"mine": 1}}, nil, "", ""},
		"like a known field":         {object{"type": "box", kind.RowProperties: object{"lable": 1}}, nil, `Warning: properties["lable"]: Unknown field lable of box`, "`label`"},
		"known to be too deep":       {object{"depth": 12}, shelfOf(object{"depth": 12}), "Warning: depth: Invalid Attribute Value", "nothing changes"},
		"too long, of a replacement": {object{"type": "rack", kind.RowProperties: object{"label": strings.Repeat("x", 65)}}, shelfOf(object{kind.RowProperties: object{"label": strings.Repeat("x", 65)}}), `Error: properties["label"]: Invalid value for properties.label`, ""},
		"NUL, of a replacement":      {object{"type": "rack", kind.RowProperties: object{"x": "\x00"}}, shelfOf(object{kind.RowProperties: object{"x": "\x00"}}), "Error: properties: properties contains a NUL", ""},
		"NUL in what is known":       {object{kind.RowProperties: halfNUL}, nil, "Error: properties: properties contains a NUL", "properties.b contains a NUL"},
		"known NUL that is there":    {object{kind.RowProperties: halfNUL}, shelfOf(object{kind.RowProperties: object{"b": "\x00"}}), "Warning: properties: properties contains a NUL", ""},
		"shorter, but too long":      {object{"wall": strings.Repeat("x", 65)}, shelfOf(object{"wall": strings.Repeat("x", 66)}), "Error: wall: wall is too long", "Shorten it by 1."},
		"by the check of the kind":   {object{"depth": 4}, nil, `Warning: depth: It is even; Error: extra["k"]: It has k; Error: Without an attribute; Error: depth: It is 4`, ""},
		"NUL that is there":          {object{"wall": "\x00"}, shelfOf(object{"wall": "\x00"}), "Warning: wall: wall contains a NUL", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := New(shelf, shelfOf(test.config), test.prior, nil, kindtest.Now).Diagnostics
			if got := kindtest.Said(found); got != test.want {
				t.Fatalf("got  %q\nwant %q", got, test.want)
			}
			if len(found) > 0 && !strings.Contains(found[0].Detail(), test.words) {
				t.Errorf("%q is not in %q", test.words, found[0].Detail())
			}
		})
	}
	for _, name := range []string{"id", "type", "new_name", "must_be_new", "no_fetch", "rbac", "commit", "migration_import", "import_mechanism", "list_data"} {
		if got, want := kindtest.Said(New(shelf, shelfOf(properties(name, "x")), nil, nil, kindtest.Now).Diagnostics), at(name)+" must not be sent"; got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	both := shelfOf(object{kind.RowProperties: object{"pin": "x"}, "properties_wo": object{"pin": "x", "wall": "y"}, "properties_wo_version": 1})
	if got, want := kindtest.Said(New(shelf, both, nil, nil, kindtest.Now).Diagnostics), `Error: properties_wo["wall"]: wall does not belong in properties_wo; Error: properties_wo: Duplicate field pin`; got != want {
		t.Errorf("secret properties:\n got %q\nwant %q", got, want)
	}
	halfKnown := shelfOf(object{"type": "rack", kind.RowProperties: value.ObjectOf(map[string]tftypes.Value{"units": unknownOf("color")})})
	if got := kindtest.Said(New(shelf, halfKnown, nil, nil, kindtest.Now).Diagnostics); got != "" {
		t.Errorf("an unknown field: %q", got)
	}
}

// Only a new instance is of no use without something.
func TestWarnOfMissing(t *testing.T) {
	t.Parallel()
	const key, user, use, color = "Warning: key_wo: key_wo is not set", "Warning: properties: user is not set", "Warning: use: use is not set", "Warning: color: color is not set"
	there := object{"color": "red", "key_wo": "x", "key_wo_version": 1, kind.RowProperties: object{"user": "x"}}
	for name, test := range map[string]struct {
		config, prior object
		replaced      bool
		want          string
	}{
		"nothing":            {object{"color": nil, "use": nil}, nil, false, strings.Join([]string{color, use, key, user}, "; ")},
		"all":                {there, nil, false, ""},
		"of another":         {object{}, nil, false, ""}, // the color is gray
		"secret field":       {object{"color": "red", "properties_wo": object{"user": "x"}, "properties_wo_version": 1}, nil, false, key},
		"unknown properties": {object{"color": "red", kind.RowProperties: unknownOf(kind.RowProperties)}, nil, false, key},
		"unknown type":       {object{"color": "red", "type": unknownOf("type")}, nil, false, key},
		"unknown color":      {object{"color": unknownOf("color"), kind.RowProperties: object{"user": "x"}}, nil, false, key},
		"existing":           {object{"color": "red"}, object{"id": "7"}, false, ""},
		"replaced":           {object{"color": "red"}, object{"id": "7"}, true, key + "; " + user},
		"with an error":      {object{"color": "red", "depth": 12}, nil, false, "Error: depth: Invalid Attribute Value"},
	} {
		var prior kind.Values
		if test.prior != nil {
			prior = shelfOf(test.prior)
		}
		if test.replaced {
			test.config["type"] = "rack"
		}
		p := New(shelf, shelfOf(test.config), prior, nil, kindtest.Now)
		if WarnOfMissing(p); kindtest.Said(p.Diagnostics) != test.want {
			t.Errorf("%s:\n got %q\nwant %q", name, kindtest.Said(p.Diagnostics), test.want)
		}
	}
	for wall, want := range map[any]string{nil: "Error: wall: A shelf needs a wall", "w": ""} {
		p := New(shelf, shelfOf(object{"wall": wall, "color": nil}), nil, nil, kindtest.Now)
		if CheckRequired(p); kindtest.Said(p.Diagnostics) != want {
			t.Errorf("wall %v: %s", wall, kindtest.Said(p.Diagnostics))
		}
	}
}

// Without a state, it is left to the plan whether an instance has a value that could not be omitted.
func TestValidate(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 65)
	for name, test := range map[string]struct {
		config object
		want   string
	}{
		"valid":                     {object{"color": nil}, ""},
		"warning":                   {object{"color": "odd", kind.RowProperties: object{"my_password": "x"}}, ""},
		"out of bounds":             {object{"depth": 12}, "Error: depth: Invalid Attribute Value"},
		"NUL":                       {object{"color": "\x00"}, "Error: color: color contains a NUL"},
		"required":                  {object{"wall": long}, ""},
		"needed":                    {object{"room": strings.Repeat("x", 256)}, ""},
		"needed, with a slash":      {object{"room": "a/b"}, "Error: room: Invalid name"},
		"needed, empty":             {object{"room": ""}, "Error: room: Invalid name"},
		"name, too long":            {object{"name": strings.Repeat("x", 256)}, ""},
		"name, empty":               {object{"name": ""}, "Error: name: Invalid name"},
		"name, with a slash":        {object{"name": "a/b"}, "Error: name: Invalid name"},
		"field":                     {object{kind.RowProperties: object{"label": long}}, `Error: properties["label"]: Invalid value for properties.label`},
		"field, not of its type":    {object{"type": "rack", kind.RowProperties: object{"units": "x"}}, `Error: properties["units"]: Invalid value for properties.units`},
		"field, without a type":     {object{"type": nil, kind.RowProperties: object{"label": long}}, `Error: properties["label"]: Invalid value for properties.label`},
		"field, of an unknown type": {object{"type": unknownOf("type"), kind.RowProperties: object{"label": long}}, ""},
		"never sent":                {object{kind.RowProperties: object{"gone": 1}}, `Error: properties["gone"]: gone must not be sent`},
		"by the check of the kind":  {object{"depth": 4}, `Error: extra["k"]: It has k; Error: Without an attribute; Error: depth: It is 4`},
	} {
		if got := kindtest.Said(Validate(shelf, shelfOf(test.config))); got != test.want {
			t.Errorf("%s:\n got %q\nwant %q", name, got, test.want)
		}
	}
	p := checkedConfig(crate, kindtest.ValuesFor(crate, object{"name": "c", "filter": kind.CriteriaValue(map[string]*kind.Criterion{})}))
	want := `{"active":"?","base":"?","filter":{},"id":"?","info":"?","mirror":"?","name":"c","owners":"?","properties":"?","size":"?","tags":"?","title":"?","top":"?","type":"?","unit":"?"}`
	if got := kindtest.Show(p.Planned); got != want || !p.ConfigOnly {
		t.Errorf("a configuration alone is planned as\n got %s\nwant %s", got, want)
	}
	if found := Validate(crate, kindtest.ValuesFor(crate, object{"name": strings.Repeat("x", 256)})); len(found) > 0 {
		t.Errorf("a name that the kind could make is left to the plan, too: %v", found)
	}
	defaults := kind.Values{"color": shelf.Row("color").Value("odd"), kind.RowProperties: value.FromJSON(object{"code": "x", "gone": "x", "label": "x"})}
	if got, want := kindtest.Said(CheckDefaults(shelf, defaults)), `Error: properties["gone"]: gone must not be sent; Error: properties["code"]: code is a secret`; got != want {
		t.Errorf("defaults:\n got %q\nwant %q", got, want)
	}
}

func TestWithoutInvalid(t *testing.T) {
	t.Parallel()
	held := shelfOf(object{"id": "7", "name": "a/b", "wall": strings.Repeat("x", 65), "info": strings.Repeat("x", 65), "room": "", "depth": 4, "extra": object{"k": 1}, "color": "\x00", kind.RowProperties: object{"label": strings.Repeat("x", 65), "mine": "x"}})
	valid, warnings := WithoutInvalid(shelf, held)
	want := maps.Clone(held)
	want["color"], want["depth"], want["extra"], want[kind.RowProperties] = shelf.Row("color").Null(), shelf.Row("depth").Null(), shelf.Row("extra").Null(), value.FromJSON(object{"mine": "x"})
	if got := kindtest.Show(valid); got != kindtest.Show(want) || len(valid) != len(want) || value.Text(held["color"]) == "" {
		t.Errorf("got  %s\nwant %s", got, kindtest.Show(want))
	}
	if got, want := kindtest.Said(warnings), `Warning: color: Left out of shelf "a/b": color; Warning: properties: Left out of shelf "a/b": properties.label; Warning: extra: Left out of shelf "a/b": extra; Warning: depth: Left out of shelf "a/b": depth`; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	} else if detail := warnings[3].Detail(); !strings.Contains(detail, "eNMS has 4,") || !strings.Contains(detail, "Omit depth") || !strings.Contains(warnings[1].Detail(), `"xxx`) {
		t.Errorf("the details are %q and %q", detail, warnings[1].Detail())
	}
	if valid, _ := WithoutInvalid(shelf, shelfOf(object{kind.RowProperties: object{"a": "\x00", "b": "x"}})); !valid[kind.RowProperties].IsNull() {
		t.Errorf("properties with a NUL stay: %s", kindtest.Show(valid))
	}
}

// A state holds the version of a secret only if that secret was sent.
func TestSecrets(t *testing.T) {
	t.Parallel()
	unknown := unknownOf("color")
	const none, needs, alone, notSent = "", "Error: key_wo: key_wo needs a version", ": key_wo_version: key_wo_version without a secret", "Warning: key_wo: key_wo is not sent"
	for name, test := range map[string]struct {
		secret, version any
		prior           any // the version in the state; "" if there is no state
		plan, apply     string
	}{
		"neither":                  {nil, nil, "", none, none},
		"both":                     {"x", 1, "", none, none},
		"unknown":                  {unknown, nil, "", none, none},
		"unknown, with a version":  {unknown, 1, "", none, none},
		"unknown version":          {nil, shelf.Row("key_wo_version").Unknown(), "", none, none},
		"no version":               {"x", nil, "", needs, needs},
		"no version, exists":       {"x", nil, nil, needs, needs},
		"version is gone":          {"x", nil, 1, notSent, notSent},
		"both are gone":            {nil, nil, 1, none, none},
		"empty, without a version": {"", nil, 1, none, none},
		"version alone":            {nil, 1, "", "Error" + alone, "Error" + alone},
		"version alone, exists":    {nil, 1, nil, "Warning" + alone, "Error" + alone},
		"new version alone":        {nil, 2, 1, "Warning" + alone, "Error" + alone},
		"same version, without it": {nil, 1, 1, none, none},
		"empty":                    {"", 1, "", "Error" + alone, "Error" + alone},
		"new version":              {"x", 2, 1, none, none},
	} {
		config, prior := shelfOf(object{"key_wo": test.secret, "key_wo_version": test.version}), kind.Values(nil)
		if test.prior != "" {
			prior = shelfOf(object{"id": "7", "key_wo_version": test.prior})
		}
		p := New(shelf, config, prior, nil, kindtest.Now)
		if plan, apply := kindtest.Said(p.Diagnostics), kindtest.Said(CheckSecrets(shelf, config, prior)); plan != test.plan || apply != test.apply {
			t.Errorf("%s:\n got %q and %q\nwant %q and %q", name, plan, apply, test.plan, test.apply)
		}
		if kept := test.secret != nil && test.version == nil && test.prior == 1; kept != (config["key_wo_version"].IsNull() && !p.Planned["key_wo_version"].IsNull()) {
			t.Errorf("%s: planned %s", name, kindtest.Show(p.Planned))
		}
	}
	for name, test := range map[string]struct {
		secrets object
		words   string
	}{
		"none": {object{}, "properties_wo is empty"}, "empty": {object{"a": "x", "b": ""}, "properties_wo.b is empty"}, "null": {object{"a": nil, "b": ""}, "properties_wo.a is null"},
		"complete": {object{"a": "x", "b": 1}, ""},
	} {
		found := CheckSecrets(shelf, shelfOf(object{"properties_wo": test.secrets, "properties_wo_version": 1}), nil)
		if (len(found) == 0) != (test.words == "") || !strings.Contains(fmt.Sprint(found), test.words) {
			t.Errorf("%s: %v", name, found)
		}
	}
	for want, secrets := range map[string]object{"Error" + alone: {"key_wo_version": 1}, needs: {"key_wo": "x"}} {
		secrets["type"] = "rack"
		p := New(shelf, shelfOf(secrets), shelfOf(object{"id": "7", "key_wo_version": 1}), nil, kindtest.Now)
		if got := kindtest.Said(p.Diagnostics); got != want || !p.Planned["key_wo_version"].Equal(p.Config["key_wo_version"]) {
			t.Errorf("a replacement needs the secret and its version again: %q", got)
		}
	}
}
