// This file checks and converts values of answers: a value of the wrong type is an
// error, not a wrong state.

package value

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// WholeNumber reads a number of eNMS: SQLite keeps 22.0 and 22.5 in an integer
// column (enms-rest.md 1.1), of which the first is still a whole number.
func WholeNumber(n json.Number) (tftypes.Value, error) {
	f, _, err := big.ParseFloat(n.String(), 10, 512, big.ToNearestEven)
	if err != nil || !f.IsInt() {
		return tftypes.Value{}, fmt.Errorf("is %s where a whole number belongs", shown(n))
	}
	i, accuracy := f.Int64()
	if accuracy != big.Exact {
		return tftypes.Value{}, fmt.Errorf("is %s, which is beyond 64 bits", shown(n))
	}
	return tftypes.NewValue(tftypes.Number, i), nil
}

// NameList reads a list of names, which a relation to many is in an answer.
func NameList(list []any) (tftypes.Value, error) {
	elements := make([]tftypes.Value, len(list))
	for i, x := range list {
		s, ok := x.(string)
		if !ok {
			return tftypes.Value{}, fmt.Errorf("holds %s where a name belongs", Describe(x))
		}
		elements[i] = tftypes.NewValue(tftypes.String, s)
	}
	return tftypes.NewValue(StringList, elements), nil
}

// shown is a number for an error.
func shown(n json.Number) string {
	if len(n) > 40 {
		return n.String()[:40] + "…"
	}
	return n.String()
}

// Describe says what a JSON value is without showing its content, which may be
// long or secret.
func Describe(x any) string {
	switch x.(type) {
	case nil:
		return "null"
	case string:
		return "a text"
	case bool:
		return "true or false"
	case json.Number:
		return "a number"
	case []any:
		return "a list"
	}
	return "an object"
}
