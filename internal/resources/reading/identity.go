// This file decides which instance in eNMS is the one of a state, by what eNMS says: ids, creation_time, and the
// changelog. No content is compared.

package reading

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Identity is which instance in eNMS is the one of a state. Exactly one of Row, Gone and Untold is set.
type Identity struct {
	Row      value.Object      // its row, with at least id, name and type
	Renamed  *failures.Renamed // the rename by others because of which the row has another name than the state; nil if it has none
	Gone     bool              // it no longer exists
	Made     *enms.Change      // for Gone: how the instance that now has its name got it; nil if the changelog does not tell
	Untold   string            // why neither eNMS nor the user tells, as the beginning of a sentence
	Unmarked bool              // the origin of the state no longer says where the instance is, so that a new one is due
}

// Name returns the name of the instance.
func (i Identity) Name() string { return nameOf(i.Row) }

// When says whether an identity may rest on what was read before.
type When bool

// The values of When.
const (
	Earlier When = false // it may: for the reads of a plan
	Now     When = true  // it must not: somebody may have changed eNMS since the plan
)

// Identify decides which instance of eNMS is that of a state. named is the row of the instance that now has the name from
// the state, or nil if there is none. If eNMS may hide the instance from this user, the error is *enms.MaybeHiddenError.
func (r *Reader) Identify(ctx context.Context, state kind.Values, rec record.Record, named value.Object, when When) (Identity, error) {
	i := identification{Reader: r, state: state, record: rec, named: named, when: when,
		name: value.Text(state[kind.RowName]), id: value.Text(state[kind.RowID])}
	if rec.Origin != nil {
		i.origin = *rec.Origin
	}
	found, err := i.decide(ctx)
	if err == nil && when == Earlier { // a failed read says nothing about a later deletion
		r.Provider.Lookups.Found.Store(r.keyOf(state), Identity{Renamed: found.Renamed, Untold: found.Untold}) // without the row, to save memory
	}
	return found, err
}

// Found returns what plans need of the identity that the last read of this run has found: Renamed and Untold. Without a
// read, only the record tells: Terraform 1.11 plans the deletion of what has no block before it reads it.
func (r *Reader) Found(state kind.Values, rec record.Record) Identity {
	if r.Provider.IdentifyByName {
		return Identity{}
	}
	if found, is := r.Provider.Lookups.Found.Load(r.keyOf(state)); is {
		return found.(Identity)
	}
	return Identity{Untold: rec.Untold}
}

// keyOf returns the key of the instance of a state in Lookups.Found.
func (r *Reader) keyOf(state kind.Values) resources.Instance {
	return resources.Instance{Type: r.Kind.Namespace, Name: r.part, ID: value.Text(state[kind.RowID])}
}

// identification is one call of Identify.
type identification struct {
	*Reader
	state    kind.Values
	record   record.Record
	origin   record.Origin // the zero value if there is none
	name, id string
	named    value.Object
	withID   value.Object // the row with the id, unless it is that of another instance; nil before byID has asked
	when     When
}

// decide is Identify.
func (i *identification) decide(ctx context.Context) (Identity, error) {
	switch {
	case i.id == "", i.Provider.IdentifyByName && i.when == Earlier:
		return i.byName(ctx)
	case i.Provider.IdentifyByName: // what the plan has read by the name
		if idOf(i.named) != i.id {
			return Identity{Gone: true}, nil
		}
		return Identity{Row: i.named}, nil
	}
	return i.byID(ctx)
}

// byName is Identify for a user who has said that the name decides.
func (i *identification) byName(ctx context.Context) (Identity, error) {
	if err := i.byPlace(ctx); err != nil {
		return Identity{}, err
	}
	if i.named != nil {
		return Identity{Row: i.named, Unmarked: true}, nil
	}
	if err := i.proveGone(ctx, i.state); err != nil && i.record.PendingCreate == nil {
		return Identity{}, err
	}
	return Identity{Gone: true}, nil
}

