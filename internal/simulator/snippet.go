// The code of a python_snippet_service. The simulator does not run Python: it reads assignments to
// results and to variables, and a raise, each on a line of its own, whose expressions contain only
// literals, properties of the device and comparisons of these. A service with any other code succeeds,
// and its result says that the code was not run.

package simulator

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// notRun is the result of code that the simulator cannot read.
const notRun = "The simulator did not run this code: it reads simple assignments to results, and runs no Python."

var (
	raising   = regexp.MustCompile(`^raise\s+(\w+)(?:\((?:'([^']*)'|"([^"]*)")?.*)?$`)
	assigning = regexp.MustCompile(`^results\s*\[\s*["'](\w+)["']\s*\]\s*=\s*(.*)$`)
	naming    = regexp.MustCompile(`^\w+\s*=\s*([^=].*)$`)
	remark    = regexp.MustCompile(`(?:^|\s)#[^'"]*$`)
)

// runSnippet runs the code of a service on a device, if there is one. With the name of the service, as on 5.3, the
// error of a statement names the service and the line.
func runSnippet(code string, device *database.Object, name string) verdict {
	results, number := python.NewDict(), 0
	for line := range strings.Lines(code) {
		number++
		line = strings.TrimRight(remark.ReplaceAllString(strings.TrimRight(line, "\r\n"), ""), " \t")
		if parts := raising.FindStringSubmatch(line); parts != nil {
			text := parts[2] + parts[3]
			message := text
			if name != "" {
				message = fmt.Sprintf("Error when executing user 'Source Code'\nService Name: '%s' (Python Snippet Service)\nLine Number: %d\nLine Content: '%s'\nError: '%s'",
					name, number, strings.TrimSpace(line), text)
			}
			return failedWith(python.NewRecord("step", "execute", "error", message, "result", results,
				"traceback", python.Traceback(python.Raise(parts[1], "%s", text))))
		}
		if !executeStatement(line, device, results) {
			return verdict{success: true, result: notRun, hasResult: true}
		}
	}
	if len(results.Keys) == 0 {
		return failedWith(python.Pairs("error", "Result not set by user code on service instance"))
	}
	v := verdict{success: true}
	if success, set := results.Lookup("success"); set {
		v.success = python.Truthy(success)
	}
	v.result, v.hasResult = results.Lookup("result")
	for _, key := range results.Keys {
		if key != "success" && key != "result" {
			v.more = v.more.With(key, results.Get(key))
		}
	}
	return v
}

// executeStatement executes a line of code: it sets the member of results to which the line assigns. It
// reports whether the simulator could evaluate the line.
func executeStatement(line string, device *database.Object, results *python.Dict) bool {
	if line == "" || line == "pass" {
		return true
	}
	if assignment := assigning.FindStringSubmatch(line); assignment != nil {
		v, known := evaluate(assignment[2], device)
		results.Set(assignment[1], v)
		return known
	}
	if assignment := naming.FindStringSubmatch(line); assignment != nil {
		line = assignment[1]
	}
	_, known := evaluate(line, device)
	return known
}

var (
	property  = regexp.MustCompile(`^device\.(\w+)$`)
	comparing = regexp.MustCompile(`^device\.(\w+)\s*(==|!=)\s*["']([^"']*)["']$`)
	beginning = regexp.MustCompile(`^device\.(\w+)\.startswith\(["']([^"']*)["']\)$`)
)

// evaluate returns the value of an expression on a device. known is false if the simulator cannot evaluate
// the expression.
func evaluate(expression string, device *database.Object) (v any, known bool) {
	if parts := property.FindStringSubmatch(expression); parts != nil {
		return textOf(device, parts[1])
	}
	if parts := comparing.FindStringSubmatch(expression); parts != nil {
		text, known := textOf(device, parts[1])
		return (text == parts[3]) == (parts[2] == "=="), known
	}
	if parts := beginning.FindStringSubmatch(expression); parts != nil {
		text, known := textOf(device, parts[1])
		return strings.HasPrefix(text, parts[2]), known
	}
	return literal(expression)
}

// textOf returns a string property of a device. ok is false without a device, and for other properties.
func textOf(device *database.Object, name string) (text string, ok bool) {
	if device != nil {
		text, ok = device.Get(name).(string)
	}
	return text, ok
}

// floats matches floats that have no literal. eNMS returns infinite ones as strings (4.4).
var floats = regexp.MustCompile(`float\(["'](nan|-?inf)["']\)`)

// literal returns the value of a Python literal: True, False, None, or what is JSON, also with single quotes.
// It reads float("nan") as the number NaN, and float("inf") as the string that eNMS returns for it.
func literal(expression string) (v any, known bool) {
	expression = floats.ReplaceAllString(expression, `"$1"`)
	expression = strings.ReplaceAll(expression, `"nan"`, "NaN") // a number, unlike the infinite ones
	switch expression {
	case "True":
		return true, true
	case "False":
		return false, true
	case "None":
		return nil, true
	}
	for _, text := range []string{expression, strings.ReplaceAll(expression, "'", `"`)} {
		if v, err := python.Decode([]byte(text)); err == nil {
			return v, true
		}
	}
	return nil, false
}
