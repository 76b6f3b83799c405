// This file writes values as HCL expressions.

package export

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
)

// source is an expression in HCL, such as a reference.
type source string

// textFile is a string that is in a file: the path of the file, from the directory of the configuration.
type textFile string

// member is a member of an object. It is used if the order of the members matters, or if a key is an
// expression.
type member struct {
	key   source
	value any
}

// shortLine is how many characters a list or an object on one line may have, without the text before it.
const shortLine = 90

// step is the indentation of each level, in spaces.
const step = 2

// expression returns a value as HCL. indentation is that of the line on which it begins. The
// value is nil, a bool, a json.Number, a string, a source, a textFile, a []any, a map[string]any or a
// []member.
func expression(x any, indentation int) string {
	switch x := x.(type) {
	case nil:
		return "null"
	case source:
		return string(x)
	case textFile:
		return `file("${path.module}/` + string(x) + `")`
	case string:
		return text(x, indentation)
	case json.Number:
		return x.String()
	case []any:
		return listExpression(x, indentation)
	case map[string]any:
		var members []member
		for _, name := range slices.Sorted(maps.Keys(x)) {
			members = append(members, member{objectKey(name), x[name]})
		}
		return objectExpression(members, indentation)
	case []member:
		return objectExpression(x, indentation)
	}
	return fmt.Sprint(x)
}

// listExpression writes a list: on one line, or a line for each member.
func listExpression(members []any, indentation int) string {
	if len(members) == 0 {
		return "[]"
	}
	var inline []string
	for _, x := range members {
		if s, is := x.(string); is { // in a list, heredocs are hard to read
			x = source(exportmerge.Quote(s))
		}
		inline = append(inline, expression(x, indentation+step))
	}
	if line := "[" + strings.Join(inline, ", ") + "]"; short(line) {
		return line
	}
	space := strings.Repeat(" ", indentation+step)
	return "[\n" + space + strings.Join(inline, ",\n"+space) + ",\n" + strings.Repeat(" ", indentation) + "]"
}

// objectExpression writes an object: on one line, or a line for each member.
func objectExpression(members []member, indentation int) string {
	if len(members) == 0 {
		return "{}"
	}
	var lines []string
	for _, m := range members {
		lines = append(lines, string(m.key)+" = "+expression(m.value, indentation+step))
	}
	if line := "{ " + strings.Join(lines, ", ") + " }"; short(line) {
		return line
	}
	space := strings.Repeat(" ", indentation+step)
	return "{\n" + space + strings.Join(lines, "\n"+space) + "\n" + strings.Repeat(" ", indentation) + "}"
}

func short(line string) bool {
	return utf8.RuneCountInString(line) <= shortLine && !strings.Contains(line, "\n")
}

// plainKey matches the keys of objects that need no quotes.
var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// objectKey writes the key of an object. Keywords need quotes.
func objectKey(name string) source {
	if !plainKey.MatchString(name) || slices.Contains([]string{"for", "null", "true", "false"}, name) {
		return source(exportmerge.Quote(name))
	}
	return source(name)
}
