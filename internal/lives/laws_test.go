// The laws, as far as they compare what eNMS holds with plans and states.

package lives

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

// The laws.
const (
	lawSettled = "an apply that succeeded is followed by an empty plan"
	lawMended  = "a failed apply is mended by at most two more, or its error names what must be done"
	lawShown   = "nothing is deleted or changed that the plan did not show"
	lawOrphan  = "what the provider made is in a state or not in eNMS"
	lawLost    = "what is in the state is in eNMS"
	lawRuns    = "the provider does not crash"
	lawID      = "an object keeps its id as long as its address lives on"
)

// slotsOf returns the instances of an object of the state, by their slots.
func slotsOf(address string, o *terraformtest.Object, h holdings) map[slot]*instance {
	slots := map[slot]*instance{}
	if o == nil || o.Value.IsNull() || typeOf(address) == "enms_workflow_layout" { // which is no instance
		return slots
	}
	if typeOf(address) != many {
		id, _ := strconv.ParseInt(textOf(o.Value, "id"), 10, 64)
		slots[slot{address, ""}] = h[key{familyOf(strings.TrimPrefix(typeOf(address), "enms_")), id}]
		return slots
	}
	family, ids := familyOf(textOf(o.Value, "type")), entryIDs(o.Private)
	for name, entry := range terraformtest.Members(terraformtest.Members(o.Value)["instances"]) {
		actual := name
		if renamed := textOf(entry, "name"); renamed != "" {
			actual = renamed
		}
		slots[slot{address, name}] = h.named(family, actual)
		if i := h[key{family, ids[name]}]; slots[slot{address, name}] == nil && i != nil {
			slots[slot{address, name}] = i // renamed by others since it was read
		}
	}
	return slots
}

// entryIDs returns the ids of entries, which enms_instances keeps in its private state.
func entryIDs(private []byte) map[string]int64 {
	var kept struct {
		Records map[string]struct {
			ID int64 `json:"id,string"`
		} `json:"records"`
	}
	_ = json.Unmarshal(private, &kept) // other resources keep other things
	ids := map[string]int64{}
	for name, record := range kept.Records {
		ids[name] = record.ID
	}
	return ids
}

// shown is what a plan shows.
type shown struct {
	deleted, changed map[key]bool
	left             map[key]bool // by the deletion policies abandon and disable
	cascades         bool         // something is deleted with what depends on it
}

// shows reads a plan.
func (l *life) shows(before holdings, p *terraformtest.Plan) shown {
	s := shown{map[key]bool{}, map[key]bool{}, map[key]bool{}, false}
	for address, ch := range p.Changes {
		old := slotsOf(address, ch.Before, before)
		policy := l.policy(ch)
		s.cascades = s.cascades || ch.Action != terraformtest.Noop && policy == "cascade"
		for at, i := range old {
			if i == nil {
				continue
			}
			if ch.Action.Destroys() || ch.Action == terraformtest.Update && l.dropsEntry(ch, at.entry) {
				if policy == "abandon" || policy == "disable" {
					s.left[i.key] = true
				} else {
					s.deleted[i.key] = true
				}
			}
			if ch.Action == terraformtest.Delete || ch.Action.Creates() && !sameEntry(ch, at.entry) {
				s.changed[i.key] = true
			}
		}
		if ch.Action.Creates() { // may take over
			for _, n := range l.config.names(address) {
				if i := before.named(n.family, n.name); i != nil && (typeOf(address) != many || !sameEntry(ch, n.name)) {
					s.changed[i.key] = true
				}
			}
		}
	}
	return s
}

// policy returns the deletion policy of what a change deletes.
func (l *life) policy(ch *terraformtest.Change) string {
	provider, _ := l.tf.settings["deletion_policy"].(string)
	var policy string
	if ch.Before != nil && ch.Action != terraformtest.Update {
		policy = textOf(ch.Before.Value, "deletion_policy")
	} else {
		policy = textOf(ch.Plan.Value, "deletion_policy")
	}
	if policy == "" {
		return provider
	}
	return policy
}

// dropsEntry reports whether an update of an enms_instances takes an entry out.
func (l *life) dropsEntry(ch *terraformtest.Change, entry string) bool {
	if entry == "" {
		return false
	}
	next := terraformtest.Members(terraformtest.Members(ch.Plan.Value)["instances"])
	if _, stays := next[entry]; stays {
		return false
	}
	renamed := textOf(terraformtest.Members(ch.Plan.Value)["renames"], entry)
	_, is := next[renamed]
	return !is
}

// sameEntry reports whether an update leaves an entry as it is.
func sameEntry(ch *terraformtest.Change, entry string) bool {
	if entry == "" || ch.Action != terraformtest.Update {
		return false
	}
	if !terraformtest.Members(ch.Before.Value)["defaults"].Equal(terraformtest.Members(ch.Plan.Value)["defaults"]) {
		return false // which are of all entries
	}
	before, is := terraformtest.Members(terraformtest.Members(ch.Before.Value)["instances"])[entry]
	if renames := terraformtest.Members(terraformtest.Members(ch.Plan.Value)["renames"]); !renames[entry].IsNull() {
		return false
	}
	return is && before.Equal(terraformtest.Members(terraformtest.Members(ch.Plan.Value)["instances"])[entry])
}

