// This file implements the function config_diff.

package function

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func configDiffDefinition() function.Definition {
	return function.Definition{
		Summary: "The lines in which two configurations of a device differ",
		MarkdownDescription: "Compares the configuration that a device should have with the one that it has, and returns the lines that differ, below the lines to which they belong: a line that is missing on the device begins with `+`, one that should not be there with `-`, and one that only shows the context with two spaces. The list is empty if nothing differs; `join(\"\\n\", ...)` makes one string of it.\n\n" +
			"A line belongs to the line above it with a smaller indentation. Lines may stand in any order, so that a different order of entries without numbers, in an access list for example, is not a difference. Empty lines, spaces at the end and lines that begin with `!` are left out. A text such as a banner is compared line by line.\n\n" +
			"The data source `enms_device_configuration` returns a sensitive text, so the differences are sensitive, too. Terraform does not show a sensitive error message: use `nonsensitive`, and `ignore` for the lines with secrets.",
		Parameters: []function.Parameter{
			parameter{name: "intended", description: "The configuration that the device should have."}.terraform(),
			parameter{name: "running", description: "The configuration that it has."}.terraform(),
			function.ListParameter{Name: "ignore", ElementType: types.StringType,
				MarkdownDescription: "Regular expressions in [RE2 syntax](https://github.com/google/re2/wiki/Syntax) of lines to leave out with all that belongs to them, such as `^ntp clock-period` or `^end$`. They are matched against lines without their indentation."},
		},
		Return: function.ListReturn{ElementType: types.StringType},
	}
}

func runConfigDiff(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var intended, running string
	var patterns []string
	if resp.Error = req.Arguments.Get(ctx, &intended, &running, &patterns); resp.Error != nil {
		return
	}
	ignored, err := patternsOf(patterns)
	if err != nil {
		resp.Error = wrong(2, err)
		return
	}
	resp.Error = resp.Result.Set(ctx, differences(parseConfig(intended, ignored), parseConfig(running, ignored), ""))
}

// patternsOf compiles regular expressions.
func patternsOf(texts []string) ([]*regexp.Regexp, error) {
	var patterns []*regexp.Regexp
	for _, text := range texts {
		p, err := regexp.Compile(text)
		if err != nil {
			return nil, fmt.Errorf("%q is not a regular expression: %w", text, err)
		}
		patterns = append(patterns, p)
	}
	return patterns, nil
}

// configLine is a line of a configuration, with the lines that belong to it.
type configLine struct {
	text   string // without its indentation
	indent int
	lines  []*configLine // in order, without repetitions
	byText map[string]*configLine
}

// comment is the beginning of comments, with which many devices separate parts of their configurations.
const comment = "!"

// parseConfig returns a line without text, to which all lines of a configuration belong. Comments are left
// out, and ignored lines with the lines that belong to them.
func parseConfig(config string, ignored []*regexp.Regexp) *configLine {
	top := &configLine{indent: -1}
	above := []*configLine{top} // the previous line, and the lines that it belongs to
	ignoredIndent := -1         // the indentation of the ignored line that this one may belong to, or -1
	for line := range strings.Lines(config) {
		text := strings.TrimSpace(line)
		if text == "" || strings.HasPrefix(text, comment) {
			continue
		}
		indent := indentation(line)
		if ignoredIndent >= 0 && indent > ignoredIndent {
			continue
		}
		ignoredIndent = -1
		if slices.ContainsFunc(ignored, func(p *regexp.Regexp) bool { return p.MatchString(text) }) {
			ignoredIndent = indent
			continue
		}
		for indent <= above[len(above)-1].indent {
			above = above[:len(above)-1]
		}
		added := above[len(above)-1].add(text)
		added.indent = indent
		above = append(above, added)
	}
	return top
}

// tab is the distance of tab stops.
const tab = 8

// indentation returns the column of the first character of a line.
func indentation(line string) (columns int) {
	for _, c := range line {
		switch c {
		case ' ':
			columns++
		case '\t':
			columns += tab - columns%tab
		default:
			return columns
		}
	}
	return columns
}

// add returns the line with a text that belongs to this one, which it creates if it is missing.
func (l *configLine) add(text string) *configLine {
	if known := l.byText[text]; known != nil {
		return known
	}
	if l.byText == nil {
		l.byText = map[string]*configLine{}
	}
	added := &configLine{text: text}
	l.lines, l.byText[text] = append(l.lines, added), added
	return added
}

// differences compares the lines that belong to two lines, and returns the lines to show: first those to
// remove, then the others in the order of the intended configuration.
func differences(intended, running *configLine, indent string) []string {
	changed := []string{}
	for _, line := range running.lines {
		if intended.byText[line.text] == nil {
			changed = append(changed, line.all("- ", indent)...)
		}
	}
	for _, line := range intended.lines {
		has := running.byText[line.text]
		if has == nil {
			changed = append(changed, line.all("+ ", indent)...)
		} else if below := differences(line, has, indent+"  "); len(below) > 0 {
			changed = append(append(changed, "  "+indent+line.text), below...)
		}
	}
	return changed
}

// all returns a line and those that belong to it, each with a mark.
func (l *configLine) all(mark, indent string) []string {
	texts := []string{mark + indent + l.text}
	for _, line := range l.lines {
		texts = append(texts, line.all(mark, indent+"  ")...)
	}
	return texts
}