// byPlace sets named to the row of what has the place of the state, by the names in it, whatever its own name: the
// members of a renamed container keep theirs. If nothing has them, what has the name counts if it is in the same container.
func (i *identification) byPlace(ctx context.Context) error {
	if i.Kind.Place == nil || i.id == "" || i.hasNamesOf(i.Kind.Place.Attributes) {
		return nil
	}
	row, err := i.atPlaceOf(ctx, func(value.Object) bool { return true })
	if err != nil {
		return err
	}
	if row != nil {
		i.named = row
	} else if !i.hasNamesOf([]string{i.Kind.Place.Container}) {
		i.named = nil
	}
	return nil
}

// hasNamesOf reports whether the row of what has the name has some attributes as in the state. No row has none.
func (i *identification) hasNamesOf(attributes []string) bool {
	return !slices.ContainsFunc(attributes, func(a string) bool { return i.named[a] != value.Text(i.state[a]) })
}

// byID is Identify where ids, creation_time and the changelog decide.
func (i *identification) byID(ctx context.Context) (Identity, error) {
	if i.named != nil && idOf(i.named) == i.id && !i.contradicts(i.named) {
		if i.hasCreationTime(i.named) {
			return Identity{Row: i.named}, nil
		}
		status, err := i.findMark(ctx)
		if status == enms.MarkLost || err != nil {
			return Identity{Untold: i.markIsLost()}, err
		}
		return Identity{Row: i.named, Unmarked: status == enms.MarkExpired}, nil
	}
	withID, err := i.findID(ctx)
	if err != nil {
		return Identity{}, err
	}
	if withID != nil && !i.contradicts(withID) {
		i.withID = withID
	}
	if row, err := i.atPlace(ctx); row != nil || err != nil {
		return Identity{Row: row, Unmarked: true}, err
	}
	switch {
	case i.hasCreationTime(i.withID) && i.hasCreationTime(i.named): // two that were created together: the changelog decides
	case i.hasCreationTime(i.withID):
		return i.renamed(ctx), nil
	case i.hasCreationTime(i.named): // a restore gave it another id
		return Identity{Row: i.named, Unmarked: true}, nil
	}
	if status, err := i.findMark(ctx); status == enms.MarkLost || err != nil {
		return Identity{Untold: i.markIsLost()}, err
	}
	if i.isRenamedByUs(nameOf(i.withID)) {
		return Identity{Row: i.withID}, nil
	}
	return i.byChangelog(ctx, withID)
}

// byChangelog is byID for an instance that is not where the state says. withID is what has its id, whoever it is.
func (i *identification) byChangelog(ctx context.Context, withID value.Object) (Identity, error) {
	var hidden error
	if i.named == nil && withID == nil {
		if hidden = i.proveGone(ctx, i.state); hidden == nil {
			return Identity{Gone: true}, nil
		}
		if !errors.As(hidden, new(*enms.MaybeHiddenError)) {
			return Identity{}, hidden
		}
	}
	fate, err := i.fate(ctx)
	switch {
	case err != nil:
		return Identity{}, err
	case fate.Renamed != nil: // then something has the id
		return i.renamedBy(fate.Renamed), nil
	case fate.Deleted != nil:
		return Identity{Gone: true, Made: fate.Made}, nil
	case hidden != nil:
		return Identity{}, hidden
	}
	return Identity{Untold: i.untold(withID)}, nil
}

// untold says why the changelog does not help. withID is what has the id of the instance, whoever it is.
func (i *identification) untold(withID value.Object) string {
	const silent = ", and eNMS's changelog does not say why"
	switch {
	case i.withID != nil && i.origin.Mark == nil: // as after a kill of the provider, and for what is tainted
		return fmt.Sprintf("The %s with its id (%s) is named %q, and Terraform has no record by which eNMS's changelog could tell whether it was renamed", i.Kind.Name, i.id, nameOf(i.withID))
	case i.withID != nil:
		return fmt.Sprintf("The %s with its id (%s) is named %q, and eNMS's changelog has no such rename", i.Kind.Name, i.id, nameOf(i.withID))
	case i.named == nil:
		return fmt.Sprintf("Its id (%s) belongs to another %s, %q%s", i.id, i.Kind.Name, nameOf(withID), silent)
	case idOf(i.named) == i.id:
		return fmt.Sprintf("The %s with its name and its id (%s) is a newer one%s", i.Kind.Name, i.id, silent)
	}
	return fmt.Sprintf("The %s with its name has the id %s, not %s%s", i.Kind.Name, idOf(i.named), i.id, silent)
}

