// This file reads instances, finds instances that somebody else has renamed, and decides when
// an instance is gone. It declares the record that is kept beside the state of an instance, in
// Terraform's private state: the managed attributes, and pending writes, whose outcome is
// unknown until a read decides it.

package lifecycle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/sync/errgroup"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Read returns the state of an instance as eNMS has it, and the record to keep beside the
// state. It returns no state, and Terraform removes the instance from its own, if the instance
// is gone, or if the instance with its name is not the one that a pending creation made. If
// the instance's id now has another name, and no instance has its name, the state stays as it
// is: the plan decides whether it is the same instance (Record.PossibleName).
func (r *Instances) Read(ctx context.Context, state kind.Values, kept Record) (
	now kind.Values, next Record, diags diag.Diagnostics) {
	now, possible, diags := r.readPossible(ctx, state, kept)
	if now == nil {
		return nil, kept, diags
	}
	next = Record{Managed: r.kind.StillManaged(kept.Managed, state, now), Unfinished: kept.Unfinished}
	if possible == nil && kept.PossibleID != "" {
		possible = r.stillPossible(ctx, kept)
	}
	if possible != nil && possible.name != value.Text(now[kind.RowName]) {
		next.PossibleName = possible.name
		if possible.id != value.Text(now[kind.RowID]) {
			next.PossibleID = possible.id
		}
	}
	return now, next, diags
}

// readPossible reads the state for Read. possible is the instance with the id of the state, if
// it may be the same instance under another name.
func (r *Instances) readPossible(ctx context.Context, state kind.Values, private Record) (
	now kind.Values, possible *otherContentError, diags diag.Diagnostics) {
	name := value.Text(state[kind.RowName])
	if private.Moved {
		now, diags = r.readMoved(ctx, state)
		return now, nil, diags
	}
	if private.Imported {
		now, diags = r.readByName(ctx, verbImport, state, fmt.Sprintf("Cannot import %s %q", r.kind.Name, name), "Import by",
			func(answer value.Object) (kind.Values, error) { return r.kind.ImportedState(answer, state) })
		if now != nil { // Terraform may generate configuration from it
			var left diag.Diagnostics
			now, left = r.kind.WithoutInvalid(now)
			diags.Append(left...)
		}
		return now, nil, diags
	}
	answer, possible, err := r.findPossible(ctx, name, state, private)
	if err == nil {
		err = r.notOfAnotherType(name, state, answer)
	}
	switch {
	case err != nil && possible != nil && r.inMany:
		return nil, nil, append(r.failUnlessGone(ctx, verbRead, state, private), possible.left(r.kind.Name, name))
	case err != nil && possible != nil:
		return state, possible, nil
	case errors.Is(err, enms.ErrNotFound):
		return nil, nil, r.failUnlessGone(ctx, verbRead, state, private)
	case err == nil && !r.isOutcomeOfPending(private.PendingCreate, answer, state):
		return nil, nil, nil
	}
	if err == nil {
		now, err = r.stateOf(ctx, answer, r.stateBefore(answer, state))
	}
	if err != nil {
		return nil, nil, r.errorDiagnostic(verbRead, name, state, err)
	}
	return now, possible, nil
}

// findPossible finds the instance of a state by its name, or by its id if somebody may have renamed
// it.
func (r *Instances) findPossible(ctx context.Context, name string, state kind.Values, private Record) (
	answer value.Object, possible *otherContentError, err error) {
	wasNeverRead := state[kind.RowID].IsNull()
	answer, err = r.fetch(ctx, name, state, private.Managed, wasNeverRead)
	id, found := value.Text(state[kind.RowID]), r.withName(answer, err, state)
	if found != nil {
		r.provider.ids.of(r.kind.Name).note(found.id, id, found.sameContent)
	}
	if err != nil && !errors.Is(err, enms.ErrNotFound) || !mayBeRenamed(id, found, r.inMany) {
		return answer, nil, err
	}
	renamed, notRenamed := r.findRenamed(ctx, state, private)
	if other, is := errors.AsType[*otherContentError](notRenamed); is && other.ours {
		possible = other
	}
	if err != nil || !errors.Is(notRenamed, enms.ErrNotFound) && !is[*ambiguousError](notRenamed) {
		return renamed, possible, notRenamed
	}
	return answer, possible, nil // It counts as its replacement, unless the plan says otherwise.
}

