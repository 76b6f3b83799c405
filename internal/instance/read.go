// This file reads instances, finds those that somebody else renamed, and tells
// when one is gone.

package instance

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// read makes the state anew of what eNMS holds; nil when the instance is gone,
// or when what has its name did not come of the creation that is remembered.
func (r *instanceResource) read(ctx context.Context, state Values, set []string, remembered memories) (Values, diag.Diagnostics) {
	name, uncertain := text(state[rowName]), remembered.uncertain
	unread := state[rowID].IsNull()
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
		return nil, r.kind.problem("read", name, state, err)
	}
	now, err := r.kind.stateOf(answer, state)
	if err != nil {
		return nil, r.kind.problem("read", name, state, err)
	}
	return now, nil
}

// fetch asks for the instance: in a search that it shares with others, or by
// itself when its relations are wanted, which searches leave out.
func (r *instanceResource) fetch(ctx context.Context, name string, state Values, set []string, whole bool) (enms.Object, error) {
	if whole || r.kind.hasRelations(state, set) {
		return r.provider.Client.Get(ctx, r.kind.Name, name)
	}
	return r.provider.Client.Find(ctx, r.kind.Name, name, r.kind.columns(state, false))
}

// imported reads an instance of which only the name is known.
func (r *instanceResource) imported(ctx context.Context, name string, state Values) (Values, diag.Diagnostics) {
	answer, err := r.provider.Client.Get(ctx, r.kind.Name, name)
	if errors.Is(err, enms.ErrNotFound) {
		return nil, diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root(rowName),
			fmt.Sprintf("Cannot import %s %q", r.kind.Name, name), "Import by the full name, as eNMS shows it. "+r.kind.absence(err))}
	}
	if err == nil {
		var imported Values
		if imported, err = r.kind.stateOf(answer, state); err == nil {
			if imported[rowProperties], err = r.kind.furtherFields(answer); err == nil {
				return imported, nil
			}
		}
	}
	return nil, r.kind.problem("import", name, state, err)
}

// absence says that there is no instance of a name, and which there is that the
// database of that eNMS takes for the same.
func (k *Kind) absence(err error) string {
	if other, ok := errors.AsType[*enms.NotFoundError](err); ok && other.Spelling != "" {
		return fmt.Sprintf("eNMS has no %s of exactly that name; it has %q, which its database takes for the same name.", k.Name, other.Spelling)
	}
	return fmt.Sprintf("eNMS has no %s of that name that this user may read: names are case-sensitive.", k.Name)
}

// renamed looks for an instance whose name is gone by its id. eNMS gives the
// id of a deleted instance to a new one (enms-rest.md 0.2), so it counts as
// the same only when it is of the same type and nothing else about it changed,
// but for what a rename of ours that failed may have changed along with the
// name; otherwise it is ErrNotFound.
func (r *instanceResource) renamed(ctx context.Context, state Values, set []string, attempted []byte) (enms.Object, error) {
	id := text(state[rowID])
	if id == "" {
		return nil, enms.ErrNotFound
	}
	answer, err := r.provider.Client.FindByID(ctx, r.kind.Name, id)
	if err != nil {
		return nil, err
	}
	if !r.kind.sameContent(answer, state, recall(attempted).Sent) {
		return nil, enms.ErrNotFound
	}
	name, _ := answer["name"].(string)
	renamed, err := r.fetch(ctx, name, state, set, false)
	if errors.Is(err, enms.ErrNotFound) {
		// Asked for the id, eNMS answers a name that it does not know: that is no
		// proof that the instance is gone.
		return nil, r.kind.fieldError(answer, rowName, "is one that eNMS does not find")
	}
	return renamed, err
}

// sameContent tells whether an answer holds what the state holds, apart from
// the name, what it is made of and what follows from it, or what an attempt to
// give it another name sent. Relations are left out, because they change with
// the names of others, but for those that every answer holds.
func (k *Kind) sameContent(answer enms.Object, state Values, attempted enms.Object) bool {
	now, err := k.stateOf(answer, state)
	if err != nil {
		return false
	}
	if to, has := attempted["new_name"]; has && to != answer[rowName] {
		attempted = nil
	}
	for _, a := range k.Rows() {
		if a.Role == Key || a.Role == Setting || a.Derived || a.InName || a.DataOnly || a.Restless || a.Role == Field && a.Meaning != Fields && !a.inSearch() {
			continue
		}
		sent, was := attempted[a.property()]
		switch {
		case a.same(now[a.Name], state[a.Name]):
		case a.Meaning == Fields && sameFields(now[a.Name], state[a.Name], attempted):
		case a.Meaning == Fields, !was, !a.same(now[a.Name], a.sentValue(sent)):
			return false
		}
	}
	return true
}
