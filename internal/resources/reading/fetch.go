// This file reads one instance from eNMS, in requests that are shared with others if possible.

package reading

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// StateOf returns the state of an instance in an answer of eNMS (enms-rest.md 2). before is the state,
// the plan or the configuration, and the result has its spelling of values that are equal. The error names a
// field that has an impossible value.
func (r *Reader) StateOf(ctx context.Context, answer value.Object, before kind.Values) (kind.Values, error) {
	if err := r.confirmType(ctx, answer); err != nil {
		return nil, err
	}
	return states.Of(r.Kind, answer, before)
}

// confirmType checks that eNMS finds an instance by the type in its answer, if the kind has AnyType and that is
// not the type of the request: the next read will use the type in the answer.
func (r *Reader) confirmType(ctx context.Context, answer value.Object) error {
	typ, ok := answer["type"].(string)
	if r.Kind.AnyType == nil || !ok || typ == r.Kind.Name {
		return nil
	}
	_, err := r.Provider.Client.FindByID(ctx, typ, fmt.Sprint(answer["id"]))
	if enms.InternalServerError(err) || errors.Is(err, enms.ErrNotFound) { // 500 means that eNMS does not have the type
		return r.Kind.FieldError(answer, r.Kind.SubtypeRow(), fmt.Sprintf("is %q, by which eNMS does not find the instance", typ))
	}
	return err
}

// fetch reads an instance. Searches, which callers share, do not return relations to many. So it searches only if other
// searches confirm that the relations are those in the state; otherwise, or if the whole instance is wanted, it makes a
// GET.
func (r *Reader) fetch(ctx context.Context, name string, state kind.Values, managed []string, whole bool) (value.Object, error) {
	relations, searchable := states.RelationsToRead(r.Kind, state, managed)
	columns := states.Columns(r.Kind, state)
	if !whole && searchable && r.AsExpected(ctx, name, relations, columns) {
		return r.FindNamed(ctx, name, columns)
	}
	return r.get(ctx, name)
}

// get returns the whole instance with exactly this name, without relations to instances that no longer
// exist (states.WithoutDangling). The error is enms.ErrNotFound if there is none.
func (r *Reader) get(ctx context.Context, name string) (value.Object, error) {
	answer, err := r.Provider.Client.Get(ctx, r.Kind.Name, name)
	if err != nil {
		return nil, err
	}
	return states.WithoutDangling(r.Kind, answer), nil
}

// FindNamed reads an instance by a search that it shares with others, including the names of
// its relations to one.
func (r *Reader) FindNamed(ctx context.Context, name string, columns []string) (value.Object, error) {
	answer, err := r.Provider.Client.Find(ctx, r.Kind.Name, name, columns)
	if err != nil {
		return nil, err
	}
	return r.NameRelated(ctx, answer)
}

// RowsAtPlace returns the rows of the instances at the place that values have, with further columns.
func (r *Reader) RowsAtPlace(ctx context.Context, values kind.Values, columns []string) ([]value.Object, error) {
	return r.Provider.Client.Search(ctx, r.Kind.Name, columns, states.PlaceCriteria(r.Kind, values))
}

// AsExpected reports whether searches confirm that the relations of an instance are as expected. If it returns false,
// they may still be so. columns are those of a FindNamed that may follow.
func (r *Reader) AsExpected(ctx context.Context, name string, expected []enms.Relation, columns []string) bool {
	has, known := r.HasRelations(ctx, name, expected, columns)
	return known && has
}

// HasRelations reports whether the relations of an instance are as expected. known is false if searches cannot tell,
// as for relations without an inverse. columns are those of a FindNamed that may follow.
func (r *Reader) HasRelations(ctx context.Context, name string, expected []enms.Relation, columns []string) (has, known bool) {
	if slices.ContainsFunc(expected, func(relation enms.Relation) bool { return relation.Inverse == "" }) {
		return false, false
	}
	return r.Provider.Client.HasRelations(ctx, r.Kind.Name, name, expected, slices.Concat(r.Kind.Table().PageColumns, columns))
}