// failUnlessGone returns an error if eNMS may hide an instance that was not found from this user.
// Users see what they have created, so that the outcome of a pending creation is no such case.
func (r *Instances) failUnlessGone(ctx context.Context, verb string, state kind.Values, private Record) diag.Diagnostics {
	if private.PendingCreate != nil {
		return nil
	}
	if err := r.proveGone(ctx, state); err != nil {
		return r.errorDiagnostic(verb, value.Text(state[kind.RowName]), state, err)
	}
	return nil
}

// proveGone is enms.Client.ProveGone for the instance of a state, unless this run has deleted it with
// another one.
func (r *Instances) proveGone(ctx context.Context, state kind.Values) error {
	if known := r.known(value.Text(state[kind.RowName]), value.Text(state[kind.RowID])); known != nil && known.fate == fateDeleted {
		return nil
	}
	return r.provider.Client.ProveGone(ctx, r.kind.Name, r.kind.Namespace, value.Text(state[kind.RowName]), value.Text(state[kind.RowID]))
}

// stateBefore returns the state with which a response is compared: without the versions of its
// secrets if it is about another instance, which may have others.
func (r *Instances) stateBefore(answer value.Object, state kind.Values) kind.Values {
	if hasAnotherID(answer, state) && !r.kind.SameContent(answer, state, nil) {
		return r.kind.WithoutVersions(state, state)
	}
	return state
}

// notOfAnotherType returns ErrNotFound for an entry of enms_instances if the instance with its name
// has another type than all instances of the resource: then it is somebody else's.
func (r *Instances) notOfAnotherType(name string, state kind.Values, answer value.Object) error {
	if r.inMany && r.checkType(name, state, answer) != nil {
		return enms.ErrNotFound
	}
	return nil
}

// readMoved reads an instance whose state was that of a resource of another type. It returns
// no state if the instance is gone.
func (r *Instances) readMoved(ctx context.Context, state kind.Values) (now kind.Values, diags diag.Diagnostics) {
	name := value.Text(state[kind.RowName])
	answer, err := r.getShared(ctx, name)
	id := value.Text(state[kind.RowID])
	if id != "" && !r.Adopts(state) && (errors.Is(err, enms.ErrNotFound) || err == nil && hasAnotherID(answer, state)) {
		if other, found := r.provider.Client.FindByID(ctx, r.kind.Name, id); found == nil {
			return nil, movedElsewhere(r.kind.Name, name, id, fmt.Sprintf("that is %q now", other[kind.RowName]))
		} else if !errors.Is(found, enms.ErrNotFound) {
			return nil, r.errorDiagnostic(verbRead, name, state, found)
		}
		if err == nil {
			return nil, movedElsewhere(r.kind.Name, name, id, "which no longer exists")
		}
	}
	if errors.Is(err, enms.ErrNotFound) {
		return nil, r.failUnlessGone(ctx, verbRead, state, Record{})
	}
	state = maps.Clone(state)
	delete(state, kind.RowID) // the rest is read as after an import
	if err == nil {
		err = r.confirmType(ctx, answer)
	}
	if err == nil {
		if !r.kind.AnyType && r.kind.HasSubtypes() { // the path of a generic REST provider may name another type
			delete(state, r.kind.SubtypeRow())
		}
		now, err = r.kind.ImportedState(answer, state)
	}
	if unknown := r.explainType(ctx, verbRead, state, err); unknown != nil {
		err = unknown
	}
	if err != nil {
		return nil, r.errorDiagnostic(verbRead, name, state, err)
	}
	return r.kind.WithoutInvalid(now)
}

// movedElsewhere is the error of a moved resource whose instance has another id than its name. Its
// values are not known any longer, so that nothing else tells which of them it is.
func movedElsewhere(typ, name, id, now string) diag.Diagnostics {
	return diag.Diagnostics{diag.NewErrorDiagnostic(fmt.Sprintf("Cannot move %s %q", typ, name),
		fmt.Sprintf("The state has the id %s, %s, and the name %q. Somebody has renamed or replaced the instance, or restored the server from a backup. Apply without the moved block, then move. To take over what has the name, set adopt_existing = true in the old resource, and apply that first.", id, now, name))}
}

