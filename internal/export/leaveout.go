// This file finds objects that cannot be created on another server.

package export

import (
	"fmt"

	"golang.org/x/text/unicode/norm"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// leaveOut removes the objects that cannot be created, and those that require one of them, or one
// that could not be read.
func leaveOut(objects []*object, found []unread, kinds []*kind.Kind, r *report) (kept []*object, left map[key]bool) {
	left, kept = map[key]bool{}, objects
	refs := &references{kinds: kinds}
	for _, u := range found {
		left[u.object.key()] = true
		r.add(&r.LeftOut, u.object.String(), u.why)
	}
	for {
		var rest []*object
		for _, o := range kept {
			if why := o.impossible(refs, left); why != "" {
				left[o.key()] = true
				r.add(&r.LeftOut, o.String(), why)
				continue
			}
			rest = append(rest, o)
		}
		if len(rest) == len(kept) {
			return kept, left
		}
		kept = rest
	}
}

// impossible returns why an object cannot be created, or "" if it can.
func (o *object) impossible(refs *references, left map[key]bool) string {
	for _, row := range o.kind.Rows() {
		if row.Of == "" || row.Type != kind.One || !row.Needed && !row.Required {
			continue
		}
		name := value.Text(o.config[row.Name])
		switch {
		case name == "":
			return fmt.Sprintf("It has no %s, without which eNMS creates no %s.", row.Name, o.kind.Name)
		case left[key{refs.namespace(row.Of), name}]:
			return fmt.Sprintf("Its %s, %q, is left out.", row.Name, name)
		}
	}
	return ""
}

// wrongName returns why no configuration can have a name, or "" if it can. eNMS can often not return
// such an instance either.
func wrongName(name string) string {
	if wrong := kind.WrongName(name); wrong != "" {
		return "No configuration can have its name. " + wrong
	}
	if !norm.NFC.IsNormalString(name) { // eNMS compares code points, and Terraform normalizes every string
		return fmt.Sprintf("No configuration can have its name, %+q: Terraform would make %+q of it, which is another one.", name, norm.NFC.String(name))
	}
	return ""
}