// fate asks the changelog what became of the instance.
func (i *identification) fate(ctx context.Context) (enms.Fate, error) {
	if i.origin.Mark == nil {
		return enms.Fate{}, nil
	}
	return i.Provider.Client.Fate(ctx, i.subject())
}

// subject is the instance as the changelog knows it.
func (i *identification) subject() enms.Subject {
	return enms.Subject{Type: i.origin.Type, Name: i.origin.Name, NameNow: nameOf(i.withID), Since: *i.origin.Mark, After: i.origin.After, Now: bool(i.when), Wanted: i.name}
}

// renamed is the identity of an instance whose creation_time shows that somebody renamed it. The changelog only tells
// who did so.
func (i *identification) renamed(ctx context.Context) Identity {
	if i.isRenamedByUs(nameOf(i.withID)) {
		return Identity{Row: i.withID}
	}
	fate, _ := i.fate(ctx)
	return i.renamedBy(fate.Renamed)
}

// renamedBy is the identity of an instance that somebody renamed. by is the entry of the changelog, or nil.
func (i *identification) renamedBy(by *enms.Change) Identity {
	renamed := &failures.Renamed{From: i.name, To: nameOf(i.withID)}
	if by != nil {
		renamed.By, renamed.At = by.Author, by.At()
	}
	return Identity{Row: i.withID, Renamed: renamed}
}

// isRenamedByUs reports whether a name is the old or the new one of a rename by this provider whose outcome the state
// does not have.
func (i *identification) isRenamedByUs(name string) bool {
	pending := i.record.PendingRename
	return pending != nil && (pending.Sent["new_name"] == name || pending.Sent[kind.RowName] == name)
}

// hasCreationTime reports whether a row has the recorded creation_time. Several instances may have the same, so the row
// must have the id or the name, too.
func (i *identification) hasCreationTime(row value.Object) bool {
	return i.origin.Created != "" && createdOf(row) == i.origin.Created
}

// contradicts reports whether a row is that of another instance, although it has the id: eNMS changes neither a
// creation_time nor a type.
func (i *identification) contradicts(row value.Object) bool {
	otherTime := i.origin.Created != "" && createdOf(row) != "" && !i.hasCreationTime(row)
	otherType := i.origin.Type != "" && typeOf(row) != "" && typeOf(row) != i.origin.Type
	return otherTime || otherType
}

// findID returns the row with the id, or nil.
func (i *identification) findID(ctx context.Context) (row value.Object, err error) {
	if i.when == Now {
		row, err = i.Provider.Client.FindByID(ctx, i.Kind.Name, i.id)
	} else {
		row, err = i.Provider.Client.FindTogetherByID(ctx, i.Kind.Name, i.id)
	}
	if errors.Is(err, enms.ErrNotFound) {
		return nil, nil
	}
	return row, err
}

// atPlace returns the row at the place of the state, whatever its name and id, or nil. The place must refer to the same
// instances, and not to others that have got their names.
func (i *identification) atPlace(ctx context.Context) (value.Object, error) {
	if i.Kind.Place == nil || len(i.origin.Ends) == 0 {
		return nil, nil
	}
	return i.atPlaceOf(ctx, func(row value.Object) bool { return slices.Equal(states.Ends(i.Kind, row), i.origin.Ends) })
}

// atPlaceOf returns the first row at the place of the state for which is returns true, or nil.
func (i *identification) atPlaceOf(ctx context.Context, is func(row value.Object) bool) (value.Object, error) {
	rows, err := i.RowsAtPlace(ctx, i.state, states.Columns(i.Kind, i.state))
	for _, row := range rows {
		if is(row) && !enms.Deleted(row) {
			return row, nil
		}
	}
	return nil, err
}

