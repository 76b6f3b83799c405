// The laws, as far as they compare what eNMS holds with plans and states.

package lives

import (
	"cmp"
	"context"
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
	lawID      = "an object keeps its id as long as its address lives on, and no other one adopts it"
	lawForeign = "nothing is written or deleted in eNMS that this state did not have"
	lawSame    = "the same world gives the same plan"
)

// slotsOf returns the instances of an object of the state, by their slots. If eNMS has not told which instance it is, it is
// what has the name.
func slotsOf(address string, o *terraformtest.Object, h holdings) map[slot]*instance {
	slots := map[slot]*instance{}
	if o == nil || o.Value.IsNull() || typeOf(address) == "enms_workflow_layout" { // which is no instance
		return slots
	}
	if typeOf(address) != many {
		family := familyOf(strings.TrimPrefix(typeOf(address), "enms_"))
		id, _ := strconv.ParseInt(textOf(o.Value, "id"), 10, 64)
		slots[slot{address, ""}] = h[key{family, id}]
		if isUntold(address, o) {
			slots[slot{address, ""}] = h.named(family, textOf(o.Value, "name"))
		}
		return slots
	}
	family, records := familyOf(textOf(o.Value, "type")), entryRecords(o.Private)
	for name, entry := range entriesHeld(o.Value) {
		actual := name
		if renamed := textOf(entry, "name"); renamed != "" {
			actual = renamed
		}
		if r := records[name]; r.ID != 0 && r.Kept.Untold == "" {
			slots[slot{address, name}] = h[key{family, r.ID}]
		} else {
			slots[slot{address, name}] = h.named(family, actual)
		}
	}
	return slots
}

// isUntold reports whether the last read of an object of the state did not tell which instance it is.
func isUntold(address string, o *terraformtest.Object) bool {
	if typeOf(address) == many {
		return false
	}
	var kept struct {
		Instance []byte `json:"instance"`
	}
	var record keptRecord
	_ = json.Unmarshal(o.Private, &kept)
	_ = json.Unmarshal(kept.Instance, &record) // an empty one is told
	return record.Untold != ""
}

// isUntold reports whether the last read of a slot did not tell which instance it has.
func (l *life) isUntold(at slot) bool {
	o := l.tf.State[at.address]
	return o != nil && (isUntold(at.address, o) || typeOf(at.address) == many && entryRecords(o.Private)[at.entry].Kept.Untold != "")
}

// keptRecord is what the provider keeps of an instance, as far as lives read it.
type keptRecord struct {
	Untold string `json:"untold"`
}

// entryRecord is what the provider keeps of an entry, as far as lives read it.
type entryRecord struct {
	ID   int64      `json:"id,string"`
	Kept keptRecord `json:"kept"`
}

// entryRecords returns the records of entries, which enms_instances keeps in its private state.
func entryRecords(private []byte) map[string]entryRecord {
	var kept struct {
		Records map[string]entryRecord `json:"records"`
	}
	_ = json.Unmarshal(private, &kept) // other resources keep other things
	return kept.Records
}

// shown is what a plan shows.
type shown struct {
	deleted, changed map[key]bool
	left             map[key]bool // by the deletion policies abandon and disable
	taken            map[key]bool // by creations that adopt
	cascades         bool         // something is deleted with what depends on it
}

// shows reads a plan.
func (l *life) shows(before holdings, p *terraformtest.Plan) shown {
	s := shown{map[key]bool{}, map[key]bool{}, map[key]bool{}, map[key]bool{}, false}
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
					if l.adopts(address) {
						s.taken[i.key] = true
					}
				}
			}
		}
	}
	if l.byName() {
		for address, o := range p.Prior {
			for _, i := range slotsOf(address, o, before) {
				if i != nil {
					s.taken[i.key] = true
				}
			}
		}
	}
	return s
}

// byName reports whether the user has said that the name decides.
func (l *life) byName() bool { return l.tf.settings["identify_by"] == "name" }

// adopts reports whether a creation at an address may take over what exists.
func (l *life) adopts(address string) bool {
	return l.byName() || l.tf.settings["adopt_existing"] == true || l.config.blocks[address]["adopt_existing"] == true
}

// policy returns the deletion policy of what a change deletes.
func (l *life) policy(ch *terraformtest.Change) string {
	of := ch.Plan.Value
	if ch.Before != nil && ch.Action != terraformtest.Update {
		of = ch.Before.Value
	}
	provider, _ := l.tf.settings["deletion_policy"].(string)
	return cmp.Or(textOf(of, "deletion_policy"), provider)
}

// dropsEntry reports whether an update of an enms_instances takes an entry out.
func (l *life) dropsEntry(ch *terraformtest.Change, entry string) bool {
	if entry == "" {
		return false
	}
	next := entriesHeld(ch.Plan.Value)
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
	before, is := entriesHeld(ch.Before.Value)[entry]
	renames := terraformtest.Members(terraformtest.Members(ch.Plan.Value)["renames"])
	return is && renames[entry].IsNull() && before.Equal(entriesHeld(ch.Plan.Value)[entry])
}

