// This file makes and reads values of configurations and states for tests.

package acctest

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Number is a number as math/big writes a fraction.
type Number string

// Whole tells a whole number of 64 bits.
func (n Number) Whole() bool {
	_, err := strconv.ParseInt(string(n), 10, 64)
	return err == nil
}

// Exact makes numbers comparable; it is not ok when one is too large or too
// small for any database.
func Exact(x any) (any, bool) {
	switch x := x.(type) {
	case json.Number:
		if strings.Contains(x.String(), "e") && len(x) > 3 || len(x) > 100 {
			return nil, false
		}
		n, ok := new(big.Rat).SetString(x.String())
		return Number(n.RatString()), ok
	case []any:
		out := make([]any, len(x))
		for i, member := range x {
			var ok bool
			if out[i], ok = Exact(member); !ok {
				return nil, false
			}
		}
		return out, true
	case map[string]any:
		out := map[string]any{}
		for name, member := range x {
			var ok bool
			if out[name], ok = Exact(member); !ok {
				return nil, false
			}
		}
		return out, true
	}
	return x, true
}

// GoValue returns a value of the state as exact has it.
func GoValue(t testing.TB, v tftypes.Value) any {
	t.Helper()
	switch {
	case v.IsNull():
		return nil
	case !v.IsKnown():
		return "unknown"
	case v.Type().Is(tftypes.String):
		var s string
		_ = v.As(&s)
		return s
	case v.Type().Is(tftypes.Bool):
		var b bool
		_ = v.As(&b)
		return b
	case v.Type().Is(tftypes.Number):
		f := new(big.Float)
		_ = v.As(&f)
		n, _ := f.Rat(nil)
		return Number(n.RatString())
	}
	var object map[string]tftypes.Value
	if v.As(&object) == nil {
		out := map[string]any{}
		for name, member := range object {
			out[name] = GoValue(t, member)
		}
		return out
	}
	var list []tftypes.Value
	if err := v.As(&list); err != nil {
		t.Fatal(err)
	}
	out := []any{}
	for _, member := range list {
		out = append(out, GoValue(t, member))
	}
	return out
}

// Sorted returns a value of which the order does not count.
func Sorted(x any) any {
	if list, is := x.([]any); is {
		slices.SortFunc(list, func(x, y any) int { return strings.Compare(fmt.Sprint(x), fmt.Sprint(y)) })
	}
	return x
}