// getShared reads the whole instance, together with others if that takes fewer requests.
func (r *Reader) getShared(ctx context.Context, name string) (value.Object, error) {
	relations, searchable := states.UnsearchedRelations(r.Kind)
	if !searchable {
		return r.get(ctx, name)
	}
	answer, err := r.Provider.Client.GetShared(ctx, r.Kind.Name, name, relations)
	if err != nil {
		return nil, err
	}
	return r.NameRelated(ctx, answer)
}

// NameRelated adds the names of related instances to a search result, which contains only their ids. The
// names are looked up by searches that are shared with others. If no search finds the instance of an optional
// relation, a GET of the whole instance has its name, or shows that it was deleted: then the relation is null.
// If the relation is not optional, the error is *failures.Unreadable.
func (r *Reader) NameRelated(ctx context.Context, answer value.Object) (value.Object, error) {
	unnamed, err := states.Unnamed(r.Kind, answer)
	if err != nil || len(unnamed) == 0 {
		return answer, err
	}
	names, err := resources.Each(ctx, unnamed, func(ctx context.Context, related states.UnnamedRelation) (string, error) {
		name, err := r.Provider.Client.NameOf(ctx, related.Type, related.ID)
		if !errors.Is(err, enms.ErrNotFound) {
			return name, err
		}
		if !related.Optional {
			return "", r.unreadable(answer, related, err)
		}
		whole, err := r.get(ctx, fmt.Sprint(answer[kind.RowName]))
		name, _ = whole[related.Field].(string)
		return name, err
	})
	if err != nil {
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

// unreadable returns the error about a related instance that eNMS does not find, as the cause says.
func (r *Reader) unreadable(answer value.Object, related states.UnnamedRelation, cause error) error {
	if notFound, is := errors.AsType[*enms.NotFoundError](cause); is && notFound.SoftDeleted != "" {
		reason := fmt.Sprintf("is the %s %q, which was deleted in the Workflow Builder", related.Type, notFound.SoftDeleted)
		return &failures.Unreadable{Cause: r.Kind.FieldError(answer, related.Field, reason), SoftDeleted: true}
	}
	reason := fmt.Sprintf("is a %s with the id %s, which eNMS does not find", related.Type, related.ID)
	return &failures.Unreadable{Cause: r.Kind.FieldError(answer, related.Field, reason)}
}

// ReadExisting reads an instance that is to be adopted, with the relations for the state of its resource: all
// of them, or, for an entry, the configured ones.
func (r *Reader) ReadExisting(ctx context.Context, name string, config kind.Values) (kind.Values, error) {
	columns := states.Columns(r.Kind, config)
	answer, err := r.FindNamed(ctx, name, columns)
	if err != nil {
		return nil, err
	}
	if err := r.CheckFoundType(name, config, answer); err != nil {
		return nil, err
	}
	relations, searchable := states.RelationsToRead(r.Kind, config, plans.Managed(r.Kind, config, config, nil))
	switch {
	case !r.InMany:
		answer, err = r.getShared(ctx, name)
	case !searchable || !r.AsExpected(ctx, name, relations, columns):
		answer, err = r.get(ctx, name)
	}
	if err != nil {
		return nil, err
	}
	state, err := r.StateOf(ctx, answer, config)
	if err == nil {
		r.checkData(answer, state) // the adoption changes what this corrects, and checks it again
	}
	return state, err
}

// checkData corrects a state by the kind's DataCheck, and returns its warnings.
func (r *Reader) checkData(answer value.Object, state kind.Values) diag.Diagnostics {
	if r.Kind.DataCheck == nil {
		return nil
	}
	return r.Kind.DataCheck.OnRead(answer, state, time.Now())
}

// CheckFoundType returns an *enms.ExistsError if the instance with a name has another type than planned.
func (r *Reader) CheckFoundType(name string, planned kind.Values, found value.Object) error {
	if have, want := found["type"], r.Kind.Path(planned); have != want && r.Kind.HasSubtypes() {
		foundType, _ := have.(string)
		return &enms.ExistsError{Type: want, Name: name, ID: fmt.Sprint(found["id"]), FoundType: foundType}
	}
	return nil
}
