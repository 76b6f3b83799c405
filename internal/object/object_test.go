// Tests of what the client and the tables of instance types share.

package object

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestDependents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d          Dependents
		field, key string
	}{{Dependents{Column: "source_id"}, "source_id", "7"}, {Dependents{Property: "workflows"}, "workflows", "W"}} {
		if field, key := c.d.Field(), c.d.Key("W", "7"); field != c.field || key != c.key {
			t.Errorf("%+v refer by %s to %s, want %s to %s", c.d, field, key, c.field, c.key)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		relation any
		names    []string
		isList   bool
	}{
		{[]string{"b", "a"}, []string{"b", "a"}, true}, {[]any{"b", 1, "a"}, []string{"b", "a"}, true}, {[]any{}, nil, true}, {nil, nil, false}, {"a", nil, false},
	} {
		if names, isList := Names(c.relation); !reflect.DeepEqual(names, c.names) || isList != c.isList {
			t.Errorf("%#v: %q, %v", c.relation, names, isList)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	for text, members := range map[string]map[string]any{"": {}, `{"a":1}`: {"a": json.Number("1")}} {
		if got := Text(members); got != text {
			t.Errorf("the text of %v is %s", members, got)
		}
		if got := InText(text); !reflect.DeepEqual(got, members) {
			t.Errorf("%s stands for %#v", text, got)
		}
	}
	if got := Text(map[string]any{"a": math.NaN()}); got != "" {
		t.Errorf("the text of what JSON cannot express is %q", got)
	}
	for _, text := range []string{"null", "[]", `{"a":`, `{"a":1} {}`, " {}"} {
		if got := InText(text); got != nil {
			t.Errorf("%s stands for %v", text, got)
		}
	}
}

func TestFieldError(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"": "device is", "a": `device "a" is`} {
		if err := error(&FieldError{Type: "device", Name: name, Field: "model", Reason: "is null"}); !strings.HasPrefix(err.Error(), `field "model" of `+want) {
			t.Error(err)
		}
	}
}
