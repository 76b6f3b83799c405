// This file tells whether a JSON value is of the type of a field, and shows values in
// messages.

package kind

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// misfit says that a value is not of the JSON type that the field takes, "" when it is. What
// eNMS itself turns into the right type may stay: 5 for "5", "5" for 5, 1 and "true" for true
// (enms-rest.md 1.1).
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
	return fmt.Sprintf("Expected %[2]s, got %[1]s.%[3]s", is, valueTypes[a.Type].name, hint)
}

// describe says what a value is that is not of the attribute's type, which is no secret. A
// number that is no whole one is shown, because its type would not tell what is wrong.
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

// isNumber reports whether a value is a number that fits, or the text of one.
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

// isFlag reports whether eNMS reads a value as the boolean that was meant.
func isFlag(x any) bool {
	switch x := x.(type) {
	case bool:
		return true
	case json.Number:
		return x == "0" || x == "1"
	}
	return x == "true" || x == "false"
}

// areNames reports whether a value is a list of names, each there once: eNMS answers 500 to
// others.
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

// longestShown is how many characters of a text a message shows.
const longestShown = 100

// shownValue returns a value for a message: a text in quotes, cut if it is long.
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