// stillPossible returns the possible instance that an earlier read found, or nil if it has
// been renamed or deleted since.
func (r *Instances) stillPossible(ctx context.Context, private Record) *otherContentError {
	answer, err := r.provider.Client.FindByID(ctx, r.kind.Name, private.PossibleID)
	if errors.Is(err, enms.ErrNotFound) || err == nil && (answer[kind.RowName] != private.PossibleName || !r.provider.Client.WroteLast(answer)) {
		return nil
	}
	return &otherContentError{id: private.PossibleID, name: private.PossibleName, ours: true}
}

// hasAnotherID reports whether a response is about another instance than the state: somebody
// may have exchanged the names of two instances.
func hasAnotherID(answer value.Object, state kind.Values) bool {
	id := value.Text(state[kind.RowID])
	return id != "" && fmt.Sprint(answer[kind.RowID]) != id
}

func (r *Instances) stateOf(ctx context.Context, answer value.Object, before kind.Values) (kind.Values, error) {
	if err := r.confirmType(ctx, answer); err != nil {
		return nil, err
	}
	return r.kind.State(answer, before)
}

// confirmType checks that eNMS finds an instance of AnyType by the type in its response, if
// that is not the type of the request: the next read will use the type in the response.
func (r *Instances) confirmType(ctx context.Context, answer value.Object) error {
	typ, ok := answer["type"].(string)
	if !r.kind.AnyType || !ok || typ == r.kind.Name {
		return nil
	}
	_, err := r.provider.Client.FindByID(ctx, typ, fmt.Sprint(answer["id"]))
	if enms.InternalServerError(err) || errors.Is(err, enms.ErrNotFound) { // 500 means that eNMS does not have the type
		return r.kind.FieldError(answer, r.kind.SubtypeRow(), fmt.Sprintf("is %q, by which eNMS does not find the instance", typ))
	}
	return err
}

// fetch reads an instance: by a search that it shares with others, or by a GET if the whole
// instance is wanted, or if searches do not confirm the relations in the state.
func (r *Instances) fetch(ctx context.Context, name string, state kind.Values, managed []string, whole bool) (value.Object, error) {
	if relations, searchable := r.kind.RelationsToRead(state, managed); !whole && searchable {
		if r.asExpected(ctx, name, relations) {
			return r.findNamed(ctx, name, r.kind.Columns(state, false))
		}
	}
	return r.get(ctx, name)
}

func (r *Instances) get(ctx context.Context, name string) (value.Object, error) {
	answer, err := r.provider.Client.Get(ctx, r.kind.Name, name)
	if err != nil {
		return nil, err
	}
	return r.kind.WithoutDangling(answer), nil
}

// findNamed reads an instance by a search that it shares with others, including the names of
// its relations to one.
func (r *Instances) findNamed(ctx context.Context, name string, columns []string) (value.Object, error) {
	answer, err := r.provider.Client.Find(ctx, r.kind.Name, name, columns)
	if err != nil {
		return nil, err
	}
	return r.nameRelated(ctx, answer)
}

// asExpected reports whether searches confirm that the relations of an instance are as expected.
// If they do not, only a GET is certain.
func (r *Instances) asExpected(ctx context.Context, name string, expected []enms.Relation) bool {
	has, known := r.hasRelations(ctx, name, expected)
	return known && has
}

// hasRelations reports whether searches find the relations of an instance as expected; known
// is false if searches do not cover them.
func (r *Instances) hasRelations(ctx context.Context, name string, expected []enms.Relation) (has, known bool) {
	if slices.ContainsFunc(expected, func(r enms.Relation) bool { return r.Inverse == "" }) {
		return false, false
	}
	return r.provider.Client.HasRelations(ctx, r.kind.Name, name, expected, r.kind.PageColumns())
}

// getShared reads the whole instance, together with others if that takes fewer requests.
func (r *Instances) getShared(ctx context.Context, name string) (value.Object, error) {
	relations, searchable := r.kind.UnsearchedRelations()
	if !searchable {
		return r.get(ctx, name)
	}
	answer, err := r.provider.Client.GetShared(ctx, r.kind.Name, name, relations)
	if err != nil {
		return nil, err
	}
	return r.nameRelated(ctx, answer)
}

