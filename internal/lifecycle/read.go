// This file reads instances, finds those that somebody else renamed, and tells
// when one is gone.

package lifecycle

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// read makes the state anew of what eNMS holds; nil when the instance is gone,
// or when what has its name did not come of the creation that is remembered.
func (r *instances) read(ctx context.Context, state kind.Values, set []string, remembered memories) (kind.Values, diag.Diagnostics) {
	name, uncertain := value.Text(state[kind.RowName]), remembered.uncertain
	unread := state[kind.RowID].IsNull()
	if unread && uncertain == nil && len(set) == 0 { // a creation that was never read back has set something
		return r.imported(ctx, name, state)
	}
	answer, err := r.fetch(ctx, name, state, set, unread)
	if errors.Is(err, enms.ErrNotFound) {
		answer, err = r.renamed(ctx, state, set, remembered.attempted)
	}
	switch {
	case errors.Is(err, enms.ErrNotFound), err == nil && uncertain != nil && !r.cameOf(uncertain, answer, state):
		return nil, nil
	case err != nil:
		return nil, r.problem("read", name, state, err)
	}
	now, err := r.kind.State(answer, state)
	if err != nil {
		return nil, r.problem("read", name, state, err)
	}
	return now, nil
}

// fetch asks for the instance: in a search that it shares with others, or by
// itself when its relations are wanted, which searches leave out.
func (r *instances) fetch(ctx context.Context, name string, state kind.Values, set []string, whole bool) (enms.Object, error) {
	if whole || r.kind.HasRelations(state, set) {
		return r.provider.Client.Get(ctx, r.kind.Name, name)
	}
	return r.provider.Client.Find(ctx, r.kind.Name, name, r.kind.Columns(state, false))
}

// imported reads an instance of which only the name is known.
func (r *instances) imported(ctx context.Context, name string, state kind.Values) (kind.Values, diag.Diagnostics) {
	answer, err := r.provider.Client.Get(ctx, r.kind.Name, name)
	if errors.Is(err, enms.ErrNotFound) {
		return nil, diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root(kind.RowName),
			fmt.Sprintf("Cannot import %s %q", r.kind.Name, name), "Import by the full name, as eNMS shows it. "+r.absence(err))}
	}
	if err == nil {
		var imported kind.Values
		if imported, err = r.kind.ImportedState(answer, state); err == nil {
			return imported, nil
		}
	}
	return nil, r.problem("import", name, state, err)
}

// absence says that there is no instance of a name, and which there is that the
// database of that eNMS takes for the same.
func (r *instances) absence(err error) string {
	if other, ok := errors.AsType[*enms.NotFoundError](err); ok && other.Spelling != "" {
		return fmt.Sprintf("eNMS has no %s of exactly that name; it has %q, which its database takes for the same name.", r.kind.Name, other.Spelling)
	}
	return fmt.Sprintf("eNMS has no %s of that name that this user may read: names are case-sensitive.", r.kind.Name)
}

// renamed looks for an instance whose name is gone by its id. eNMS gives the
// id of a deleted instance to a new one (enms-rest.md 0.2), so it counts as
// the same only when it is of the same type and nothing else about it changed,
// but for what a rename of ours that failed may have changed along with the
// name; otherwise it is ErrNotFound.
func (r *instances) renamed(ctx context.Context, state kind.Values, set []string, attempted []byte) (enms.Object, error) {
	id := value.Text(state[kind.RowID])
	if id == "" {
		return nil, enms.ErrNotFound
	}
	answer, err := r.provider.Client.FindByID(ctx, r.kind.Name, id)
	if err != nil {
		return nil, err
	}
	if !r.kind.SameContent(answer, state, recall(attempted).Sent) {
		return nil, enms.ErrNotFound
	}
	name, _ := answer["name"].(string)
	renamed, err := r.fetch(ctx, name, state, set, false)
	if errors.Is(err, enms.ErrNotFound) {
		// Asked for the id, eNMS answers a name that it does not know: that is no
		// proof that the instance is gone.
		return nil, r.kind.FieldError(answer, kind.RowName, "is one that eNMS does not find")
	}
	return renamed, err
}
