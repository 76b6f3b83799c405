// This file merges the texts that configuration reads from files, such as scripts.

package exportmerge

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// mergeTexts merges the texts. One that the code does not have is written only if the configuration reads it.
func (m *merger) mergeTexts() {
	for _, name := range slices.Sorted(maps.Keys(m.Exported)) {
		if !IsText(name) {
			continue
		}
		id, exported := fileID(name), m.Exported[name]
		now, before := m.digestOf("", string(exported)), m.before[id][""]
		have, err := m.code.readFile(name)
		if err != nil { // the code does not have it
			if m.isRead(name) {
				m.setFile(name, exported, "is new")
			} else if before != "" && before != now {
				m.Left = append(m.Left, Finding{At: name, What: "The server has changed this text, and somebody has taken the file out of the code."})
			}
			continue
		}
		text, crlf := withLF(have)
		switch decide(now, m.digestOf("", string(text)), before, bytes.Equal(text, exported)) {
		case isTaken:
			if crlf {
				exported = withCRLF(exported)
			}
			m.setFile(name, exported, "is changed")
		case isContested:
			m.Left = append(m.Left, Finding{At: name, What: notChanged(before) + m.differsFrom(string(text), string(exported))})
			m.Unmerged = append(m.Unmerged, Unmerged{id, "", m.before[id]})
		}
	}
}

// differsFrom returns a sentence that names the first line in which the server's text is another one than that of a file, or
// "" if the text may be secret.
func (m *merger) differsFrom(have, exported string) string {
	if m.isSecret("", exported) {
		return ""
	}
	ours, theirs := strings.Split(have, "\n"), strings.Split(exported, "\n")
	for n, line := range theirs {
		if n == len(ours) || line != ours[n] {
			return fmt.Sprintf(" The server has another text from line %d on: %s", n+1, shortened(strings.TrimSpace(line)))
		}
	}
	return fmt.Sprintf(" The server's text ends after line %d.", len(theirs))
}

// isRead reports whether the configuration reads a file: whether any file of it, in any module, has the path.
func (m *merger) isRead(name string) bool {
	if rest, is := strings.CutPrefix(name, "modules/"); is {
		_, name, _ = strings.Cut(rest, "/")
	}
	for _, f := range m.code.files {
		if bytes.Contains(f.text, []byte("/"+name)) {
			return true
		}
	}
	return false
}

// deleteTexts deletes texts that the last export wrote, nobody has changed, and nothing reads any longer.
func (m *merger) deleteTexts() {
	if m.Record == nil {
		return
	}
	for id, values := range m.before {
		name, is := strings.CutPrefix(id, "file ")
		if !is || m.Exported[name] != nil || m.isRead(name) {
			continue
		}
		if have, err := m.code.readFile(name); err == nil {
			if text, _ := withLF(have); m.digestOf("", string(text)) == values[""] {
				m.Files[name] = nil
			}
		}
	}
}
