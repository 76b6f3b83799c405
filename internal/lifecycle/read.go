// This file reads instances, finds those that somebody else renamed, and decides when
// one is gone.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"golang.org/x/sync/errgroup"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Read returns the state of what eNMS holds, and what to keep beside it; nil when the instance
// is gone, or when what has its name is not the outcome of the pending creation. Without a
// state, the instance leaves that of Terraform. Where its id has another name and nothing has
// its own (see Record), it stays as it is in the state, until the plan says whether that name
// is its own.
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

// readPossible is Read without what is to be kept. possible is what has the id of the state,
// if it may be the instance under another name.
func (r *Instances) readPossible(ctx context.Context, state kind.Values, private Record) (
	now kind.Values, possible *otherContentError, diags diag.Diagnostics) {
	name := value.Text(state[kind.RowName])
	if private.Imported {
		now, diags = r.readByName(ctx, verbImport, state, fmt.Sprintf("Cannot import %s %q", r.kind.Name, name), "Import by",
			func(answer value.Object) (kind.Values, error) { return r.kind.ImportedState(answer, state) })
		if now != nil { // Terraform makes configuration of it
			var left diag.Diagnostics
			now, left = r.kind.WithoutInvalid(now)
			diags.Append(left...)
		}
		return now, nil, diags
	}
	wasNeverRead := state[kind.RowID].IsNull()
	answer, err := r.fetch(ctx, name, state, private.Managed, wasNeverRead)
	if errors.Is(err, enms.ErrNotFound) || err == nil && hasAnotherID(answer, state) {
		renamed, notRenamed := r.findRenamed(ctx, state, private)
		if other, is := errors.AsType[*otherContentError](notRenamed); is && other.ours {
			possible = other
		}
		if err != nil || !errors.Is(notRenamed, enms.ErrNotFound) {
			answer, err = renamed, notRenamed
		} // Otherwise what has its name counts as made in its place, unless the plan says more.
	}
	switch {
	case err != nil && possible != nil:
		return state, possible, nil
	case errors.Is(err, enms.ErrNotFound), err == nil && !r.isOutcomeOfPending(private.PendingCreate, answer, state):
		return nil, nil, nil
	case err != nil:
		return nil, nil, r.errorDiagnostic(verbRead, name, state, err)
	}
	before := state
	if hasAnotherID(answer, state) {
		before = r.kind.WithoutVersions(state, state)
	}
	if now, err = r.stateOf(ctx, answer, before); err != nil {
		return nil, nil, r.errorDiagnostic(verbRead, name, state, err)
	}
	return now, possible, nil
}

// stillPossible returns what an earlier read has found under the id that the instance had
// then; nil when that has another name by now.
func (r *Instances) stillPossible(ctx context.Context, private Record) *otherContentError {
	answer, err := r.provider.Client.FindByID(ctx, r.kind.Name, private.PossibleID)
	if errors.Is(err, enms.ErrNotFound) || err == nil && (answer[kind.RowName] != private.PossibleName || !r.provider.Client.WroteLast(answer)) {
		return nil
	}
	return &otherContentError{id: private.PossibleID, name: private.PossibleName, ours: true}
}

// hasAnotherID reports whether an answer is of another instance than the state: what has
// the name may have got it by an exchange of names.
func hasAnotherID(answer value.Object, state kind.Values) bool {
	id := value.Text(state[kind.RowID])
	return id != "" && fmt.Sprint(answer[kind.RowID]) != id
}

// stateOf makes the state of an answer.
func (r *Instances) stateOf(ctx context.Context, answer value.Object, before kind.Values) (kind.Values, error) {
	if err := r.confirmType(ctx, answer); err != nil {
		return nil, err
	}
	return r.kind.State(answer, before)
}

// confirmType makes sure that eNMS finds an instance of AnyType by the type in its answer
// when that is not the type that it was asked for by: the next read asks for it by that
// type, and could not read it otherwise.
func (r *Instances) confirmType(ctx context.Context, answer value.Object) error {
	typ, ok := answer["type"].(string)
	if !r.kind.AnyType || !ok || typ == r.kind.Name {
		return nil
	}
	_, err := r.provider.Client.FindByID(ctx, typ, fmt.Sprint(answer["id"]))
	if enms.InternalServerError(err) || errors.Is(err, enms.ErrNotFound) { // 500: a type that eNMS does not have
		return r.kind.FieldError(answer, r.kind.SubtypeRow(), fmt.Sprintf("is %q, by which eNMS does not find the instance", typ))
	}
	return err
}

