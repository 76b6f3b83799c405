// Package checks checks a value by the row of its attribute: its type (value.go), its choices
// (choices.go), and the validators of schemas (validators.go). It knows neither plan nor state:
// package plans decides which values are checked, and what is an error.
package checks

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Value runs the validators on the known parts of a value. They take a context, but do not use it.
func Value(a kind.Attribute, v tftypes.Value) (found diag.Diagnostics) {
	at := path.Root(a.Name)
	switch {
	case !v.IsKnown():
		return nil
	case a.Type == kind.Text || a.Type == kind.One:
		return validateText(at, value.Text(v), OfText(a))
	case a.Type == kind.Number:
		return validateNumber(a, at, v)
	case a.IsRelation(): // to many
		var names []tftypes.Value
		_ = v.As(&names)
		for _, name := range names {
			if name.IsKnown() {
				found.Append(validateText(at, value.Text(name), kind.NameChecks)...)
			}
		}
	}
	return found
}

func validateText(at path.Path, s string, checks []validator.String) diag.Diagnostics {
	resp := &validator.StringResponse{}
	for _, check := range checks {
		check.ValidateString(context.Background(), validator.StringRequest{Path: at, ConfigValue: types.StringValue(s)}, resp)
	}
	return resp.Diagnostics
}

func validateNumber(a kind.Attribute, at path.Path, v tftypes.Value) diag.Diagnostics {
	f := new(big.Float)
	_ = v.As(&f)
	resp := &validator.NumberResponse{}
	OfNumber(a).ValidateNumber(context.Background(), validator.NumberRequest{Path: at, ConfigValue: types.NumberValue(f)}, resp)
	return resp.Diagnostics
}

// Unfit returns errors for values that some databases cannot store, or that Terraform could not read back.
func Unfit(a kind.Attribute, x any) (found diag.Diagnostics) {
	at := path.Root(a.Name)
	if where, is := value.FindNUL(x); is {
		found.AddAttributeError(at, fmt.Sprintf("%s contains a NUL", a.Name), fmt.Sprintf("%s%s contains a NUL (U+0000). %s", a.Name, where, kind.NoNUL))
	}
	if where, is := value.FindOutOfBounds(x); is {
		found.AddAttributeError(at, fmt.Sprintf("A number in %s is out of bounds", a.Name),
			fmt.Sprintf("%s%s has more digits than Terraform can read back from eNMS, which stores numbers as doubles or digit by digit. Write a smaller number, or a string.", a.Name, where))
	}
	if a.Type != kind.Text || a.Role == kind.Key { // names have their own check
		return found
	}
	s, _ := x.(string)
	if wrong := TooLong(a, s); wrong != "" {
		found.AddAttributeError(at, fmt.Sprintf("%s is too long", a.Name), wrong)
	}
	return found
}

// TooLong returns why a string does not fit into its column, or "" if it does.
func TooLong(a kind.Attribute, s string) string {
	length, longest := utf8.RuneCountInString(s), cmp.Or(a.MaxLength, kind.CommonLength)
	if longest == kind.Unbounded || length <= longest {
		return ""
	}
	return fmt.Sprintf("It has %d characters; the maximum is %d on PostgreSQL and MariaDB. Shorten it by %d.", length, longest, length-longest)
}

// Misfit returns why a value does not have the JSON type of the field, or "" if it has. Values
// that eNMS itself converts are allowed: 5 for "5", "5" for 5, 1 and "true" for true (enms-rest.md
// 1.1). A secret must be a string, and is not shown.
func Misfit(a kind.Attribute, x any, secret bool) string {
	fits, hint := true, ""
	switch a.Type {
	case kind.Text:
		_, isNumber := x.(json.Number)
		_, isString := x.(string)
		fits = isString || isNumber && !secret
		if _, isBool := x.(bool); isBool {
			hint = ` eNMS would make "1" or "0" of it.`
		}
	case kind.Number:
		_, err := strconv.ParseInt(digitsOf(x), 10, 32)
		fits = err == nil
	case kind.Decimal:
		fits = IsNumber(x)
	case kind.Flag:
		fits = isFlag(x)
		hint = " eNMS would treat everything except false and 0 as true."
	case kind.One:
		name, _ := x.(string)
		fits = kind.WrongName(name) == ""
	case kind.Many:
		fits = areUniqueNames(x)
		hint = " Names must be unique."
	case kind.List:
		_, fits = x.([]any)
	case kind.JSON:
		_, fits = x.(map[string]any)
		hint = " Write { key = value }, or use jsondecode(...) for a JSON string."
	}
	if fits {
		return ""
	}
	is := describe(a, x)
	if secret {
		is = value.Describe(x)
	}
	return fmt.Sprintf("Expected %s, got %s.%s", a.Type.InWords(), is, hint)
}

// describe describes a value that does not have the attribute's type and is not a secret. It shows a
// number that is not whole, because its type alone would not say what is wrong.
func describe(a kind.Attribute, x any) string {
	switch x := x.(type) {
	case json.Number:
		if a.Type == kind.Number {
			return fmt.Sprintf("the number %.40s", x)
		}
	case string:
		return "the string " + Shown(x)
	case bool:
		return fmt.Sprint(x)
	}
	return value.Describe(x)
}

// OutOfRange returns why a number is beyond its bounds, or "" if it is within them. NaN and
// infinite numbers, which eNMS may hold, have no bounds.
func OutOfRange(a kind.Attribute, x any) string {
	number, err := strconv.ParseFloat(fmt.Sprint(x), 64)
	switch {
	case a.Range == nil || err != nil || math.IsInf(number, 0):
		return ""
	case number < float64(a.Range.Min):
		return fmt.Sprintf("It is %v; the minimum is %d.", x, a.Range.Min)
	case number > float64(a.Range.Max):
		return fmt.Sprintf("It is %v; the maximum is %d.", x, a.Range.Max)
	}
	return "" // also for NaN
}

// IsNumber reports whether a value is a number, or a string with one.
func IsNumber(x any) bool {
	_, err := strconv.ParseFloat(digitsOf(x), 64)
	return err == nil
}

// digitsOf returns a number, or a string that may be one. For any other value it returns "", which is no
// number.
func digitsOf(x any) string {
	switch x := x.(type) {
	case string:
		return x
	case json.Number:
		return x.String()
	}
	return ""
}

// isFlag reports whether eNMS reads a value as the Boolean that was meant.
func isFlag(x any) bool {
	switch x := x.(type) {
	case bool:
		return true
	case json.Number:
		return x == "0" || x == "1"
	}
	return x == "true" || x == "false"
}

// areUniqueNames reports whether a value is a list of different names. eNMS answers 500 to duplicates.
func areUniqueNames(x any) bool {
	list, isList := x.([]any)
	if !isList {
		return false
	}
	seen := map[any]bool{}
	for _, member := range list {
		if _, isName := member.(string); !isName || seen[member] {
			return false
		}
		seen[member] = true
	}
	return true
}

// maxShown is how many characters of a string a message shows.
const maxShown = 100

// Shown returns a value for a message: strings are in quotes, and shortened if they are long.
func Shown(x any) string {
	switch x := x.(type) {
	case string:
		if runes := []rune(x); len(runes) > maxShown {
			return fmt.Sprintf("%q…", string(runes[:maxShown]))
		}
		return strconv.Quote(x)
	case json.Number:
		return x.String()
	case bool:
		return strconv.FormatBool(x)
	}
	return value.Describe(x)
}
