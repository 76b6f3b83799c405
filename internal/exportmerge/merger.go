// This file declares the input and the result of a merge, and decides what becomes of a value.

package exportmerge

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Input is what a merge depends on, apart from the code.
type Input struct {
	Exported map[string][]byte // the files of a new export, with the addresses of the code
	Record   *Record           // of the last export; if it is nil, the values of the server win
	Moves
	// Keep keeps the blocks of objects that are gone, and Removed writes `removed` blocks for them.
	Keep, Removed bool
	// TakenOut has the references in the record to objects whose blocks people have taken out of the code, by the names
	// of the objects, which the new export writes in place of the references.
	TakenOut map[string][]string
	// Secret reports whether a value may be a secret, by the path of an attribute and by its text.
	Secret func(path, text string) bool
}

// Moves says what is at another address in the code than in the record or in the new export, and what is gone.
type Moves struct {
	// Moved has, by the address in the code, the address in the record of each block and instance that people have
	// moved.
	Moved map[string]string
	// Gone are the addresses in the code of objects that the server no longer has, or that the new export writes in
	// another block.
	Gone map[string]bool
	// Renewed are those of Gone whose name another object has now. Keep does not keep them.
	Renewed map[string]bool
	// Elsewhere has the addresses in the new export of instances that it writes in another block and that keep their
	// state, by their addresses in the code.
	Elsewhere map[string]string
	// RowNames has the current names of the objects that are rows of CSV files, by the ids of the rows in the record
	// (rowID). RowsGone are the rows whose objects the server no longer has.
	RowNames map[string]string
	RowsGone map[string]bool
}

// Result is what a merge changes.
type Result struct {
	Files    map[string][]byte // changed files; nil for a file that is deleted
	Changes  []string          // what is changed, in words
	Left     []Finding         // what the server has changed, and the code keeps
	Ahead    []Finding         // values that only people have changed
	Unmerged []Unmerged
	// Unwritten are the ids of import blocks of the new export that the code must not have yet.
	Unwritten []string
	// Kept are the addresses of objects that are gone, and are still in the code.
	Kept map[string]bool
}

// Unmerged is a value that the server has changed and the code keeps. Its digests in the record must stay as they were,
// so that the next export reports it again.
type Unmerged struct {
	ID     string            // of the block, row or file with the value, as in Record.Written
	Path   string            // of the value in it
	Before map[string]string // all digests of that block, row or file at the last export
}

// Finding is a remark about an object, or about a block or a value in the code.
type Finding struct {
	At   string `json:"at"`
	What string `json:"what"`

	block string // the id of the block; the file is found once all edits are made
}

// merger merges exported into code.
type merger struct {
	Input
	Result
	digester
	code, exported *Code
	before         map[string]map[string]string // the digests of the last export
	had            map[string]bool              // the addresses in the code before the merge
}

// recordedID returns the id that a block of the new export has in the record. If people have moved a resource, the
// record has the old address in the ids of its block and of its import blocks.
func (m *merger) recordedID(p fileBlock) string {
	if before, is := m.Moved[p.address()]; is {
		return blockID(before)
	}
	to := p.imported()
	base, key := splitKey(to)
	if before, is := m.Moved[to]; is {
		return "import " + before
	} else if before, is := m.Moved[base]; is {
		return "import " + before + key
	}
	return p.id()
}

// addChange adds a change in the code to Changes, in words. at is a position, or a file.
func (m *merger) addChange(at, what string) { m.Changes = append(m.Changes, at+": "+what) }

// setFile changes a file without blocks, such as a script.
func (m *merger) setFile(name string, content []byte, what string) {
	m.Files[name] = content
	m.addChange(name, what)
}

// outcome says what becomes of a value.
type outcome int

const (
	isSame      outcome = iota // the code has what the server has
	isPeoples                  // only people have changed it
	isTaken                    // only the server has changed it
	isContested                // both have changed it, or nobody knows who has
)

// decide compares the digests of the new export (exported), of the code, and of the last export (before). same is
// set if the code has exactly what the new export has. Without a digest before (secretDigest, expressionDigest), nobody
// knows who has changed a value: it is contested.
func decide(exported, code, before string, same bool) outcome {
	switch {
	case same:
		return isSame
	case before == secretDigest, before == expressionDigest:
		return isContested
	case exported == before:
		return isPeoples
	case code == before:
		return isTaken
	}
	return isContested
}

// notChanged says why a contested value is not changed. before is what the record has of it.
func notChanged(before string) string {
	switch before {
	case secretDigest:
		return "It is not changed, because it may be a secret, of which no digest is kept."
	case expressionDigest:
		return "It is not changed, because it is more than a value or a reference."
	}
	return "It is not changed, because somebody has changed it in the code, too."
}

// hidden is what messages show in place of a secret.
const hidden = "(a value that is not shown)"

// longestShown is how many characters of a value are shown.
const longestShown = 80

// shown returns the text of a node for messages, or hidden if it may contain a secret.
func (m *merger) shown(p fileBlock, at itemPath, node hclsyntax.Node) string {
	if node == nil {
		return "none"
	}
	source := p.file.source(node.Range())
	for path := range p.file.leaves(at, node) { // of an object, each member
		if m.isSecret(path, source) {
			return hidden
		}
	}
	return shortened(strings.Join(strings.Fields(source), " "))
}

// shortened cuts a text for a message after longestShown characters.
func shortened(text string) string {
	if all := []rune(text); len(all) > longestShown {
		return string(all[:longestShown]) + "..."
	}
	return text
}

// joined returns the digests as one text, for comparisons, or secretDigest or expressionDigest if one of them is that.
func joined(digests map[string]string) string {
	var b strings.Builder
	for _, path := range slices.Sorted(maps.Keys(digests)) {
		if d := digests[path]; d == secretDigest || d == expressionDigest {
			return d
		}
		b.WriteString(path + "=" + digests[path] + "\n")
	}
	return b.String()
}
