// This file decides by which conditions eNMS can filter, and checks the others in its answer.

package lists

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// condition is one condition of the filter.
type condition struct {
	property, text string
	row            kind.Attribute
	known          bool // the table has the property as row, and eNMS can search by it
}

// neverMatches is a regular expression that matches no string in any database.
const neverMatches = "a^"

// impossibleName is a name that no instance has (enms-rest.md 0.3).
const impossibleName = "/"

// isWhole reports whether eNMS holds a whole number for the attribute.
func isWhole(a kind.Attribute) bool { return a.Type == kind.Number || a.Role == kind.Identity }

// criterion returns a condition as a criterion of a search, or nil if eNMS would ignore or
// misunderstand it (enms-rest.md 5.2, 10.6).
func (c condition) criterion(match string) map[string]any {
	mayBeBoolean := !c.known && (c.text == "true" || c.text == "false")
	switch {
	case c.text == "": // eNMS ignores it
		return nil
	case strings.HasPrefix(c.text, "bool-"): // eNMS takes it for a Boolean
		return nil
	case c.row.DataOnly: // eNMS computes it, and cannot search by it
		return nil
	case mayBeBoolean: // a Boolean would need "bool-true", and a string "true"
		return nil
	case c.row.Type == kind.Flag:
		return map[string]any{c.property: "bool-" + c.text}
	case !c.known && match == kind.MatchEquality && checks.IsNumber(c.text): // if it is a number, eNMS finds it only in its own notation
		return nil
	case isWhole(c.row) && match == kind.MatchInclusion: // PostgreSQL supports this only for strings
		return map[string]any{c.property: regexp.QuoteMeta(c.text), c.property + kind.FilterSuffix: kind.MatchRegex}
	}
	return map[string]any{c.property: c.text, c.property + kind.FilterSuffix: match}
}

// holds reports whether a row of an answer meets the condition.
func (c condition) holds(row value.Object, match string) bool {
	x, has := row[c.property]
	_, isBoolean := x.(bool)
	switch {
	case !has:
		return false
	case match == kind.MatchEquality || isBoolean: // a Boolean, whatever the match
		return sameText(x, c.text)
	case c.criterion(match) != nil:
		return true // eNMS has filtered by it
	}
	text, _ := x.(string) // any other match is treated as an inclusion
	return strings.Contains(strings.ToLower(text), strings.ToLower(c.text))
}

// sameText reports whether Terraform would write a value of an answer as this string. Null is the empty string.
func sameText(x any, text string) bool {
	switch x := x.(type) {
	case nil:
		return text == ""
	case string:
		return x == text
	case bool:
		return strconv.FormatBool(x) == text
	case json.Number:
		return value.Equal(x, json.Number(text))
	}
	return false
}
