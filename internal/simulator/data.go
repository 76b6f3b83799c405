// Load creates the instances of a file, and Save writes the instances of a server for tests.

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

// Load creates the instances of a file, as by POSTs of the user admin, beside those of a new server. The
// file is a JSON object with a list for each instance type, whose members are as POST /rest/instance accepts
// them. Each is created after the instances that its relations name. After an error, the server has a part
// of the file.
func (s *Server) Load(file io.Reader) error {
	text, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	entries, err := readEntries(s.db.Schema, text)
	if err != nil {
		return err
	}
	return createAll(s.eNMS.begin(s.db, s.db.ByName("user", "admin")), entries)
}

// Save writes the instances of the server, each on a line: its id, type and name, its relations, and every
// value that differs from the one that eNMS gives a new instance. Secrets are among them. Runs, their
// results and changelogs are not.
func (s *Server) Save(file io.Writer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	lists := map[string][]*database.Object{}
	for name, m := range s.db.Types {
		if slices.Contains(unsaved, m.Table) || s.db.Type(name) == nil {
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

// entryOf returns an instance as Save writes it.
func entryOf(s *database.Schema, o *database.Object) python.Record {
	r := python.NewRecord("id", o.ID, "type", o.Type.Name)
	for name, value := range o.Values {
		if o.Type.Columns[name] == nil && !s.Lacks(o.Type, name) {
			r = r.With(name, value)
		}
	}
	for name, rel := range o.Type.Relations {
		names := []any{}
		if target := o.One(name); target != nil {
			r = r.With(name, target.Name())
			continue
		}
		for _, m := range o.Members(name) {
			names = append(names, m.Name())
		}
		if len(names) > 0 && !rel.Unlisted && !slices.Contains(unsaved, rel.Target) {
			r = r.With(name, names)
		}
	}
	return r
}

// createAll creates entries. Each entry waits for the instances that it names. If entries wait for each
// other, one of them is created without the lists that name missing instances, which are added at the end.
func createAll(c *command, entries []dataEntry) error {
	var later []dataEntry
	for len(entries) > 0 {
		waiting := []dataEntry{}
		for _, entry := range entries {
			if _, ready := entry.missing(c.Database); !ready {
				waiting = append(waiting, entry)
			} else if _, err := entry.create(c); err != nil {
				return err
			}
		}
		if len(waiting) == len(entries) {
			at := slices.IndexFunc(waiting, func(e dataEntry) bool { lists, _ := e.missing(c.Database); return lists.Size() > 0 })
			if at < 0 {
				return waiting[0].nothingToWaitFor(c.Database)
			}
			rest, err := waiting[at].createWithoutLists(c)
			if err != nil {
				return err
			}
			later, waiting = append(later, rest), slices.Delete(waiting, at, at+1)
		}
		entries = waiting
	}
	for _, entry := range later {
		if _, ready := entry.missing(c.Database); !ready {
			return entry.nothingToWaitFor(c.Database)
		}
		if _, err := entry.create(c); err != nil {
			return err
		}
	}
	return nil
}
