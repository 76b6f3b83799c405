// This file draws what the quickstart writes, as a picture of a terminal.

package main

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How much fits into a picture that is still legible on a page.
const (
	mostColumns = 100
	mostLines   = 45
)

// The measures of the picture, in pixels. A character is 0.6 times as wide as it is high,
// and each line says how wide it is, so that every font keeps to the columns.
const (
	fontSize   = 15
	cellWidth  = 9
	lineHeight = 21
	padding    = 20
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
var classes = []struct {
	name string
	of   *regexp.Regexp
}{
	{"step", regexp.MustCompile(`^(\$| ?\d+\.) `)},
	{"resource", regexp.MustCompile(`^ +# `)},
	{"change", regexp.MustCompile(`^ +~ `)},
	{"proof", regexp.MustCompile(`^ `)},
}

// style has colours for a light and for a dark page.
const style = `<style>
rect { fill: #f6f8fa; stroke: #d1d9e0 }
text { font-size: %dpx; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328 }
.step { font-weight: bold }
.resource { fill: #59636e }
.change { fill: #9a6700 }
.proof { fill: #1a7f37 }
@media (prefers-color-scheme: dark) {
rect { fill: #0d1117; stroke: #3d444d }
text { fill: #f0f6fc }
.resource { fill: #9198a1 }
.change { fill: #d29922 }
.proof { fill: #3fb950 }
}
</style>
`

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

// picture draws lines as an SVG that needs nothing else. Lines that do not fit are an
// error, and so is what no terminal shows as a character.
func picture(title string, lines []string) (string, error) {
	if len(lines) > mostLines {
		return "", fmt.Errorf("there are %d lines, and room for %d", len(lines), mostLines)
	}
	columns := 0
	var texts strings.Builder
	for i, line := range lines {
		width := utf8.RuneCountInString(line)
		switch {
		case width > mostColumns:
			return "", fmt.Errorf("a line has %d characters, and there is room for %d: %s", width, mostColumns, line)
		case strings.ContainsFunc(line, unicode.IsControl):
			return "", fmt.Errorf("a line has characters that control a terminal: %q", line)
		}
		columns = max(columns, width)
		texts.WriteString(drawnLine(i, line))
	}
	width, height := 2*padding+columns*cellWidth, 2*padding+len(lines)*lineHeight
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">`+"\n", width, height) +
		"<title>" + escaped(title) + "</title>\n" +
		fmt.Sprintf(style, fontSize) +
		fmt.Sprintf(`<rect x="0.5" y="0.5" width="%d" height="%d" rx="8"/>`+"\n", width-1, height-1) +
		texts.String() + "</svg>\n", nil
}

// drawnLine draws one line; its indentation is where it begins.
func drawnLine(number int, line string) string {
	text := strings.TrimLeft(line, " ")
	if text == "" {
		return ""
	}
	class := ""
	for _, c := range classes {
		if c.of.MatchString(line) {
			class = fmt.Sprintf(` class=%q`, c.name)
			break
		}
	}
	x, y := padding+(len(line)-len(text))*cellWidth, padding+number*lineHeight+fontSize
	width := utf8.RuneCountInString(text) * cellWidth
	return fmt.Sprintf(`<text x="%d" y="%d" textLength="%d" xml:space="preserve"%s>%s</text>`+"\n", x, y, width, class, escaped(text))
}

// escaped returns a text as XML has it.
func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}