// nameRelated adds the names of related instances to a search result, which contains only
// their ids. The names are looked up by searches that are shared with others. If no search
// finds an optional one, a GET of the instance returns its name, unless it was deleted.
func (r *Instances) nameRelated(ctx context.Context, answer value.Object) (value.Object, error) {
	unnamed, err := r.kind.Unnamed(answer)
	if err != nil || len(unnamed) == 0 {
		return answer, err
	}
	names := make([]string, len(unnamed))
	lookups, lookupCtx := errgroup.WithContext(ctx)
	for i, related := range unnamed {
		lookups.Go(func() (err error) {
			names[i], err = r.provider.Client.NameOf(lookupCtx, related.Type, related.ID)
			if errors.Is(err, enms.ErrNotFound) && related.Optional {
				var whole value.Object
				if whole, err = r.get(lookupCtx, fmt.Sprint(answer[kind.RowName])); err == nil {
					names[i], _ = whole[related.Field].(string)
				}
				return err
			}
			if errors.Is(err, enms.ErrNotFound) {
				reason := fmt.Sprintf("is a %s with the id %s, which eNMS does not find", related.Type, related.ID)
				return &unreadableError{r.kind.FieldError(answer, related.Field, reason)}
			}
			return err
		})
	}
	if err := lookups.Wait(); err != nil {
		return nil, err
	}
	named := maps.Clone(answer) // other callers may share it
	for i, related := range unnamed {
		if names[i] == "" {
			named[related.IDField] = nil
			continue
		}
		named[related.Field] = names[i]
	}
	return named, nil
}

// readByName reads an instance by its name alone, for an import or a data source. missing is the
// summary of the error if there is no such instance, and write is the beginning of its advice.
func (r *Instances) readByName(ctx context.Context, verb string, known kind.Values, missing, write string,
	decode func(answer value.Object) (kind.Values, error)) (values kind.Values, diags diag.Diagnostics) {
	name := value.Text(known[kind.RowName])
	answer, err := r.getShared(ctx, name)
	if err == nil {
		err = r.confirmType(ctx, answer)
	}
	if err == nil {
		values, err = decode(answer)
	}
	if errors.Is(err, enms.ErrNotFound) {
		detail := fmt.Sprintf("eNMS has no %s with that name that this user may read%s. Names are case-sensitive.", r.kind.Name, r.provider.nameHint(ctx, r.kind.Path(known), name))
		if other, ok := errors.AsType[*enms.NotFoundError](err); ok && other.Spelling != "" {
			detail = fmt.Sprintf("eNMS has no %s with exactly that name; it has %q, which is the same name to its database.", r.kind.Name, other.Spelling)
		}
		form := ""
		if r.kind.ExampleName != "" {
			form = fmt.Sprintf(", such as %q", r.kind.ExampleName)
		}
		diags.AddAttributeError(path.Root(kind.RowName), missing, fmt.Sprintf("%s %s the full name, as eNMS shows it%s.", detail, write, form))
		return nil, diags
	}
	if unknown := r.explainType(ctx, verb, known, err); unknown != nil {
		err = unknown
	}
	if err != nil {
		return nil, r.errorDiagnostic(verb, name, known, err)
	}
	return values, nil
}

// findRenamed looks by its id for an instance whose name no longer exists, or belongs to another
// one. eNMS reuses the ids of deleted instances (enms-rest.md 0.2), and a restore gives them to
// others, so it is the same instance only if its content is the same, apart from what a pending
// rename sent. Otherwise the error is ErrNotFound, *otherContentError if another instance has the
// id, or *ambiguousError if several have the content.
func (r *Instances) findRenamed(ctx context.Context, state kind.Values, private Record) (value.Object, error) {
	id := value.Text(state[kind.RowID])
	if id == "" {
		return nil, enms.ErrNotFound
	}
	answer, err := r.provider.Client.FindByID(ctx, r.kind.Name, id)
	if err != nil {
		return nil, err
	}
	var renameSent value.Object
	if private.PendingRename != nil {
		renameSent = private.PendingRename.Sent
	}
	name, _ := answer["name"].(string)
	if !r.kind.SameContent(answer, state, renameSent) {
		return nil, &otherContentError{id: id, name: name, ours: r.provider.Client.WroteLast(answer)}
	}
	if err := r.checkUnambiguous(ctx, answer, state); err != nil {
		return nil, err
	}
	renamed, err := r.fetch(ctx, name, state, private.Managed, false)
	if errors.Is(err, enms.ErrNotFound) {
		// eNMS returns a name under which it does not find the instance. That does not prove that
		// the instance is gone.
		return nil, r.kind.FieldError(answer, kind.RowName, "is one that eNMS does not find")
	}
	return renamed, err
}

