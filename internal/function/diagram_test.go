// This file tests diagrams by their text.

package function

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// edgesIn returns the edges of lines such as "W: S>a a>b! b>E?motion": of a workflow, with success, failure (!)
// or another subtype.
func edgesIn(lines ...string) (edges []Edge) {
	for _, line := range lines {
		workflow, words, _ := strings.Cut(line, ": ")
		for _, word := range strings.Fields(words) {
			word, subtype, _ := strings.Cut(word, "?")
			if failed, is := strings.CutSuffix(word, "!"); is {
				word, subtype = failed, "failure"
			}
			for _, e := range parse(word) {
				own := func(name string) string { return strings.Replace(name, "[W]", "["+workflow+"]", 1) }
				edges = append(edges, Edge{workflow, own(e.Source), own(e.Destination), subtype})
			}
		}
	}
	return edges
}

func TestDiagram(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edges []Edge
		want  string
	}{
		"nothing": {nil, "flowchart LR\n"},
		"subtypes": {edgesIn("W: S>a a>b a>c! b>E c>E?motion"), `flowchart LR
  s_Start(["Start"])
  s_a["a"]
  s_b["b"]
  s_c["c"]
  s_End(["End"])
  s_Start --> s_a
  s_a --> s_b
  s_a -.-> s_c
  s_b --> s_End
  s_c == "motion" ==> s_End
`},
		"both ways between two": {edgesIn("W: a>b a>b! a>b"), `flowchart LR
  s_a["a"]
  s_b["b"]
  s_a -.-> s_b
  s_a --> s_b
`},
		"a nested workflow": {edgesIn("W: S>V V>E", "[W] V: S>x x>E"), `flowchart LR
  s_Start_x(["Start"])
  subgraph s_V["V"]
    direction LR
    s_Start_x(["Start"])
    s_x["x"]
    s_End_x(["End"])
  end
  s_End_x(["End"])
  s_Start_x --> s_V
  s_V --> s_End_x
  s_Start_x --> s_x
  s_x --> s_End_x
`},
		"a workflow in two others": {[]Edge{{"V", "a", "X", ""}, {"W", "b", "X", ""}, {"X", "c", "d", ""}}, `flowchart LR
  subgraph s_V["V"]
    direction LR
    subgraph s_X_x["X"]
      direction LR
      s_c["c"]
      s_d["d"]
    end
    s_a["a"]
  end
  subgraph s_W["W"]
    direction LR
    s_X_x[["X"]]
    s_b["b"]
  end
  s_a --> s_X_x
  s_b --> s_X_x
  s_c --> s_d
`},
		"workflows by the names of their services": {[]Edge{{"", start, "[V] a", ""}, {"", "b", "[W] c", ""}, {"", "d", " e\n f", ""}}, `flowchart LR
  subgraph s__x["services"]
    direction LR
    s_e_f["e f"]
    s_d["d"]
  end
  subgraph s_V["V"]
    direction LR
    s_Start(["Start"])
    s_a["a"]
  end
  subgraph s_W["W"]
    direction LR
    s_c["c"]
    s_b["b"]
  end
  s_d --> s_e_f
  s_Start --> s_a
  s_b --> s_c
`},
		"two workflows that nothing joins": {edgesIn("V: a>b", "W: a>b"), ""},
		"workflows that contain each other": {[]Edge{
			{"[Shared] A", start, "[Shared] B", ""}, {"[Shared] B", start, "[Shared] A", ""}}, ""},
		"names that Mermaid would take for its settings": {[]Edge{{"W", "[W] %%{init: {}}%%", "[W] %%%{x", ""}}, `flowchart LR
  s_x["#37;#37;#37;{x"]
  s_init["#37;#37;{init: {}}#37;#37;"]
  s_init --> s_x
`},
		"names that Mermaid would read": {[]Edge{{"W", `[W] 1. "x" <b> #1`, "[W] end", ""}, {"W", "[W] __init__ a_b", "[W] ✓", ""}}, `flowchart LR
  s_1_x_b_1["1#46; #34;x#34; #60;b#62; #35;1"]
  s_init_a_b["#95;_init_#95; a_b"]
  s_end["end"]
  s__x["✓"]
  s_1_x_b_1 --> s_end
  s_init_a_b --> s__x
`},
	} {
		got := Diagram(c.edges)
		if lines := regexp.MustCompile(`_[0-9a-f]{8}`); c.want != "" && lines.ReplaceAllString(got, "_x") != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
		checkDiagram(t, name, c.edges, got)
	}
}

var (
	nodeLine  = regexp.MustCompile(`^ +(?:subgraph )?(s_\w*)(?:\(\[".*"\]\)|\["[^"]*"\]|\[\["[^"]*"\]\])$`)
	arrowLine = regexp.MustCompile(`^ {2}(s_\w*) (?:-->|-\.->|== "[^"]*" ==>) (s_\w*)$`)
)

