// This file reads what eNMS answers, where a wrong value must become an error
// instead of a wrong state.

package value

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

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

// maxDigits is how long a number may be so that Terraform keeps every digit: it
// has 512 bits for them.
const maxDigits = 150

// CheckNumbers tells whether Terraform can hold every number in a JSON value as it
// is. eNMS keeps doubles, and whole numbers of any length.
func CheckNumbers(x any) error {
	switch x := x.(type) {
	case json.Number:
		if d, err := x.Float64(); len(x) > maxDigits || err != nil || d == 0 && strings.ContainsAny(mantissa(x), "123456789") {
			return fmt.Errorf("holds the number %s, which is out of bounds", shown(x))
		}
	case []any:
		for _, member := range x {
			if err := CheckNumbers(member); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, member := range x {
			if err := CheckNumbers(member); err != nil {
				return err
			}
		}
	}
	return nil
}

// mantissa is a number without its exponent.
func mantissa(n json.Number) string {
	before, _, _ := strings.Cut(strings.ToLower(n.String()), "e")
	return before
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
