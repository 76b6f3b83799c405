// Tests of the picture, and of what it takes from a run.

package main

import (
	"encoding/xml"
	"slices"
	"strings"
	"testing"
)

// What differs from run to run is not drawn.
func TestDrawnLines(t *testing.T) {
	t.Parallel()
	first := drawn(` 1. build
    in /var/folders/x/terraform-provider-enms-123456 (12.3 s)
 2. start
    http://127.0.0.1:41234, user admin (0.1 s)
 3. terraform plan
    nothing to do (1.0 s, 3 requests)
All of it held, in 20.1 s. The configuration is there.
`)
	second := drawn(" 1. build\r\n    in C:\\Temp\\terraform-provider-enms-7 (2.0 s)\r\n 2. start\r\n    http://127.0.0.1:5, user admin (3.1 s)\r\n" +
		" 3. tofu plan\r\n    nothing to do (0.2 s, 12 requests)\r\nAll of it held, in 3.0 s. The configuration is there.\r\n")
	want := []string{
		"$ make quickstart",
		" 1. build", "    in a temporary directory",
		" 2. start", "    http://127.0.0.1:5000, user admin",
		" 3. terraform plan", "    nothing to do",
		"All of it held. The configuration is there.",
	}
	if !slices.Equal(first, want) || !slices.Equal(second, want) {
		t.Errorf("%q\n%q", first, second)
	}
}

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
	out, err := picture("x < y", lines)
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
	if want := []string{"step", "step", "resource", "change", "proof", ""}; !slices.Equal(classes, want) {
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
		if out, err := picture("x", lines); err == nil {
			t.Errorf("%s: no error, but %s", what, out)
		}
	}
	if _, err := picture("x", slices.Repeat([]string{strings.Repeat("é", mostColumns)}, mostLines)); err != nil {
		t.Error(err)
	}
}

// What a plan changes is told, and nothing of what it leaves or does not know.
func TestChanges(t *testing.T) {
	t.Parallel()
	got := changed(`enms_device.a: Refreshing state... [id=1]

Note: Objects have changed outside of Terraform

  # enms_device.a has changed
  ~ resource "enms_device" "a" {
      ~ ip_address = "10.0.0.1" -> "192.0.2.99"
    }

Terraform will perform the following actions:

  # enms_device.a will be updated in-place
  ~ resource "enms_device" "a" {
        id          = "1"
      ~ ip_address  = "192.0.2.99" -> "10.0.0.1"
      ~ computed    = "1" -> (known after apply)
      ~ gateways    = [
          - "x",
        ]
        # (20 unchanged attributes hidden)
    }

  # enms_task.t must be replaced
-/+ resource "enms_task" "t" {
    }

Plan: 0 to add, 1 to change, 0 to destroy.
`)
	want := []string{"# enms_device.a will be updated in-place", `~ ip_address = "192.0.2.99" -> "10.0.0.1"`, "# enms_task.t must be replaced"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
