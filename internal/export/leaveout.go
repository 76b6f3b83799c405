// This file leaves out objects that cannot be created on another server, and readers that eNMS adds to every
// object by itself. doc.go lists what else an export leaves out.

package export

import (
	"fmt"
	"slices"

	"golang.org/x/text/unicode/norm"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// leaveOut leaves out the objects that could not be read, those that cannot be created on another
// server, and those that need one of these. left has the objects that are left out.
func leaveOut(objects []*object, notRead []unread, kinds []*kind.Kind, r *report) (kept []*object, left map[key]bool) {
	left, kept = map[key]bool{}, slices.Clone(objects)
	types := newIndex(kinds, nil)
	for _, u := range notRead {
		left[u.object.key()] = true
		r.add(&r.LeftOut, u.object.String(), u.why)
	}
	for before := -1; before != len(left); { // what is left out may be needed by other objects
		before = len(left)
		kept = slices.DeleteFunc(kept, func(o *object) bool {
			why := o.impossible(types, left)
			if why != "" {
				left[o.key()] = true
				r.add(&r.LeftOut, o.String(), why)
			}
			return why != ""
		})
	}
	return kept, left
}

// impossible returns why an object cannot be created, or "" if it can.
func (o *object) impossible(types index, left map[key]bool) string {
	for _, row := range o.kind.Rows() {
		if !row.Needed && !row.Required {
			continue
		}
		name := value.Text(o.config[row.Name])
		switch {
		case name == "":
			return fmt.Sprintf("It has no %s, without which eNMS creates no %s.", row.Name, o.kind.Name)
		case left[key{types.namespace(row.Of), name}]:
			return fmt.Sprintf("Its %s, %q, is left out.", row.Name, name)
		}
	}
	return ""
}

// wrongName returns why a configuration cannot have a name, or "" if it can. Often eNMS cannot return an
// instance with such a name either.
func wrongName(name string) string {
	if wrong := kind.WrongName(name); wrong != "" {
		return "No configuration can have its name. " + wrong
	}
	if !norm.NFC.IsNormalString(name) { // eNMS compares code points, and Terraform normalizes every string
		return fmt.Sprintf("No configuration can have its name, %+q: Terraform would make %+q of it, which is another one.", name, norm.NFC.String(name))
	}
	return ""
}

// leaveOutForced removes the groups that eNMS adds to the readers of an object at each write. A list that has no others
// is left out: eNMS fills it.
func leaveOutForced(objects []*object, forced []string) {
	for _, o := range objects {
		for _, a := range o.kind.Table().Fields {
			readers := value.Names(o.config[a.Name])
			if !a.Forced || len(readers) == 0 { // an empty list stays, or is left out by others
				continue
			}
			var others []any
			for _, name := range readers {
				if !slices.Contains(forced, name) {
					others = append(others, name)
				}
			}
			if o.config[a.Name] = a.FromJSON(others); len(others) == 0 {
				delete(o.config, a.Name)
			}
		}
	}
}

// readsAll is the attribute of groups whose members may read whatever is written after the group.
const readsAll = "force_read_access"