// fetch asks for the instance: in a search that it shares with others, or in a GET when
// all of it is wanted, or relations that searches do not show to be as in the state.
func (r *Instances) fetch(ctx context.Context, name string, state kind.Values, managed []string, whole bool) (value.Object, error) {
	if relations, searchable := r.kind.RelationsToRead(state, managed); !whole && searchable {
		if r.asExpected(ctx, name, relations) {
			return r.findNamed(ctx, name, r.kind.Columns(state, false))
		}
	}
	return r.get(ctx, name)
}

// get asks for the whole instance.
func (r *Instances) get(ctx context.Context, name string) (value.Object, error) {
	answer, err := r.provider.Client.Get(ctx, r.kind.Name, name)
	if err != nil {
		return nil, err
	}
	return r.kind.WithoutDangling(answer), nil
}

// findNamed asks for an instance in a search that it shares with others, with the names of
// its relations to one.
func (r *Instances) findNamed(ctx context.Context, name string, columns []string) (value.Object, error) {
	answer, err := r.provider.Client.Find(ctx, r.kind.Name, name, columns)
	if err != nil {
		return nil, err
	}
	return r.nameRelated(ctx, answer)
}

// asExpected reports whether searches have shown that eNMS holds the relations of an instance
// as they are expected. What they show otherwise, only a GET proves.
func (r *Instances) asExpected(ctx context.Context, name string, expected []enms.Relation) bool {
	has, known := r.hasRelations(ctx, name, expected)
	return known && has
}

// hasRelations reports whether searches show the relations of an instance as they are
// expected; known is false when they do not show them.
func (r *Instances) hasRelations(ctx context.Context, name string, expected []enms.Relation) (has, known bool) {
	if slices.ContainsFunc(expected, func(r enms.Relation) bool { return r.Inverse == "" }) {
		return false, false
	}
	return r.provider.Client.HasRelations(ctx, r.kind.Name, name, expected, r.kind.PageColumns())
}

// getShared asks for all of an instance, together with others where that costs less.
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

// nameRelated adds the names of related instances to what a search answered, which holds
// their ids. The names are looked up in searches that are shared with others. Of an optional
// one that no search finds, a GET of the instance tells the name, unless that was deleted.
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
	named := maps.Clone(answer) // others may share it
	for i, related := range unnamed {
		if names[i] == "" {
			named[related.IDField] = nil
			continue
		}
		named[related.Field] = names[i]
	}
	return named, nil
}

// readByName reads an instance of which only the name is known, for an import or a data
// source. missing is the summary when there is none, and write tells to correct the name.
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
		detail := fmt.Sprintf("eNMS has no %s with that name that this user may read. Names are case-sensitive.", r.kind.Name)
		if other, ok := errors.AsType[*enms.NotFoundError](err); ok && other.Spelling != "" {
			detail = fmt.Sprintf("eNMS has no %s with exactly that name; it has %q, which is the same name to its database.", r.kind.Name, other.Spelling)
		}
		diags.AddAttributeError(path.Root(kind.RowName), missing, write+" the full name, as eNMS shows it. "+detail)
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

// findRenamed looks for an instance whose name is gone by its id. eNMS gives the id of a
// deleted instance to a new one (enms-rest.md 0.2), so it is the same only when its
// content is the same, apart from what a pending rename sent; otherwise the error is an
// ErrNotFound, *otherContentError where something else has the id.
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
	renamed, err := r.fetch(ctx, name, state, private.Managed, false)
	if errors.Is(err, enms.ErrNotFound) {
		// eNMS answers a name that it does not find: the instance may not be gone.
		return nil, r.kind.FieldError(answer, kind.RowName, "is one that eNMS does not find")
	}
	return renamed, err
}

// isOutcomeOfPending reports whether an instance is the outcome of a pending creation, if
// there is one: of the state's type, written at that time, as it was sent.
func (r *Instances) isOutcomeOfPending(pending *pendingWrite, answer value.Object, state kind.Values) bool {
	return pending == nil ||
		(pending.When.IsZero() || r.provider.Client.Wrote(answer, pending.When)) && r.kind.CreatedBy(pending.Sent, answer, state)
}

// readExisting reads an instance that is to be taken over, with the relations that its
// resource keeps in the state: all, or, for an entry, those that are configured.
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

// checkType refuses to take over an instance of another type.
func (r *Instances) checkType(name string, planned kind.Values, found value.Object) error {
	if have, want := found["type"], r.kind.Path(planned); have != want && r.kind.HasSubtypes() {
		foundType, _ := have.(string)
		return &enms.ExistsError{Type: want, Name: name, ID: fmt.Sprint(found["id"]), FoundType: foundType}
	}
	return nil
}