// checkUnambiguous returns an *ambiguousError if other instances have the content of a state as
// well as the one with its id: that one is known by nothing else, because it has another name.
// Instances with the names of other entries of the same enms_instances are theirs. While others of
// the type have kept their ids, the id and the content are enough: many services are alike.
func (r *Instances) checkUnambiguous(ctx context.Context, withID value.Object, state kind.Values) error {
	if r.provider.ids.of(r.kind.Name).stable() {
		return nil
	}
	rows, err := r.provider.Client.Search(ctx, r.kind.Name, r.kind.Columns(state, false), r.kind.ContentCriteria(state))
	if err != nil && !enms.InternalServerError(err) { // 500: the database cannot search by this content
		return err
	}
	found := &ambiguousError{id: value.Text(state[kind.RowID]), names: []string{value.Text(state[kind.RowName])}}
	found.names[0], _ = withID[kind.RowName].(string)
	for _, row := range rows {
		name, _ := row[kind.RowName].(string)
		if slices.Contains(found.names, name) || r.entryNames[name] {
			continue
		}
		full, err := r.nameRelated(ctx, row)
		if err != nil && !errors.Is(err, enms.ErrNotFound) && !is[*unreadableError](err) {
			return err
		}
		if err == nil && r.kind.SameContent(full, state, nil) {
			found.names = append(found.names, name)
		}
	}
	if len(found.names) > 1 {
		slices.Sort(found.names[1:])
		return found
	}
	return nil
}

// isRestored reports whether a search result with the name of a state, and another id, has its
// content, and was not made in this run, as the instance that replaces it is.
func (r *Instances) isRestored(ctx context.Context, row value.Object, state kind.Values) bool {
	if known := r.known(value.Text(state[kind.RowName]), fmt.Sprint(row[kind.RowID])); known != nil {
		return false
	}
	answer, err := r.nameRelated(ctx, row)
	return err == nil && r.kind.SameContent(answer, state, nil)
}

// isOutcomeOfPending reports whether an instance was made by a pending creation, if there is
// one: it has the type in the state, was written at that time, and holds what was sent.
func (r *Instances) isOutcomeOfPending(pending *pendingWrite, answer value.Object, state kind.Values) bool {
	return pending == nil ||
		(pending.When.IsZero() || r.provider.Client.Wrote(answer, pending.When)) && r.kind.CreatedBy(pending.Sent, answer, state)
}

// readExisting reads an instance that is to be adopted, with the relations that the state of
// its resource holds: all of them, or, for an entry, those that are configured.
func (r *Instances) readExisting(ctx context.Context, name string, config kind.Values) (kind.Values, error) {
	answer, err := r.findNamed(ctx, name, r.kind.Columns(config, false))
	if err != nil {
		return nil, err
	}
	if err := r.checkType(name, config, answer); err != nil {
		return nil, err
	}
	if !r.inMany {
		answer, err = r.getShared(ctx, name)
	} else if relations, searchable := r.kind.RelationsToRead(config, r.kind.Managed(config, config, nil)); !searchable || !r.asExpected(ctx, name, relations) {
		answer, err = r.provider.Client.Get(ctx, r.kind.Name, name)
	}
	if err != nil {
		return nil, err
	}
	return r.stateOf(ctx, answer, config)
}

// checkType returns an error if the instance to adopt has another type.
func (r *Instances) checkType(name string, planned kind.Values, found value.Object) error {
	if have, want := found["type"], r.kind.Path(planned); have != want && r.kind.HasSubtypes() {
		foundType, _ := have.(string)
		return &enms.ExistsError{Type: want, Name: name, ID: fmt.Sprint(found["id"]), FoundType: foundType}
	}
	return nil
}

// privateKey is the key of the record in Terraform's private state.
const privateKey = "instance"

// Record is kept beside the state of an instance, invisible to users.
type Record struct {
	Managed []string `json:"managed,omitzero"` // the list that kind.Managed makes
	// PendingCreate is a creation that may have happened, or may still happen. The next read
	// compares it with the instance that exists.
	PendingCreate *pendingWrite `json:"pending_create,omitempty"`
	// PendingRename is a rename that failed, but may have happened or may still happen. The
	// next read recognizes the instance by what was sent.
	PendingRename *pendingWrite `json:"pending_rename,omitempty"`
	Imported      bool          `json:"imported,omitempty"` // only the name of the instance is known
	// Moved reports that only the name of the instance is known, from the state of a resource
	// of another type. Unlike an imported one, the instance may be gone.
	Moved bool `json:"moved,omitempty"`
	// Unfinished are computations and writes that should have followed an update, but failed.
	// The next apply makes them. Nil if there are none.
	Unfinished *unfinished `json:"unfinished,omitempty"`
	// PossibleName is the name of the instance that has the id in the state but other content,
	// found when no instance had the name in the state. Either an interrupted apply has
	// renamed and changed the instance, or eNMS has reused the id of a deleted one. If the
	// plan uses this name, it was the former.
	PossibleName string `json:"possible_name,omitempty"`
	// PossibleID is the id of the instance called PossibleName, if the state has moved on to
	// another instance, which now has the name.
	PossibleID string `json:"possible_id,omitempty"`

	// Adopted reports, after a creation, whether it adopted an existing instance because of
	// adopt_existing. It is not stored.
	Adopted bool `json:"-"`
}