// checkShown checks that an apply has changed nothing beside its plan.
func (l *life) checkShown(before, after holdings, p *terraformtest.Plan, forgets bool) error {
	s := l.shows(before, p)
	for _, i := range before.sorted() {
		now, owned := after[i.key], l.had[l.births[i.key]] || s.taken[i.key]
		isLogged, isAlike := l.alike[l.births[i.key]]
		hasLeftID := (l.again || s.destroysService()) && now != nil && now.name != i.name && (!s.changed[i.key] || l.isAnother(now, after)) // SQLite gives ids again
		switch {
		case (now == nil || hasLeftID) && !s.deleted[i.key] && s.goesAlong(i):
			l.forget(i.key)
			s.deleted[i.key] = s.deleted[i.key] || hasLeftID
		case now == nil && !s.deleted[i.key]:
			return &violation{law: lawShown, what: fmt.Sprintf("%s was deleted; the plan was: %s", i, p)}
		case now == nil && !owned && (!isAlike || isLogged):
			return &violation{law: lawForeign, what: fmt.Sprintf("%s was deleted; the plan was: %s", i, p)}
		case now != nil && (!s.changed[i.key] || !owned && !isAlike):
			differ := differences(i, now)
			if differ == "" || followsWorkflow(i, now, before, after) {
				continue
			}
			law := lawForeign
			if !s.changed[i.key] {
				law = lawShown
			}
			return &violation{law: law, what: fmt.Sprintf("%s was changed: %s; the plan was: %s", i, differ, p)}
		}
	}
	born := l.born
	l.bear(after, func(k key) bool { // SQLite gives ids again
		return s.deleted[k] && differences(before[k], after[k]) != ""
	})
	for birth := born + 1; birth <= l.born; birth++ {
		l.had[birth] = true
	}
	l.adopt(before, after, s)
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
			delete(l.had, l.births[k])
		}
	}
	if l.byName() {
		for k := range before {
			if after[k] != nil && l.slotOf(k, after) == nil {
				l.theirs[k] = true // another one has its name
			}
		}
	}
	return nil
}

// destroysService reports whether a plan deletes a service, and with it its edges.
func (s shown) destroysService() bool {
	for k := range s.deleted {
		if k.family == "service" {
			return true
		}
	}
	return false
}

// isAnother reports whether the state has another name for an instance, because it has the id of what the state had.
func (l *life) isAnother(now *instance, h holdings) bool {
	at := l.slotOf(now.key, h)
	return at != nil && at.entry == "" && textOf(l.tf.State[at.address].Value, "name") != now.name
}

// bear gives numbers to the objects that have none, and to those that a function says are new ones with the ids of others.
func (l *life) bear(after holdings, isAnother func(key) bool) {
	for k := range l.births {
		if after[k] == nil {
			delete(l.births, k)
		}
	}
	for _, i := range after.sorted() {
		if l.births[i.key] == 0 || isAnother != nil && isAnother(i.key) {
			l.born++
			l.births[i.key] = l.born
		}
	}
}

// adopt records what an apply has adopted.
func (l *life) adopt(before, after holdings, s shown) {
	for address, o := range l.tf.State {
		for at, i := range slotsOf(address, o, after) {
			_, isAlike := l.alike[l.births[keyOf(i)]]
			if i != nil && (s.taken[i.key] || isAlike && before[i.key] != nil && differences(before[i.key], i) != "") && !l.isUntold(at) {
				l.had[l.births[i.key]] = true
			}
		}
	}
}

// keyOf returns the key of an instance, that of nothing for nil.
func keyOf(i *instance) key {
	if i == nil {
		return key{}
	}
	return i.key
}

// isTakenFor reports whether the state has an instance with the id and the name of one that others have made: eNMS 4 with
// SQLite gives ids again, and only a deletion asks the changelog then. That of a tainted resource cannot: Terraform does
// not pass its private state, and with it the mark from which on to look.
func (l *life) isTakenFor(i *instance) (is, tainted bool) {
	for address, o := range l.tf.State {
		for at, held := range slotsOf(address, o, holdings{i.key: i}) {
			name := at.entry
			if typeOf(address) != many {
				name = textOf(o.Value, "name")
			}
			if held == i && name == i.name && i.fields["creation_time"] == nil {
				return true, o.Tainted
			}
		}
	}
	return false, false
}

// checkSame makes a plan again, one operation after the other, if others have changed something since the last plan.
func (l *life) checkSame(ctx context.Context, p *terraformtest.Plan, found terraformtest.Found, a apply) error {
	if !l.hasChanged || len(a.faults) > 0 {
		return nil
	}
	l.hasChanged, l.tf.Parallelism = false, 1
	defer func() { l.tf.Parallelism = 0 }()
	again, foundAgain := l.tf.plan(ctx, l.config, a.replace...)
	l.counts["plans"]++
	one, two := fmt.Sprint(p, "\n", &run{found: found.Errors()}), fmt.Sprint(again, "\n", &run{found: foundAgain.Errors()})
	if one != two {
		return &violation{law: lawSame, what: one + "and\n" + two}
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
			if l.isUntold(at) {
				delete(l.ids, at)
				continue
			}
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
		by, taken := held[k]
		isTakenOver := taken && by.address != at.address && l.adopts(by.address) // an address that adopts came first
		if now[at] != k && !isTakenOver {
			return &violation{law: lawID, what: fmt.Sprintf("%v had %v and has %v", at, k, now[at])}
		}
	}
	l.ids = now
	return l.checkMade(h)
}
