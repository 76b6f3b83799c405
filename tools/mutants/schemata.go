// This file writes all faults of a file into its text, so that it is compiled once.

package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// edit writes a text of a fault at an offset in bytes, in the place of some of those that follow.
type edit struct {
	fault   int // its number
	at      int
	text    string
	without int
	kind    kind
}

// kind says on which side of others an edit is at the same offset.
type kind int

const (
	closes kind = iota - 1
	replaces
	opens
)

// rewritten returns a file with the edits of its faults. Each fault can be chosen (package mut), and none is by
// itself. Lines stay where they are. mut is the import path of the package; nameEnd is the offset after the name of
// the file's own package.
func rewritten(source []byte, nameEnd int, mut string, edits []edit) []byte {
	edits = append(slices.Clone(edits), edit{at: nameEnd, text: fmt.Sprintf("; import %q", mut)})
	// A fault of a part has a higher number than one of the whole: it opens later and closes earlier.
	slices.SortStableFunc(edits, func(a, b edit) int {
		inward := cmp.Compare(a.fault, b.fault)
		if a.kind == closes {
			inward = -inward
		}
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind), inward)
	})
	var out bytes.Buffer
	from := 0
	for _, e := range edits {
		out.Write(source[from:e.at])
		out.WriteString(e.text)
		from = e.at + e.without
	}
	out.Write(source[from:])
	return out.Bytes()
}
