// This file knows the names that eNMS gives to instances along with another one, which it
// renames (enms-rest.md 1.5), and keeps those names still while they are in use.

package lifecycle

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// holdName keeps the name of an instance, as the state has it, from being changed by
// others of this process until release is called: Terraform renames a workflow while it
// moves a service out of it, in any order. With rename, nobody else acts meanwhile by a
// name that begins with it. Locks are taken from the outermost name inwards, and before a
// rename is noted that others wait for (renames.go), so that nobody waits in a circle.
func (r *Instances) holdName(name string, rename bool) (release func()) {
	if r.kind.Scope == nil {
		return func() {}
	}
	var held []func()
	for _, scope := range r.kind.Scopes(name) {
		lock := r.provider.names.of(scope)
		lock.RLock()
		held = append(held, lock.RUnlock)
	}
	if rename {
		lock := r.provider.names.of(name)
		lock.Lock()
		held = append(held, lock.Unlock)
	}
	return func() {
		for _, unlock := range held {
			unlock()
		}
	}
}

// NameNow returns the name that an instance has in eNMS by now if nobody but this
// client has renamed anything since its state was read.
func (r *Instances) NameNow(name string) string {
	if len(r.kind.Scopes(name)) == 0 || !r.provider.Ready() {
		return name
	}
	for _, rename := range r.provider.Client.Renames(r.kind.Scope.Type) {
		name = r.kind.Renamed(name, rename.From, rename.To)
	}
	return name
}

// findByIDAfterRenames asks for the instance of a state by its id; again while the answer
// has the old name although this client has changed it (enms-rest.md 10.2).
func (r *Instances) findByIDAfterRenames(ctx context.Context, state kind.Values) (answer value.Object, err error) {
	before := value.Text(state[kind.RowName])
	expected := r.NameNow(before)
	return r.provider.Client.FindByIDUntil(ctx, r.kind.Name, value.Text(state[kind.RowID]), func(answer value.Object) bool {
		return expected == before || answer[kind.RowName] != before
	})
}

// followScope returns the state of an instance under the name that it has by now, because
// this client has renamed what the name begins with.
func (r *Instances) followScope(ctx context.Context, state kind.Values) kind.Values {
	expected := r.NameNow(value.Text(state[kind.RowName]))
	if expected == value.Text(state[kind.RowName]) {
		return state
	}
	if value.Text(state[kind.RowID]) != "" { // that of a tainted instance may be unknown
		answer, err := r.findByIDAfterRenames(ctx, state)
		if err != nil || answer[kind.RowName] != expected {
			return state // What is wrong shows when somebody acts by the name.
		}
	}
	followed := maps.Clone(state)
	followed[kind.RowName] = tftypes.NewValue(tftypes.String, expected)
	return followed
}
