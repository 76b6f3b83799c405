// Package terminal draws lines of text as a picture of a terminal, an SVG that needs nothing else.
package terminal

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

// Class gives a kind of line one of the looks of a picture. The first class of a line counts.
type Class struct {
	Look Look
	Of   *regexp.Regexp
}

// Look is a look in the picture's style.
type Look string

// The looks, beside that of all other text.
const (
	Bold  Look = "bold"
	Grey  Look = "grey"
	Amber Look = "amber"
	Green Look = "green"
	Red   Look = "red"
)

// style has colours for a light and for a dark page.
const style = `<style>
rect { fill: #f6f8fa; stroke: #d1d9e0 }
text { font-size: %dpx; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328 }
.bold { font-weight: bold }
.grey { fill: #59636e }
.amber { fill: #9a6700 }
.green { fill: #1a7f37 }
.red { fill: #cf222e }
@media (prefers-color-scheme: dark) {
rect { fill: #0d1117; stroke: #3d444d }
text { fill: #f0f6fc }
.grey { fill: #9198a1 }
.amber { fill: #d29922 }
.green { fill: #3fb950 }
.red { fill: #f85149 }
}
</style>
`

// Picture draws lines. Lines that do not fit are an error, and so is what no terminal shows as a
// character.
func Picture(title string, lines []string, classes []Class) (string, error) {
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
		texts.WriteString(drawnLine(i, line, classes))
	}
	width, height := 2*padding+columns*cellWidth, 2*padding+len(lines)*lineHeight
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">`+"\n", width, height) +
		"<title>" + escaped(title) + "</title>\n" +
		fmt.Sprintf(style, fontSize) +
		fmt.Sprintf(`<rect x="0.5" y="0.5" width="%d" height="%d" rx="8"/>`+"\n", width-1, height-1) +
		texts.String() + "</svg>\n", nil
}

// drawnLine draws one line; its indentation is where it begins.
func drawnLine(number int, line string, classes []Class) string {
	text := strings.TrimLeft(line, " ")
	if text == "" {
		return ""
	}
	class := ""
	for _, c := range classes {
		if c.Of.MatchString(line) {
			class = fmt.Sprintf(` class=%q`, c.Look)
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
