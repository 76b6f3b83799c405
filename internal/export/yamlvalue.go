// This file writes values as YAML.

package export

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
)

// yamlMapping writes attributes as the lines of a mapping. Those of which the value is a []attribute are mappings, too.
func yamlMapping(b *strings.Builder, fields []attribute, indentation string) {
	for _, f := range fields {
		fmt.Fprintf(b, "%s%s:", indentation, yamlText(f.name))
		if inner, _ := f.value.([]attribute); len(inner) > 0 {
			b.WriteString("\n")
			yamlMapping(b, inner, indentation+"  ")
			continue
		}
		fmt.Fprintf(b, " %s\n", yamlValue(f.value, indentation))
	}
}

// yamlValue returns a value of a key with an indentation. Strings of several lines are blocks, if that keeps them.
func yamlValue(x any, indentation string) string {
	s, is := x.(string)
	if !is || !yamlBlock.MatchString(s) {
		return yamlFlow(x)
	}
	header := "|"
	if !strings.HasSuffix(s, "\n") {
		header = "|-"
	}
	var b strings.Builder
	b.WriteString(header)
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		b.WriteString("\n")
		if line != "" {
			b.WriteString(indentation + "  " + line)
		}
	}
	return b.String()
}

// yamlBlock matches strings of several lines that a block keeps: without blanks at the beginning and at the end, and with
// characters that need no escape. Their last line may have an end.
var yamlBlock = regexp.MustCompile(`^[[:graph:]](?:[[:print:]]|\pL|\n)*\n(?:[[:print:]]|\pL|\n)*[[:graph:]]\n?$`)

// yamlFlow returns a value on one line.
func yamlFlow(x any) string {
	switch x := x.(type) {
	case nil:
		return "null"
	case string:
		return yamlText(x)
	case json.Number:
		return x.String()
	case []attribute: // an empty one
		return "{}"
	case []any:
		all := make([]string, len(x))
		for i, member := range x {
			all[i] = yamlFlow(member)
		}
		return "[" + strings.Join(all, ", ") + "]"
	case []member:
		var all []string
		for _, m := range x {
			all = append(all, yamlText(exportmerge.Unquote(string(m.key)))+": "+yamlFlow(m.value))
		}
		return "{" + strings.Join(all, ", ") + "}"
	case map[string]any:
		var all []string
		for _, key := range slices.Sorted(maps.Keys(x)) {
			all = append(all, yamlText(key)+": "+yamlFlow(x[key]))
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	return fmt.Sprint(x)
}

// yamlPlain matches strings that YAML reads as they are without quotes, but for yamlWords.
var yamlPlain = regexp.MustCompile(`^[A-Za-z](?:[A-Za-z0-9_./ -]*[A-Za-z0-9_.])?$`)

// yamlWords are strings that some version of YAML reads as another value.
var yamlWords = []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}

// yamlText returns a string, in quotes if YAML needs them.
func yamlText(s string) string {
	if yamlPlain.MatchString(s) && !slices.Contains(yamlWords, strings.ToLower(s)) {
		return s
	}
	return strconv.Quote(s) // YAML knows the escapes of Go
}