// checkDiagram checks what holds of every diagram: no identifier is declared twice, edges join
// what is declared, groups end, and the order of the edges does not show.
func checkDiagram(t *testing.T, name string, edges []Edge, got string) {
	t.Helper()
	declared, open, arrows := map[string]bool{}, 0, 0
	for _, line := range strings.Split(strings.TrimSuffix(got, "\n"), "\n")[1:] {
		node, arrow := nodeLine.FindStringSubmatch(line), arrowLine.FindStringSubmatch(line)
		switch {
		case strings.TrimSpace(line) == "end":
			open--
		case open > 0 && strings.TrimSpace(line) == "direction LR":
		case node != nil:
			if declared[node[1]] {
				t.Errorf("%s: %s is declared twice:\n%s", name, node[1], got)
			}
			declared[node[1]] = true
			if strings.Contains(line, "subgraph ") {
				open++
			}
		case arrow != nil:
			if arrows++; !declared[arrow[1]] || !declared[arrow[2]] {
				t.Errorf("%s: %q joins what is not declared:\n%s", name, line, got)
			}
		default:
			t.Errorf("%s: the line %q", name, line)
		}
	}
	if open != 0 || len(edges) > 0 && arrows == 0 {
		t.Errorf("%s: %d groups are open, %d edges:\n%s", name, open, arrows, got)
	}
	mixed := slices.Clone(edges)
	rand.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	if again := Diagram(mixed); again != got {
		t.Errorf("%s: another order gives\n%s\nnot\n%s", name, again, got)
	}
}

// An edge more is a line more, and a service more another one: nothing else changes.
func TestDiagramsOfEditions(t *testing.T) {
	t.Parallel()
	before := strings.Split(Diagram(edgesIn("W: S>a a>b b>E")), "\n")
	after := strings.Split(Diagram(edgesIn("W: S>a a>b b>E a>aa! aa>E")), "\n")
	for _, line := range before {
		if !slices.Contains(after, line) {
			t.Errorf("%q is gone", line)
		}
	}
	if len(after) != len(before)+3 {
		t.Errorf("%d lines, and %d before", len(after), len(before))
	}
}

// What has changed has a color: added services and edges, removed ones, another subtype, and
// services that are named. Without a change, nothing has.
func TestDiagramOfChanges(t *testing.T) {
	t.Parallel()
	now, before := edgesIn("W: S>a a>b! b>d d>E"), edgesIn("W: S>a a>b b>c c>E")
	want := `flowchart LR
  s_Start(["Start"])
  s_a["a"]
  s_b["b"]
  s_c["c"]
  s_d["d"]
  s_End(["End"])
  s_Start --> s_a
  s_a -.-> s_b
  s_b --> s_c
  s_b --> s_d
  s_c --> s_End
  s_d --> s_End
  classDef added fill:#dafbe1,stroke:#1a7f37,color:#1f2328
  class s_d added
  linkStyle 3,5 stroke:#1a7f37
  classDef removed fill:#ffebe9,stroke:#cf222e,color:#1f2328
  class s_c removed
  linkStyle 2,4 stroke:#cf222e
  classDef changed fill:#fff8c5,stroke:#bf8700,color:#1f2328
  class s_a changed
  linkStyle 1 stroke:#bf8700
`
	for range 10 { // the order of maps does not show
		if got := diagramOfChanges(now, before, []string{"[W] a", "[W] elsewhere", "[W] d"}); got != want {
			t.Fatalf("got\n%s\nwant\n%s", got, want)
		}
	}
	for name, c := range map[string]struct {
		now, before []Edge
		edited      []string
		want        string
	}{
		"no change":             {now, now, nil, ""},
		"a new workflow":        {edgesIn("W: a>b"), nil, nil, "class s_a,s_b added\n  linkStyle 0 stroke:#1a7f37"},
		"a workflow gone":       {nil, edgesIn("W: a>b"), nil, "class s_a,s_b removed\n  linkStyle 0 stroke:#cf222e"},
		"a subtype more":        {edgesIn("W: a>b a>b!"), edgesIn("W: a>b"), nil, "linkStyle 0 stroke:#1a7f37"},
		"a subtype less":        {edgesIn("W: a>b"), edgesIn("W: a>b a>b!"), nil, "linkStyle 0 stroke:#cf222e"},
		"a nested workflow":     {edgesIn("W: S>V V>E", "[W] V: S>x x>E"), edgesIn("W: S>V V>E", "[W] V: S>x x>E"), []string{"[W] V"}, "class s_V changed"},
		"a step moved inside":   {edgesIn("W: S>V V>E", "[W] V: S>x x>E"), edgesIn("W: S>V V>E V>x", "[W] V: S>x x>E"), nil, "removed\n  linkStyle"},
		"defaults are the same": {[]Edge{{"", "[W] a", "[W] b", ""}}, edgesIn("W: a>b"), nil, ""},
	} {
		got := diagramOfChanges(c.now, c.before, c.edited)
		if c.want == "" && got != Diagram(c.now) || !strings.Contains(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func FuzzDiagram(f *testing.F) {
	f.Add("W", "[W] a", "[W] b", "success", "[W] V", "[[W] V] x")
	f.Add("", "a", "[Shared] End", "\"", "a", "a")
	f.Add("A", "B", "A", "", "B", "A")
	f.Fuzz(func(t *testing.T, workflow, source, destination, subtype, otherWorkflow, other string) {
		edges := []Edge{{workflow, source, destination, subtype}, {otherWorkflow, source, other, ""}, {workflow, other, source, "failure"}}
		checkDiagram(t, "fuzz", edges, Diagram(edges))
	})
}
