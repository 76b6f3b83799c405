// Package deviceconfig compares configurations of network devices, and selects lines of them. All that it
// knows of a configuration is that a line belongs to the line above it with a smaller indentation.
//
//	lines.go        the lines of a configuration
//	patterns.go     regular expressions of lines
//	selection.go    Select: some of the lines
//	differences.go  Differences: the lines in which two configurations differ
package deviceconfig

import (
	"strings"
	"unicode"
)

// line is a line of a configuration.
type line struct {
	raw    string // without spaces at its end
	text   string // without its indentation, too
	indent int    // in columns
	above  int    // the index of the line that it belongs to, or none
}

// none is in place of the index of a line that others belong to.
const none = -1

// comment is the beginning of comments, with which many devices separate parts of their configurations.
const comment = "!"

// linesOf returns the lines of a configuration, without empty ones and comments.
func linesOf(config string) []line {
	var lines []line
	for raw := range strings.Lines(config) {
		raw = strings.TrimRightFunc(raw, unicode.IsSpace)
		text := strings.TrimSpace(raw)
		if text == "" || strings.HasPrefix(text, comment) {
			continue
		}
		indent, above := indentation(raw), len(lines)-1
		for above != none && indent <= lines[above].indent {
			above = lines[above].above
		}
		lines = append(lines, line{raw: raw, text: text, indent: indent, above: above})
	}
	return lines
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
