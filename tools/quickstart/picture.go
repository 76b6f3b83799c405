// This file says what of the quickstart's run is drawn, and how.

package main

import (
	"regexp"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/terminal"
)

// varying is what differs from one run to the next, or with the program that plays
// Terraform, and what the picture has in place of it.
var varying = []struct {
	found *regexp.Regexp
	drawn string
}{
	{regexp.MustCompile(` \(\d+\.\d s(, \d+ requests)?\)$`), ""},
	{regexp.MustCompile(`, in \d+\.\d s\.`), "."},
	{regexp.MustCompile(`in \S*terraform-provider-enms-\d+\S*`), "in a temporary directory"},
	{regexp.MustCompile(`http://127\.0\.0\.1:\d+`), "http://127.0.0.1:5000"},
	{regexp.MustCompile(`\btofu\b`), "terraform"},
}

// classes are the kinds of lines, which have colours of their own.
var classes = []terminal.Class{
	{Look: terminal.Bold, Of: regexp.MustCompile(`^(\$| ?\d+\.) `)},
	{Look: terminal.Grey, Of: regexp.MustCompile(`^ +# `)},
	{Look: terminal.Amber, Of: regexp.MustCompile(`^ +~ `)},
	{Look: terminal.Green, Of: regexp.MustCompile(`^ `)},
}

// drawn returns the lines of the picture: the command that is typed, and what it wrote without
// what varies.
func drawn(transcript string) []string {
	lines := []string{"$ make quickstart"}
	for line := range strings.Lines(transcript) {
		line = strings.TrimRight(line, "\r\n")
		for _, v := range varying {
			line = v.found.ReplaceAllLiteralString(line, v.drawn)
		}
		lines = append(lines, line)
	}
	return lines
}
