package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

const chart = `flowchart LR
  s_a(["Start"])
  s_b["A & B"]
  s_a -- first, then --> s_b
  s_b --> s_b
  s_b -.-> c["C"]
  s_a --> c
  c -- again --> s_a
  classDef added fill:#dafbe1,stroke:#1a7f37,color:#1f2328
  class s_b added
  linkStyle 0,3 stroke:#1a7f37
`

// A page has a picture with a description in place of each diagram, and nothing else changes.
func TestWithPictures(t *testing.T) {
	t.Parallel()
	page := "# A\n\n```mermaid\n" + chart + "```\n\n```terraform\nx = 1\n```\n\n```mermaid\nflowchart LR\n  x --> y\n```\n\nend\n"
	drawn, svgs, err := withPictures(page, "guide")
	if err != nil {
		t.Fatal(err)
	}
	want := "# A\n\n![Diagram. Start → A & B: first, then; A & B → A & B; A & B → C, dashed; Start → C; C → Start: again.](" + pictures + "guide-1.svg)\n\n" +
		"```terraform\nx = 1\n```\n\n![Diagram. x → y.](" + pictures + "guide-2.svg)\n\nend\n"
	if drawn != want || len(svgs) != 2 {
		t.Errorf("%d pictures\n%s", len(svgs), drawn)
	}
	svg := svgs["guide-1.svg"]
	for _, part := range []string{">Start<", ">A &amp; B<", ">first, then<", ">again<", "fill:#dafbe1", "stroke:#1a7f37", "stroke-dasharray", `rx="20"`} {
		if !strings.Contains(svg, part) {
			t.Errorf("the picture has no %s:\n%s", part, svg)
		}
	}
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// Boxes do not overlap, each is within the picture, and arrows go to a later column unless they go back.
func TestArrange(t *testing.T) {
	t.Parallel()
	f, err := parseFlowchart(chart)
	if err != nil {
		t.Fatal(err)
	}
	d := f.arrange()
	var all []*place
	for _, column := range d.columns {
		all = append(all, column...)
	}
	for i, p := range all {
		if p.x < 0 || p.right() > d.width || p.y-boxHeight/2 < 0 || p.y+boxHeight/2 > d.height {
			t.Errorf("a place is outside of the picture: %+v", p)
		}
		for _, other := range all[:i] {
			if p.x < other.right() && other.x < p.right() && max(p.y-other.y, other.y-p.y) < boxHeight {
				t.Errorf("two places overlap: %+v, %+v", p, other)
			}
		}
	}
	back := 0
	for _, r := range d.routes {
		if r.back {
			back++
			continue
		}
		for i, p := range r.through[1:] {
			if r.from != r.to && p.column != r.through[i].column+1 {
				t.Errorf("%s → %s leaves out a column", r.from.label, r.to.label)
			}
		}
	}
	if back != 1 || len(all) != 4 { // Start → C passes the column of A & B
		t.Errorf("%d arrows go back, and there are %d places", back, len(all))
	}
}

// What cannot be drawn is an error, which names the line.
func TestParseFlowchart_unknown(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"sequenceDiagram\n", "flowchart LR\n  a ==> b\n", "flowchart LR\n  a --> b\n  linkStyle 1 stroke:#fff\n"} {
		if _, err := parseFlowchart(text); err == nil {
			t.Errorf("%q is drawn", text)
		}
		if _, _, err := withPictures("```mermaid\n"+text+"```\n", "guide"); err == nil {
			t.Errorf("a page with %q is written", text)
		}
	}
}
