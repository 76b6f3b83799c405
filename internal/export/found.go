// This file holds what was read from a server.

package export

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/layout"
)

// typeField is the field of a row of the server with its type.
const typeField = "type"

// inventory holds the objects of a server that were read.
type inventory struct {
	line      int // of eNMS
	kinds     []*kind.Kind
	readKinds []*kind.Kind // the kinds that were listed
	listed    map[key]bool // all instances of readKinds
	objects   []*object
	unread    []unread
	layouts   map[string]layout.Stored // by the type of what they draw
	forced    []string                 // the groups that eNMS adds to the readers of what is written
	mark      *exportmerge.Mark
	mayHide   bool // the user is not an administrator: what is not listed may exist
}

// unread is an instance that could not be read, whose name no configuration can have, or whose type has no
// resource of its own.
type unread struct {
	object *object
	why    string
}

// isWhole reports whether all kinds of a namespace were read.
func (i *inventory) isWhole(namespace string) bool {
	return !slices.ContainsFunc(i.kinds, func(k *kind.Kind) bool {
		return k.Namespace == namespace && !slices.Contains(i.readKinds, k)
	})
}

// isRead reports whether the instances of a type or subtype were read.
func (i *inventory) isRead(typ string) bool {
	return slices.ContainsFunc(i.readKinds, func(k *kind.Kind) bool {
		return k.Name == typ || slices.ContainsFunc(k.Subtypes, func(t kind.SubtypeTable) bool { return t.Name == typ })
	})
}
