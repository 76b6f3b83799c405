// This file declares an entry of a plan: what is configured, and what the state has.

package entries

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// priorEntry is an entry in the state. derive sets config, state and instance where they are needed.
type priorEntry struct {
	name   string // its key
	entry  entry  // with the members that it has by default
	record entryRecord

	config   kind.Values // the configuration that the entry describes
	state    kind.Values
	instance record.Record
}

// item is an entry that is in the configuration, in the state, or in both.
type item struct {
	name     string
	entry    entry        // the configured entry; planItem adds the defaults
	removed  bool         // the configuration has no such entry
	prior    *priorEntry  // nil if the entry is to be created
	config   kind.Values  // nil if it is to be removed, or if it is as in the state (isUnchanged)
	planned  kind.Values  // nil like config
	defaults value.Object // the members that the entry has by default
	differs  bool         // the configuration differs from the state
}

// stateBefore returns the prior state of the item, or nil if it is to be created.
func (i *item) stateBefore() kind.Values {
	if i.prior == nil {
		return nil
	}
	return i.prior.state
}

// imported reports whether a member of the entry in the state comes from an import. Such a member is
// not managed, so it may stay in the state when it is not configured.
func (i *item) imported(member string) bool {
	managed := i.prior.instance.Managed
	return !slices.Contains(managed, member) && !slices.Contains(managed, kind.RowProperties+"."+member)
}

// stage is the stage of an apply in which an item is worked on. Deletions come first and creations last, because a database
// may treat two different names as the same.
type stage int

const (
	deletion stage = iota
	change
	creation
	stages
)

func (i *item) stage() stage {
	switch {
	case i.removed:
		return deletion
	case i.prior != nil:
		return change
	}
	return creation
}

// leavesName reports whether the instance of an item gives up its name, by a deletion or by a rename.
func (i *item) leavesName() bool {
	return i.prior != nil && (i.removed || i.nameBefore() != i.nameAfter())
}

// takesName reports whether the instance of an item gets a name that it does not have: by a creation or
// by a rename.
func (i *item) takesName() bool {
	return !i.removed && (i.prior == nil || i.nameBefore() != i.nameAfter())
}

// nameBefore returns the name that the item's instance has in eNMS, or "" if it does not exist.
func (i *item) nameBefore() string { return value.Text(i.stateBefore()[kind.RowName]) }

// nameAfter returns the planned name of the item's instance.
func (i *item) nameAfter() string { return value.Text(i.planned[kind.RowName]) }

// prior returns an entry of the state with its record.
func (p privateState) prior(name string, e entry) *priorEntry {
	r := p.Records[name]
	return &priorEntry{name: name, entry: withDefaults(e, r.Defaults), record: r}
}
