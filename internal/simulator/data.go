// The instances of a server as a file: written as it holds them, and taken up by a
// server that has just started.

package simulator

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// Load takes up the instances of a file: a JSON object with a list for each
// instance type, whose members are as POST /rest/instance takes them or as GET
// answers them.
//
// A member with an id is an instance that a server held. It is put back as it was:
// with its id, its name and its timestamps, and without what a POST brings about.
// A member without an id is created as by a POST of the user admin, in an order in
// which what a relation names is there. A list that is empty, or that has members
// with ids, is all there is of its type: what a fresh installation has of it goes,
// but for the user admin.
//
// It is for a server that has just been made. After an error the server holds a
// part of the file.
func (s *Server) Load(file io.Reader) error {
	text, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	lists, err := readLists(s.db.Schema, text)
	if err != nil {
		return err
	}
	var stored, sent []dataEntry
	for _, list := range lists {
		for _, entry := range list.entries {
			if entry.stored() {
				stored = append(stored, entry)
			} else {
				sent = append(sent, entry)
			}
		}
	}
	if err := s.eNMS.begin(s.db, nil).restoreAll(lists, stored); err != nil {
		return err
	}
	return createAll(s.eNMS.begin(s.db, s.db.ByName("user", "admin")), sent)
}

// Save writes the instances as Load reads them, an instance a line: its id, type
// and name, its relations, and every value that differs from the one that eNMS gives
// a new instance. Secrets are among them. Runs and their results are not.
func (s *Server) Save(file io.Writer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	lists := map[string][]*database.Object{}
	for name, m := range s.db.Types {
		if m.Table == "run" || s.db.Type(name) == nil {
			continue
		}
		lists[m.Class] = append(lists[m.Class], nil...)
		if m.Parent == nil {
			for _, o := range s.db.All(name) {
				lists[o.Type.Class] = append(lists[o.Type.Class], o)
			}
		}
	}
	w := bufio.NewWriter(file) // which keeps the first error
	between := "{"
	for _, class := range slices.Sorted(maps.Keys(lists)) {
		fmt.Fprintf(w, "%s\n%s: [", between, python.AppendJSON(nil, class))
		line := "\n"
		for _, o := range lists[class] {
			fmt.Fprintf(w, "%s%s", line, python.AppendJSON(nil, entryOf(s.db.Schema, o)))
			line = ",\n"
		}
		fmt.Fprint(w, "]")
		between = ","
	}
	fmt.Fprint(w, "\n}\n")
	return w.Flush()
}
