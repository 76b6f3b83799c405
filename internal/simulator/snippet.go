// What the code of a python_snippet_service comes to. It is read, not run: only
// plain assignments to results and a raise count, in the order they stand in. Beside
// literals, a device's name and whether it is a certain one may be assigned.

package simulator

import (
	"regexp"
	"strings"
)

var (
	raising   = regexp.MustCompile(`(?m)^raise\s+(\w+)(?:\((?:'([^']*)'|"([^"]*)")?.*)?$`)
	assigning = regexp.MustCompile(`(?m)^\s*results\s*\[\s*["'](\w+)["']\s*\]\s*=\s*(.*?)\s*$`)
)

// runSnippet is the verdict of a piece of code, on a device or on none.
func runSnippet(code string, device *object) verdict {
	at := raising.FindStringSubmatchIndex(code)
	results := newDict()
	upTo := len(code)
	if at != nil {
		upTo = at[0]
	}
	for _, assignment := range assigning.FindAllStringSubmatch(code[:upTo], -1) {
		results.set(assignment[1], evaluate(assignment[2], device))
	}
	if at != nil {
		parts := raising.FindStringSubmatch(code)
		text := parts[2] + parts[3]
		return failedWith(record{{"step", "execute"}, {"error", text}, {"result", results},
			{"traceback", traceback(raise(parts[1], "%s", text))}})
	}
	if len(results.keys) == 0 {
		return failedWith(pairs("error", "Result not set by user code on service instance"))
	}
	v := verdict{success: true}
	if success, set := results.get("success"); set {
		v.success = truthy(success)
	}
	v.result, v.hasResult = results.get("result")
	for _, key := range results.keys {
		if key != "success" && key != "result" {
			v.more = append(v.more, member{key, results.values[key]})
		}
	}
	return v
}

// comparing matches a question for the name of a device.
var comparing = regexp.MustCompile(`^device\.name\s*(==|!=)\s*["'](.*)["']$`)

// evaluate is the value of an expression on a device.
func evaluate(expression string, device *object) any {
	if device == nil {
		return literal(expression)
	}
	if expression == "device.name" {
		return device.name()
	}
	if parts := comparing.FindStringSubmatch(expression); parts != nil {
		return (device.name() == parts[2]) == (parts[1] == "==")
	}
	return literal(expression)
}

// floats are the floats that have no literal. Of infinite ones eNMS makes texts (4.4).
var floats = regexp.MustCompile(`float\(["'](nan|-?inf)["']\)`)

// literal is the value of a Python expression that JSON has, too, or Python's json; for any
// other it is an empty object.
func literal(expression string) any {
	expression = floats.ReplaceAllString(expression, `"$1"`)
	expression = strings.ReplaceAll(expression, `"nan"`, "NaN")
	switch expression {
	case "True":
		return true
	case "False":
		return false
	case "None":
		return nil
	}
	for _, text := range []string{expression, strings.ReplaceAll(expression, "'", `"`)} {
		if v, err := decodeJSON([]byte(text)); err == nil {
			return v
		}
	}
	return newDict()
}
