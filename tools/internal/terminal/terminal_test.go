package terminal

import (
	"encoding/xml"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// svg is a picture as a reader of XML finds it.
type svg struct {
	Width  int    `xml:"width,attr"`
	Height int    `xml:"height,attr"`
	Title  string `xml:"title"`
	Style  string `xml:"style"`
	Texts  []struct {
		X     int    `xml:"x,attr"`
		Y     int    `xml:"y,attr"`
		Width int    `xml:"textLength,attr"`
		Class string `xml:"class,attr"`
		Text  string `xml:",chardata"`
	} `xml:"text"`
}

func TestPicture(t *testing.T) {
	t.Parallel()
	lines := []string{"$ make <it>", " 1. a & \"b\"", `      # enms_device.router["DALLAS"]`, "      ~ name = \"é\"  -> \"b\"", "    proof", "", "end"}
	looks := []Class{{Bold, regexp.MustCompile(`^(\$| ?\d+\.) `)}, {Grey, regexp.MustCompile(`^ +# `)}, {Amber, regexp.MustCompile(`^ +~ `)}, {Green, regexp.MustCompile(`^ `)}}
	out, err := Picture("x < y", lines, looks)
	if err != nil {
		t.Fatal(err)
	}
	var got svg
	if err := xml.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v in\n%s", err, out)
	}
	if got.Title != "x < y" || !strings.Contains(got.Style, "prefers-color-scheme: dark") {
		t.Errorf("title %q, style %q", got.Title, got.Style)
	}
	if wide, high := 2*padding+36*cellWidth, 2*padding+7*lineHeight; got.Width != wide || got.Height != high {
		t.Errorf("%d by %d, want %d by %d", got.Width, got.Height, wide, high)
	}
	var classes []string
	shown := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return line == "" })
	if len(got.Texts) != len(shown) {
		t.Fatalf("%d lines of %d are drawn", len(got.Texts), len(shown))
	}
	for i, text := range got.Texts {
		indentation := strings.Repeat(" ", (text.X-padding)/cellWidth)
		if indentation+text.Text != shown[i] || text.Width != len([]rune(text.Text))*cellWidth {
			t.Errorf("line %d is %q, %d wide, want %q", i, indentation+text.Text, text.Width, shown[i])
		}
		if text.X+text.Width > got.Width-padding || text.Y > got.Height-padding {
			t.Errorf("line %d leaves the picture", i)
		}
		classes = append(classes, text.Class)
	}
	if want := []string{"bold", "bold", "grey", "amber", "green", ""}; !slices.Equal(classes, want) {
		t.Errorf("classes %q, want %q", classes, want)
	}
	if last := got.Texts[5]; last.Y != padding+6*lineHeight+fontSize {
		t.Errorf("an empty line takes no room: the last one is at %d", last.Y)
	}
}

func TestNoPicture(t *testing.T) {
	t.Parallel()
	for what, lines := range map[string][]string{
		"a line is too long":   {strings.Repeat("é", mostColumns+1)},
		"too many lines":       slices.Repeat([]string{"x"}, mostLines+1),
		"a colour of terminal": {"\x1b[32mgreen\x1b[0m"},
	} {
		if out, err := Picture("x", lines, nil); err == nil {
			t.Errorf("%s: no error, but %s", what, out)
		}
	}
	if _, err := Picture("x", slices.Repeat([]string{strings.Repeat("é", mostColumns)}, mostLines), nil); err != nil {
		t.Error(err)
	}
}