// findMark reports whether the changelog still has the mark of the state. A state without a mark counts as found: then
// nothing indicates another database.
func (i *identification) findMark(ctx context.Context) (enms.MarkStatus, error) {
	if i.origin.Mark == nil {
		return enms.MarkFound, nil
	}
	return i.Provider.Client.FindMark(ctx, *i.origin.Mark)
}

// markIsLost is the reason why nothing is told by another database.
func (i *identification) markIsLost() string {
	return fmt.Sprintf("eNMS was restored from a backup, its changelog was emptied, or another server responds at this address: the changelog has no entry of %s, the newest one when the state was written", enms.Seconds(i.origin.Mark.Time))
}

// IsMeanwhileAnother reports whether the instance with the id and the name of a state is another one, created under the
// name since the plan: eNMS 4 with SQLite gives the ids of deleted instances to new ones.
func (r *Reader) IsMeanwhileAnother(ctx context.Context, state kind.Values, rec record.Record, row value.Object) (bool, error) {
	i := identification{Reader: r, state: state, withID: row, when: Earlier}
	if rec.Origin == nil || rec.Origin.Created != "" || r.Kind.Place != nil {
		return false, nil
	}
	i.origin = *rec.Origin
	fate, err := i.fate(ctx)
	return fate.Deleted != nil, err
}

// Origin returns the origin to record for an instance that has had its name since before the mark was taken. If the
// changelog cannot be read, the origin has no mark, and the next read takes one.
func (r *Reader) Origin(ctx context.Context, answer value.Object) *record.Origin {
	return &record.Origin{Server: r.Provider.Client.Address(), Mark: r.Provider.Client.TakeMark(ctx), Type: typeOf(answer),
		Name: nameOf(answer), Created: createdOf(answer), Ends: states.Ends(r.Kind, answer)}
}

// OriginOfNew is Origin for an instance that was created. hadMark says that the mark was taken before the creation: what
// the changelog says of the name between the two is about other instances.
func (r *Reader) OriginOfNew(ctx context.Context, answer value.Object, hadMark bool) *record.Origin {
	origin := r.Origin(ctx, answer)
	origin.After = hadMark
	return origin
}

// OriginAfterRead returns the origin to record after a read that has found an instance: as it was, with what was missing,
// or a new one if it is about another instance than that with the id. answer is what was read.
func (r *Reader) OriginAfterRead(ctx context.Context, private record.Record, found Identity, id string, answer value.Object) *record.Origin {
	isTold := found.Untold == ""
	if isTold && (found.Unmarked || private.Origin == nil || private.Origin.Mark == nil || idOf(answer) != id) {
		return r.Origin(ctx, answer)
	}
	if private.Origin == nil {
		return nil
	}
	next := *private.Origin
	next.Server = r.Provider.Client.Address() // it may have moved (former_base_urls)
	if isTold && next.Created == "" {
		next.Created = createdOf(answer)
	}
	return &next
}

func nameOf(row value.Object) string {
	name, _ := row[kind.RowName].(string)
	return name
}

func typeOf(row value.Object) string {
	typ, _ := row["type"].(string)
	return typ
}

func idOf(row value.Object) string { return fmt.Sprint(row[kind.RowID]) }

func createdOf(row value.Object) string {
	created, _ := row[object.LineField].(string)
	return created
}

// proveGone is enms.Client.ProveGone for the instance of a state. It returns nil if this run has deleted
// the instance, by itself or together with another one.
func (r *Reader) proveGone(ctx context.Context, state kind.Values) error {
	name, id := value.Text(state[kind.RowName]), value.Text(state[kind.RowID])
	if known := r.Provider.Run.Owners.Find(r.Kind.Namespace, name, id); known != nil && known.Status == applying.Deleted {
		return nil
	}
	return r.Provider.Client.ProveGone(ctx, r.Kind.Name, r.Kind.Namespace, name, id)
}
