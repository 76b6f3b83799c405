// What must hold for any answer and any name whatever. The seeds are in
// testdata/fuzz.

package instance_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/instance"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// types are the Terraform types of a kind's resource and data source.
func types(t testing.TB, kind *instance.Kind) (ofResource, ofData tftypes.Type) {
	t.Helper()
	var r resource.SchemaResponse
	instance.NewResource(kind)().Schema(t.Context(), resource.SchemaRequest{}, &r)
	var d datasource.SchemaResponse
	instance.NewDataSource(kind)().Schema(t.Context(), datasource.SchemaRequest{}, &d)
	return r.Schema.Type().TerraformType(t.Context()), d.Schema.Type().TerraformType(t.Context())
}

// FuzzState makes the state of any object, for each kind: it is an error that
// names a field, or a state that Terraform can keep, that comes back the same
// from the same answer, and that leaves nothing to update.
func FuzzState(f *testing.F) {
	all := kinds.All()
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		var answer enms.Object
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		if decoder.Decode(&answer) != nil || answer == nil {
			return
		}
		kind := all[int(which)%len(all)]
		ofResource, ofData := types(t, kind)
		before := instance.Values{}
		for _, a := range kind.Rows() {
			if !a.DataOnly && a.Role != instance.Setting && a.Meaning != instance.Fields {
				before[a.Name] = a.Unknown()
			}
		}
		state, err := kind.StateOf(answer, before)
		if checkError(t, err) {
			keeps(t, ofResource, state)
			again, err := kind.StateOf(answer, state)
			if err != nil || !reflect.DeepEqual(again, state) {
				t.Errorf("the same answer gives another state: %v\n%v\n%v", err, state, again)
			}
			if payload := kind.UpdatePayload(again, state); payload != nil {
				t.Errorf("there is something to update: %v", payload)
			}
		}
		data, err := kind.DataOf(answer)
		if checkError(t, err) {
			keeps(t, ofData, data)
		}
	})
}

// checkError looks at an error; true when there is none.
func checkError(t *testing.T, err error) bool {
	t.Helper()
	if err == nil {
		return true
	}
	var field *enms.FieldError
	if !errors.As(err, &field) || field.Field == "" || field.Type == "" || field.Reason == "" || strings.Contains(field.Reason, "\n") || len(field.Reason) > 200 {
		t.Errorf("%#v", err)
	}
	return false
}

// keeps sends values as the plugin protocol does.
func keeps(t *testing.T, typ tftypes.Type, values instance.Values) {
	t.Helper()
	v := tftypes.NewValue(typ, map[string]tftypes.Value(values))
	if !v.IsFullyKnown() {
		t.Fatalf("unknown: %s", v)
	}
	sent, err := tfprotov6.NewDynamicValue(typ, v)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := sent.Unmarshal(typ); err != nil || !back.Equal(v) {
		t.Fatalf("%v: %s came back as %s", err, v, back)
	}
}

var identifier = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// FuzzLabel makes labels and HCL texts of any name.
func FuzzLabel(f *testing.F) {
	f.Fuzz(func(t *testing.T, name string) {
		if label := instance.Label(name); !identifier.MatchString(label) {
			t.Errorf("%q gives the label %q", name, label)
		}
		text := instance.Quoted(name)
		plain := strings.NewReplacer("$${", "${", "%%{", "%{").Replace(text)
		if back, err := strconv.Unquote(plain); err != nil || strings.ToValidUTF8(back, "") != strings.ToValidUTF8(name, "") {
			t.Errorf("%q is written %s", name, text)
		}
	})
}