// Pending reports whether the next plan has to do something for the instance even if nothing
// else has changed.
func (p Record) Pending() bool {
	return p.PendingCreate != nil || p.PendingRename != nil || p.Unfinished != nil || p.PossibleName != ""
}

// IsGone reports whether the instance was deleted and its id reused: the read found only
// PossibleName, and the plan does not use that name.
func (p Record) IsGone(planned string) bool {
	return p.PossibleName != "" && p.PossibleID == "" && p.PossibleName != planned
}

// known is Instances.Known without its warning.
func (p Record) known(planned string, state kind.Values) kind.Values {
	if p.PossibleID == "" || p.PossibleName != planned {
		return nil
	}
	known := maps.Clone(state)
	known[kind.RowName] = tftypes.NewValue(tftypes.String, p.PossibleName)
	known[kind.RowID] = tftypes.NewValue(tftypes.String, p.PossibleID)
	return known
}

// unfinished are computations and writes that should have followed an update, but failed.
type unfinished struct {
	Recompute bool           `json:"recompute,omitempty"` // what depends on the instance is to be computed
	Refresh   []kind.Related `json:"refresh,omitempty"`   // instances that are to be written again
}

// pendingWrite is a write whose outcome is unknown.
type pendingWrite struct {
	Sent value.Object `json:"sent"` // the payload without secrets, which eNMS never returns
	// When is the time during which it may have happened. It is zero if it does not matter:
	// for a creation that eNMS reported as successful, and for a rename, which is recognized
	// by the id.
	When enms.Window `json:"when,omitzero"`
}

// pendingRename returns a failed update as a pending write, or nil if it was no rename.
func (r *Instances) pendingRename(planned, prior kind.Values) *pendingWrite {
	payload := r.kind.UpdatePayload(nil, planned, prior)
	if _, renaming := payload["new_name"]; !renaming {
		return nil
	}
	return &pendingWrite{Sent: r.kind.WithoutSecrets(payload, nil)}
}

// UnmarshalJSON returns an error for a pending write without a payload.
func (p *pendingWrite) UnmarshalJSON(raw []byte) error {
	type plain pendingWrite
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode((*plain)(p)); err != nil {
		return err
	}
	if p.Sent == nil {
		return errors.New("it holds no payload")
	}
	return nil
}

// privateData is the private state in Terraform's requests and responses.
type privateData interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// readRecord reads the record of a private state.
func readRecord(ctx context.Context, from privateData) (Record, diag.Diagnostics) {
	raw, diags := from.GetKey(ctx, privateKey)
	kept, damaged := decodeRecord(raw)
	return kept, append(diags, damaged...)
}

// decodeRecord decodes the record. A damaged one is an error: without it, a read could lose an
// instance, and an update could fail to reset values.
func decodeRecord(raw []byte) (p Record, diags diag.Diagnostics) {
	if len(raw) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return Record{}, diag.Diagnostics{DamagedPrivate(err)}
	}
	return p, nil
}

// DamagedPrivate returns the error of a private state that cannot be read.
func DamagedPrivate(err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Cannot read the private state",
		fmt.Sprintf("The private state of the provider is damaged: %s. Restore the state from a backup; or remove the resource from the state, which leaves the instance in eNMS, and import it again.", err))
}

func (p Record) write(ctx context.Context, to privateData) (diags diag.Diagnostics) {
	raw, err := json.Marshal(p)
	if err != nil {
		diags.AddError("Cannot store the private state", err.Error())
		return diags
	}
	if string(raw) == "{}" {
		raw = nil // which removes the key
	}
	return to.SetKey(ctx, privateKey, raw)
}
