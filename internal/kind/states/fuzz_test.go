// What must hold for any answer whatever. The seeds are in
// testdata/fuzz.

package states_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/schemas"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// typesOf returns the Terraform types of a kind's resource and data source.
func typesOf(t testing.TB, k *kind.Kind) (ofResource, ofData tftypes.Type) {
	t.Helper()
	return schemas.Resource(k).Type().TerraformType(t.Context()), schemas.DataSource(k).Type().TerraformType(t.Context())
}

// FuzzState makes the state of any object, for each kind: it is an error that
// names a field, or a state that Terraform can keep, that comes back the same
// from the same answer, and that leaves nothing to update.
func FuzzState(f *testing.F) {
	all := kinds.All()
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		var answer value.Object
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber()
		if decoder.Decode(&answer) != nil || answer == nil {
			return
		}
		k := all[int(which)%len(all)]
		ofResource, ofData := typesOf(t, k)
		before := kind.Values{}
		for _, a := range k.Rows() {
			if !a.DataOnly && a.Role != kind.Setting && a.Type != kind.Properties {
				before[a.Name] = a.Unknown()
			}
		}
		state, err := states.Of(k, answer, before)
		if checkError(t, err, answer) {
			keeps(t, ofResource, state)
			again, err := states.Of(k, answer, state)
			if err != nil || !reflect.DeepEqual(again, state) {
				t.Errorf("the same answer gives another state: %v\n%v\n%v", err, state, again)
			}
			if payload := payloads.Update(k, nil, again, state); payload != nil {
				t.Errorf("there is something to update: %v", payload)
			}
		}
		data, err := states.Data(k, answer)
		if checkError(t, err, answer) {
			keeps(t, ofData, data)
		}
	})
}

// checkError looks at the error of an answer; true when there is none. The field that it
// names may be "": that is a key of JSON, too.
func checkError(t *testing.T, err error, answer value.Object) bool {
	t.Helper()
	if err == nil {
		return true
	}
	var field *object.FieldError
	if !errors.As(err, &field) || field.Type == "" || field.Reason == "" || strings.Contains(field.Reason, "\n") || len(field.Reason) > 200 {
		t.Errorf("%#v", err)
	}
	if _, asked := answer[""]; field != nil && field.Field == "" && !asked {
		t.Errorf("names no field: %#v", err)
	}
	return false
}

// keeps sends values as the plugin protocol does.
func keeps(t *testing.T, typ tftypes.Type, values kind.Values) {
	t.Helper()
	v := tftypes.NewValue(typ, values)
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
