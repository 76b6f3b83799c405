// This file decides which instance of eNMS is the one in a state. A backup and restore of eNMS
// gives every object another id (enms-rest.md 0.6), so the name and the content come first.

package lifecycle

import (
	"fmt"
	"strconv"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// named is the instance that has the name in a state.
type named struct {
	id          string
	sameContent bool // as the state
}

// mayBeRenamed reports whether the instance with the id of a state may be its instance, although
// it has another name. withName is the instance with the name in the state, or nil. It is the
// instance if it has the id or the content of the state. If its id is smaller, nobody made it after
// a rename of the other one, because ids grow. That does not count among the entries of one
// enms_instances, which may have exchanged their names: they never share an instance.
func mayBeRenamed(id string, withName *named, amongEntries bool) bool {
	switch {
	case id == "":
		return false
	case withName == nil:
		return true
	case withName.id == id, withName.sameContent:
		return false
	case amongEntries:
		return true
	}
	had, hadErr := strconv.ParseInt(id, 10, 64)
	has, hasErr := strconv.ParseInt(withName.id, 10, 64)
	return hadErr != nil || hasErr != nil || has > had
}

// withName returns what mayBeRenamed compares with a state, given the result of a read by name.
func (r *Instances) withName(answer value.Object, err error, state kind.Values) *named {
	if err != nil {
		return nil
	}
	return &named{id: fmt.Sprint(answer[kind.RowID]), sameContent: states.SameContent(r.kind, answer, state, nil)}
}