// checkShown checks that an apply has changed nothing beside its plan.
func (l *life) checkShown(before, after holdings, p *terraformtest.Plan, forgets bool) error {
	s := l.shows(before, p)
	for _, i := range before.sorted() {
		now := after[i.key]
		switch {
		case now == nil && !s.deleted[i.key] && s.goesAlong(i):
			l.forget(i.key)
		case now == nil && !s.deleted[i.key]:
			return &violation{law: lawShown, what: fmt.Sprintf("%s was deleted; the plan was: %s", i, p)}
		case now != nil && !s.changed[i.key]:
			if differ := differences(i, now); differ != "" && !followsWorkflow(i, now, before, after) {
				return &violation{law: lawShown, what: fmt.Sprintf("%s was changed: %s; the plan was: %s", i, differ, p)}
			}
		}
	}
	for k, i := range after {
		// What was deleted may have left its id to what was made: SQLite gives ids again.
		anew := before[k] == nil || s.deleted[k]
		renamed := before[k] != nil && before[k].name != i.name
		if forgets && anew && (renamed || l.slotOf(k, after) == nil) {
			l.theirs[k] = true
		}
	}
	for k := range s.left {
		if after[k] != nil && l.slotOf(k, after) == nil {
			l.theirs[k] = true // Terraform has forgotten it, as it was asked to
		}
	}
	return nil
}

// goesAlong reports whether an instance was deleted with another one as the documentation
// says: edges go with their services, and all that depends on something with the policy
// cascade, also what this configuration manages.
func (s shown) goesAlong(i *instance) bool { return i.family == "workflow_edge" || s.cascades }

// differences lists the fields that differ.
func differences(before, after *instance) string {
	var differ []string
	for _, name := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(sortedKeys(before.fields), sortedKeys(after.fields))))) {
		if !reflect.DeepEqual(before.fields[name], after.fields[name]) {
			differ = append(differ, fmt.Sprintf("%s %v -> %v", name, before.fields[name], after.fields[name]))
		}
	}
	return strings.Join(differ, ", ")
}

// followsWorkflow reports whether a service has only followed the new name of its
// workflow, as eNMS does by itself. The workflow may be in another one: [[W2] W1] S1.
func followsWorkflow(i, now *instance, before, after holdings) bool {
	for k, workflow := range before {
		own, is := strings.CutPrefix(i.name, "["+workflow.name+"] ")
		if is && i.family == "service" && k.family == "service" && after[k] != nil && now.name == "["+after[k].name+"] "+own {
			return differences(i, now) == fmt.Sprintf("name %s -> %s", i.name, now.name)
		}
	}
	return false
}

// slotOf returns the slot of an instance in the state, nil when it has none.
func (l *life) slotOf(k key, h holdings) *slot {
	for _, address := range slices.Sorted(maps.Keys(l.tf.State)) {
		for at, i := range slotsOf(address, l.tf.State[address], h) {
			if i != nil && i.key == k {
				return &at
			}
		}
	}
	for _, address := range slices.Sorted(maps.Keys(l.tf.State)) { // its name may have been given to another one
		o := l.tf.State[address]
		for name, id := range entryIDs(o.Private) {
			if _, is := terraformtest.Members(terraformtest.Members(o.Value)["instances"])[name]; is && k == (key{familyOf(textOf(o.Value, "type")), id}) {
				return &slot{address, name}
			}
		}
	}
	return nil
}

// checkMade checks that what the provider made is in the state.
func (l *life) checkMade(h holdings) error {
	for _, i := range h.sorted() {
		if l.installed[i.key] == nil && !l.theirs[i.key] && l.slotOf(i.key, h) == nil {
			return &violation{law: lawOrphan, what: fmt.Sprintf("%s is in no state", i)}
		}
	}
	return nil
}

// checkSettled compares the state with eNMS after an apply that succeeded.
func (l *life) checkSettled(h holdings) error {
	held := map[key]slot{}
	now := map[slot]key{}
	for _, address := range slices.Sorted(maps.Keys(l.tf.State)) {
		for at, i := range slotsOf(address, l.tf.State[address], h) {
			if i == nil {
				return &violation{law: lawLost, what: fmt.Sprintf("%v is not there", at)}
			}
			if typ := textOf(l.tf.State[address].Value, "type"); typ != "" && typ != i.typ {
				return &violation{law: lawLost, what: fmt.Sprintf("%v is a %s, and %s is there", at, typ, i)}
			}
			if other, twice := held[i.key]; twice {
				return &violation{law: lawLost, what: fmt.Sprintf("%s is in the state twice: %v and %v", i, other, at)}
			}
			held[i.key], now[at] = at, i.key
			delete(l.theirs, i.key)
		}
	}
	for at, k := range l.ids {
		if now[at] != k {
			return &violation{law: lawID, what: fmt.Sprintf("%v had %v and has %v", at, k, now[at])}
		}
	}
	l.ids = now
	return l.checkMade(h)
}
