// This file checks a value by the row of its attribute: its type, its length, its choices, and
// whether it is a name. It knows neither plan nor state. plan.go decides which values are
// checked, and what is an error.

package kind

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// validate runs the validators of a value, as far as it is known. They take a context, but do not
// use it.
func (a Attribute) validate(v tftypes.Value) (found diag.Diagnostics) {
	at := path.Root(a.Name)
	switch {
	case !v.IsKnown():
	case a.Type == Text || a.Type == One:
		return validateText(at, value.Text(v), a.textChecks())
	case a.Type == Number:
		return a.validateNumber(at, v)
	case a.Type == Many && a.isRelation():
		var names []tftypes.Value
		_ = v.As(&names)
		for i, name := range names {
			if name.IsKnown() {
				found.Append(validateText(at.AtListIndex(i), value.Text(name), nameChecks)...)
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

func (a Attribute) validateNumber(at path.Path, v tftypes.Value) diag.Diagnostics {
	f := new(big.Float)
	_ = v.As(&f)
	resp := &validator.NumberResponse{}
	a.numberCheck().ValidateNumber(context.Background(), validator.NumberRequest{Path: at, ConfigValue: types.NumberValue(f)}, resp)
	return resp.Diagnostics
}

// unfit returns errors for values that some databases cannot store, and that cannot be read back.
func (a Attribute) unfit(x any) (found diag.Diagnostics) {
	at := path.Root(a.Name)
	if within, is := value.FindNUL(x); is {
		found.AddAttributeError(at, fmt.Sprintf("%s contains a NUL", a.Name), fmt.Sprintf("%s%s contains a NUL (U+0000). %s", a.Name, within, noNUL))
	}
	if within, is := value.FindOutOfBounds(x); is {
		found.AddAttributeError(at, fmt.Sprintf("A number in %s is out of bounds", a.Name),
			fmt.Sprintf("%s%s has more digits than Terraform can read back from eNMS, which stores numbers as doubles or digit by digit. Write a smaller number, or a string.", a.Name, within))
	}
	s, isText := x.(string)
	if !isText || a.Type != Text || a.Role == Key { // names have their own check
		return found
	}
	if wrong := a.tooLong(s); wrong != "" {
		found.AddAttributeError(at, fmt.Sprintf("%s is too long", a.Name), wrong)
	}
	return found
}

// tooLong returns why a string does not fit into its column, or "" if it does.
func (a Attribute) tooLong(s string) string {
	length, most := utf8.RuneCountInString(s), cmp.Or(a.MaxLength, CommonLength)
	if most == Unbounded || length <= most {
		return ""
	}
	return fmt.Sprintf("It has %d characters; the maximum is %d on PostgreSQL and MariaDB. Shorten it by %d.", length, most, length-most)
}

func (a Attribute) textChecks() []validator.String {
	checks := a.Checks
	if a.instead != nil {
		checks = []validator.String{a.instead.inPlaceOf(a.Name)}
	}
	if a.Type == One {
		checks = nameChecks
	}
	if len(a.OneOf) > 0 && a.closed() {
		checks = append([]validator.String{stringvalidator.OneOf(a.OneOf...)}, checks...)
	}
	return checks
}

func (a Attribute) numberCheck() WholeNumber {
	bounds := cmp.Or(a.Range, anyNumber)
	return WholeNumber{int64validator.Between(bounds.Min, bounds.Max)}
}

// listChecks are the validators of relations to many: eNMS answers 500 to duplicates
// (enms-rest.md 1.1).
var listChecks = []validator.List{listvalidator.UniqueValues(), listvalidator.NoNullValues()}

// noNUL is the reason why a NUL is refused.
const noNUL = "PostgreSQL cannot store that character, and eNMS would refuse the whole instance without a reason. Remove it."

// inPlaceOf returns the validator of an attribute that would store a secret: no value is valid.
func (a Attribute) inPlaceOf(name string) validator.String {
	return textCheck(func(req validator.StringRequest, resp *validator.StringResponse) {
		if !req.ConfigValue.IsNull() {
			resp.Diagnostics.AddAttributeError(req.Path, fmt.Sprintf("%s is a secret", name),
				fmt.Sprintf("It would be stored in the state. Write %s = ... and %s = 1 in its place, which needs Terraform or OpenTofu 1.11.", a.Name, a.versionName()))
		}
	})
}

// TextCheck returns a validator of strings. problem returns the detail of the error, or "" for a
// valid string; attribute is the path of the attribute.
func TextCheck(summary string, problem func(s, attribute string) (detail string)) validator.String {
	return textCheck(func(req validator.StringRequest, resp *validator.StringResponse) {
		if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
			return
		}
		if detail := problem(req.ConfigValue.ValueString(), req.Path.String()); detail != "" {
			resp.Diagnostics.AddAttributeError(req.Path, summary, detail)
		}
	})
}

// textCheck is a validator without a description: its error says what is wrong.
type textCheck func(validator.StringRequest, *validator.StringResponse)

func (textCheck) Description(context.Context) string         { return "" }
func (textCheck) MarkdownDescription(context.Context) string { return "" }

func (check textCheck) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	check(req, resp)
}

// nameChecks are the validators of names (enms-rest.md 0.3).
var nameChecks = []validator.String{TextCheck("Invalid name", func(name, _ string) string { return WrongName(name) })}

// WrongName returns what is wrong with a name, or "" if it is valid.
func WrongName(name string) string {
	switch length := utf8.RuneCountInString(name); {
	case name == "":
		return "The name is empty."
	case length > CommonLength:
		return fmt.Sprintf("The name has %d characters; the maximum is %d.", length, CommonLength)
	}
	return wrongCharacters(name)
}

// wrongCharacters returns which character of a name is not allowed, or "" if all are.
func wrongCharacters(name string) string {
	switch {
	case strings.ContainsAny(name, `/\'"`):
		return fmt.Sprintf("%q contains a slash, a backslash or a quote, which eNMS does not allow in names.", name)
	case strings.Contains(name, "\n"):
		return fmt.Sprintf("%q contains a line break. eNMS would store it, but could neither show nor delete the instance.", name)
	case value.HasNUL(name):
		return fmt.Sprintf("%q contains a NUL (U+0000). %s", name, noNUL)
	}
	return ""
}

// objectCheck is the validator of attributes that hold an object: eNMS refuses other types,
// including strings with JSON (enms-rest.md 1.1).
type objectCheck struct{}

func (objectCheck) Description(context.Context) string { return "must be an object" }

func (c objectCheck) MarkdownDescription(ctx context.Context) string { return c.Description(ctx) }

func (objectCheck) ValidateDynamic(_ context.Context, req validator.DynamicRequest, resp *validator.DynamicResponse) {
	if req.ConfigValue.IsUnderlyingValueNull() || req.ConfigValue.IsUnderlyingValueUnknown() {
		return
	}
	switch req.ConfigValue.UnderlyingValue().(type) {
	case nil, basetypes.ObjectValue, basetypes.MapValue: // nil is null or unknown
	case basetypes.StringValue:
		resp.Diagnostics.AddAttributeError(req.Path, "Not an object",
			"Expected an object, got a string. Write { key = value }, or use jsondecode(...) for a JSON string.")
	default:
		resp.Diagnostics.AddAttributeError(req.Path, "Not an object", "Expected an object: { key = value }.")
	}
}

// WholeNumber is the validator of whole numbers, and of their bounds. An Int64Attribute cannot be
// used instead: the framework reports a fraction as an error in the provider.
type WholeNumber struct{ Bounds validator.Int64 }

// Description says what a value must be.
func (WholeNumber) Description(context.Context) string { return "must be a whole number" }

// MarkdownDescription is Description.
func (w WholeNumber) MarkdownDescription(ctx context.Context) string { return w.Description(ctx) }

// ValidateNumber adds an error unless the value is a whole number within the bounds.
func (w WholeNumber) ValidateNumber(ctx context.Context, req validator.NumberRequest, resp *validator.NumberResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	f := req.ConfigValue.ValueBigFloat()
	if !f.IsInt() {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a whole number",
			fmt.Sprintf("%s is %s. Write a whole number.", req.Path, f.Text('g', 10)))
		return
	}
	n, _ := f.Int64() // a number beyond 64 bits becomes the nearest one, which is out of bounds
	within := &validator.Int64Response{}
	w.Bounds.ValidateInt64(ctx, validator.Int64Request{Path: req.Path, ConfigValue: types.Int64Value(n)}, within)
	resp.Diagnostics.Append(within.Diagnostics...)
}

// closed reports whether every value that is not in OneOf is an error.
func (a Attribute) closed() bool {
	return a.Closed || a.Role == Subtype || a.Role == Setting
}

// choices returns the values of OneOf for the documentation, or "" if there are none.
func (a Attribute) choices() string {
	list := "`" + strings.Join(a.OneOf, "`, `") + "`."
	switch {
	case len(a.OneOf) == 0:
		return ""
	case !a.closed():
		return "Known values: " + list
	case a.Type == List:
		return "Some of " + list
	}
	return "One of " + list
}

// unknownChoices returns the strings of a value, or of a list, that are not among the choices.
// The default is allowed, too, because eNMS's default is often not a choice of its form.
func (a Attribute) unknownChoices(x any) (unknown []string) {
	if len(a.OneOf) == 0 {
		return nil
	}
	for _, member := range membersOf(x) {
		if s, text := member.(string); text && s != a.Default && !slices.Contains(a.OneOf, s) {
			unknown = append(unknown, s)
		}
	}
	return unknown
}

// membersOf returns the members of a list, or a single value as the only member.
func membersOf(x any) []any {
	if members, is := x.([]any); is {
		return members
	}
	return []any{x}
}

// notAmong returns why a value, or a member of a list, is not one of the choices, or "" if it is
// one or may be one.
func (a Attribute) notAmong(x any) string {
	if len(a.OneOf) == 0 {
		return ""
	}
	for _, member := range membersOf(x) {
		if _, text := member.(string); !text {
			return fmt.Sprintf("It holds %s, where eNMS knows only %s.", value.Describe(member), strings.Join(a.OneOf, ", "))
		}
	}
	if unknown := a.unknownChoices(x); len(unknown) > 0 && a.closed() {
		return fmt.Sprintf("It is %q, where eNMS knows only %s.%s", unknown[0], strings.Join(a.OneOf, ", "), didYouMean(unknown[0], a.OneOf))
	}
	return ""
}

// warnOfChoices warns about values that eNMS accepts, but does not know: its forms offer the
// choices, but its REST interface accepts any string, which a site's own code may use. Of values
// beside those of Suggest, it warns only if they are similar to one.
func (a Attribute) warnOfChoices(at path.Path, x any) (found diag.Diagnostics) {
	for _, member := range membersOf(x) {
		s, _ := member.(string)
		if near := Nearest(s, a.Suggest); near != "" && near != s && s != a.Default && !slices.Contains(a.Suggest, s) {
			found.AddAttributeWarning(at, fmt.Sprintf("Unknown value for %s", a.Name),
				fmt.Sprintf("eNMS stores any string, but %q is not among the usual values of %s. Did you mean %q? If your eNMS has %q, ignore this warning.", s, a.Name, near, s))
		}
	}
	if a.closed() {
		return nil
	}
	for _, s := range a.unknownChoices(x) {
		found.AddAttributeWarning(at, fmt.Sprintf("Unknown value for %s", a.Name),
			fmt.Sprintf("%q is not among the values that eNMS knows: %s. eNMS stores any string, but its own code uses only these.%s If code of your own uses %q, ignore this warning.",
				s, strings.Join(a.OneOf, ", "), didYouMean(s, a.OneOf), s))
	}
	return found
}

// didYouMean returns a sentence, after a space, that suggests the known name nearest to an
// unknown one, or "" if none is near.
func didYouMean(name string, known []string) string {
	if near := Nearest(name, known); near != "" {
		return fmt.Sprintf(" Did you mean %q?", near)
	}
	return ""
}

// misfit returns why a value does not have the JSON type of the field, or "" if it has. Values
// that eNMS itself converts are allowed: 5 for "5", "5" for 5, 1 and "true" for true (enms-
// rest.md 1.1).
func (a Attribute) misfit(x any, secret bool) string {
	fits, hint := true, ""
	switch a.Type {
	case Text:
		_, number := x.(json.Number)
		_, text := x.(string)
		fits = text || number && !secret
		if _, flag := x.(bool); flag {
			hint = ` eNMS would make "1" or "0" of it.`
		}
	case Number:
		fits = isNumber(x, true)
	case Decimal:
		fits = isNumber(x, false)
	case Flag:
		fits = isFlag(x)
		hint = " eNMS would treat everything except false and 0 as true."
	case One:
		name, text := x.(string)
		fits = text && WrongName(name) == ""
	case Many:
		fits = areNames(x)
		hint = " Names must be unique."
	case List:
		_, fits = x.([]any)
	case JSON:
		_, fits = x.(map[string]any)
		hint = " Write { key = value }, or use jsondecode(...) for a JSON string."
	}
	if fits {
		return ""
	}
	is := a.describe(x)
	if secret {
		is = value.Describe(x)
	}
	return fmt.Sprintf("Expected %[2]s, got %[1]s.%[3]s", is, a.Type.InWords(), hint)
}

// describe describes a value that does not have the attribute's type, and is no secret. A
// number that is not whole is shown, because its type alone would not say what is wrong.
func (a Attribute) describe(x any) string {
	switch x := x.(type) {
	case json.Number:
		if a.Type == Number {
			return fmt.Sprintf("the number %.40s", x)
		}
	case string:
		return "the string " + shownValue(x)
	case bool:
		return fmt.Sprint(x)
	}
	return value.Describe(x)
}

// outOfRange returns why a number is beyond its bounds, or "" if it is within them. NaN and
// infinite numbers, which eNMS may hold, have no bounds.
func (a Attribute) outOfRange(x any) string {
	number, err := strconv.ParseFloat(fmt.Sprint(x), 64)
	switch {
	case a.Range == nil || err != nil || math.IsNaN(number) || math.IsInf(number, 0) || number >= float64(a.Range.Min) && number <= float64(a.Range.Max):
		return ""
	case number < float64(a.Range.Min):
		return fmt.Sprintf("It is %v; the minimum is %d.", x, a.Range.Min)
	}
	return fmt.Sprintf("It is %v; the maximum is %d.", x, a.Range.Max)
}

// isNumber reports whether a value is a number that fits, or a string with one.
func isNumber(x any, whole bool) bool {
	digits, text := x.(string)
	if number, is := x.(json.Number); is {
		digits, text = number.String(), true
	}
	if !text {
		return false
	}
	if whole {
		_, err := strconv.ParseInt(digits, 10, 32)
		return err == nil
	}
	_, err := strconv.ParseFloat(digits, 64)
	return err == nil
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

// areNames reports whether a value is a list of names without duplicates, to which eNMS would
// answer 500.
func areNames(x any) bool {
	list, is := x.([]any)
	seen := map[string]bool{}
	for _, member := range list {
		name, text := member.(string)
		if !text || seen[name] {
			return false
		}
		seen[name] = true
	}
	return is
}

// longestShown is how many characters of a string a message shows.
const longestShown = 100

// shownValue returns a value for a message: strings are in quotes, and shortened if they are
// long.
func shownValue(x any) string {
	switch x := x.(type) {
	case string:
		if runes := []rune(x); len(runes) > longestShown {
			return fmt.Sprintf("%q…", string(runes[:longestShown]))
		}
		return strconv.Quote(x)
	case json.Number:
		return x.String()
	case bool:
		return strconv.FormatBool(x)
	}
	return value.Describe(x)
}

// Nearest returns the known name that differs in the fewest characters, or "" if none is near.
// Case is ignored. Of several, it returns the first in alphabetical order.
func Nearest(name string, known []string) string {
	best, fewest := "", max(1, len(name)/3)+1
	for _, candidate := range slices.Sorted(slices.Values(known)) {
		if strings.EqualFold(name, candidate) && name != "" {
			return candidate
		}
		if d := distance(name, candidate); d < fewest {
			best, fewest = candidate, d
		}
	}
	return best
}

// distance returns how many characters have to be inserted, removed, replaced, or exchanged with
// the next one, to convert one string to the other.
func distance(x, y string) int {
	from, to := []rune(x), []rune(y)
	rows := make([][]int, len(from)+1)
	for i := range rows {
		rows[i] = make([]int, len(to)+1)
		rows[i][0] = i
	}
	for j := range to {
		rows[0][j+1] = j + 1
	}
	for i, r := range from {
		for j, s := range to {
			replaced := rows[i][j]
			if r != s {
				replaced++
			}
			rows[i+1][j+1] = min(replaced, rows[i][j+1]+1, rows[i+1][j]+1)
			if i > 0 && j > 0 && r == to[j-1] && from[i-1] == s {
				rows[i+1][j+1] = min(rows[i+1][j+1], rows[i-1][j-1]+1)
			}
		}
	}
	return rows[len(from)][len(to)]
}

// Sentence makes a sentence of the message of an error, for a diagnostic.
func Sentence(s string) string {
	if s == "" {
		return s
	}
	s = strings.TrimRight(s, ". ") + "."
	if strings.HasPrefix(s, "eNMS") {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
