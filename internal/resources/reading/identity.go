// This file decides which instance in eNMS is the one in a state. A restore of eNMS gives every object another
// id (enms-rest.md 0.6), so the name and the content come first.

package reading

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// FindRenamed looks for the instance of a state by its id, if its name no longer exists, or belongs to another
// instance. eNMS reuses the ids of deleted instances (enms-rest.md 0.2), and a restore gives them to
// others, so the instance with the id is the same one only if its content is the same, apart from what a
// pending rename sent. Otherwise the error is ErrNotFound, *failures.OtherContent if another instance
// has the id, or *failures.AmbiguousContent if several have the content, and the one with the id does not have the
// name that a pending rename sent.
func (r *Reader) FindRenamed(ctx context.Context, state kind.Values, private record.Record) (value.Object, error) {
	id := value.Text(state[kind.RowID])
	if id == "" {
		return nil, enms.ErrNotFound
	}
	answer, err := r.Provider.Client.FindByID(ctx, r.Kind.Name, id)
	if err != nil {
		return nil, err
	}
	var renameSent value.Object
	if private.PendingRename != nil {
		renameSent = private.PendingRename.Sent
	}
	name, _ := answer["name"].(string)
	if !states.SameContent(r.Kind, answer, state, renameSent) {
		return nil, &failures.OtherContent{ID: id, Name: name, Ours: r.Provider.Client.WroteLast(answer)}
	}
	if renameSent["new_name"] != name { // else the pending rename has happened
		if err := r.checkUnambiguous(ctx, answer, state); err != nil {
			return nil, err
		}
	}
	renamed, err := r.Fetch(ctx, name, state, private.Managed, false)
	if errors.Is(err, enms.ErrNotFound) {
		// eNMS returns a name by which it does not find the instance. That does not prove that the
		// instance is gone.
		return nil, r.Kind.FieldError(answer, kind.RowName, "is one that eNMS does not find")
	}
	// Unlike answer, renamed has the names of related instances, to which attributes of Unique refer.
	if err == nil && len(r.Kind.Unique) > 0 && !states.SameContent(r.Kind, renamed, state, renameSent) {
		return nil, &failures.OtherContent{ID: id, Name: name, Ours: r.Provider.Client.WroteLast(answer)}
	}
	return renamed, err
}

// checkUnambiguous returns a *failures.AmbiguousContent if other instances have the same content as the
// instance with the id of a state, whose name has changed. It ignores instances with the names of other
// entries of the same enms_instances. It returns nil if other instances of the type have kept their ids,
// because then the id and the content are enough: many services are alike. If only the workflow of a service
// was renamed, only services with the same scoped name matter.
func (r *Reader) checkUnambiguous(ctx context.Context, withID value.Object, state kind.Values) error {
	evidence := r.Provider.Lookups.IDs(r.Kind.Name)
	if evidence.IsStable() {
		return nil
	}
	rows, err := r.Provider.Client.Search(ctx, r.Kind.Name, states.Columns(r.Kind, state, false), states.ContentCriteria(r.Kind, state))
	if err != nil && !enms.InternalServerError(err) { // 500: the database cannot search by this content
		return err
	}
	nameNow, _ := withID[kind.RowName].(string)
	found := &failures.AmbiguousContent{ID: value.Text(state[kind.RowID]), Names: []string{nameNow}}
	scopedName := relate.ScopedName(r.Kind, value.Text(state[kind.RowName]))
	keptScopedName := scopedName != "" && relate.ScopedName(r.Kind, nameNow) == scopedName
	for _, row := range rows {
		name, _ := row[kind.RowName].(string)
		hasOtherScopedName := keptScopedName && relate.ScopedName(r.Kind, name) != scopedName
		if slices.Contains(found.Names, name) || r.EntryNames[name] || hasOtherScopedName {
			continue
		}
		full, err := r.NameRelated(ctx, row)
		if err != nil && !errors.Is(err, enms.ErrNotFound) && !failures.Is[*failures.Unreadable](err) {
			return err
		}
		if err == nil && states.SameContent(r.Kind, full, state, nil) {
			found.Names = append(found.Names, name)
		}
	}
	if len(found.Names) > 1 && !evidence.IsStable() { // other reads may have added to it meanwhile
		slices.Sort(found.Names[1:])
		return found
	}
	return nil
}

// IsRestored reports whether a search result with the name of a state, and with another id, is the
// instance of the state with a new id: it has the content of the state, and no resource has written it in this
// run, as a replacement would be.
func (r *Reader) IsRestored(ctx context.Context, row value.Object, state kind.Values) bool {
	if r.Provider.Run.Owners.Find(r.Kind.Namespace, value.Text(state[kind.RowName]), fmt.Sprint(row[kind.RowID])) != nil {
		return false
	}
	answer, err := r.NameRelated(ctx, row)
	return err == nil && states.SameContent(r.Kind, answer, state, nil)
}
