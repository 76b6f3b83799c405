// This file declares the instances of a kind, and what their operations share.

package instance

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/planning"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/reading"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// MostDeletions is how many deletions are under way at the same time, for package entries, which does not import the client.
const MostDeletions = enms.MostDeletions

// Instances has the operations on the instances of a kind in the eNMS of a provider. Most are about one instance;
// calls that are under way at the same time share requests.
type Instances struct {
	*reading.Reader
	Checker planning.Checker // what their plans are checked by
	*owner
}

// New returns the instances of a kind that are resources of their own. The provider may be nil while
// Terraform validates.
func New(k *kind.Kind, p *resources.Provider) *Instances {
	if p == nil {
		p = &resources.Provider{}
	}
	return instancesOf(reading.New(k, p))
}

// NewEntries returns the instances of a kind that share one resource, enms_instances. The
// provider may be nil while Terraform validates.
func NewEntries(k *kind.Kind, p *resources.Provider) *Instances {
	i := New(k, p)
	i.InMany = true
	return i
}

// Of returns the instances of the type that values name, see reading.Reader.Of.
func (r *Instances) Of(values kind.Values) *Instances {
	return instancesOf(r.Reader.Of(values))
}

func instancesOf(r *reading.Reader) *Instances {
	return &Instances{r, planning.Checker{Reader: r}, &owner{kind: r.Kind, run: &r.Provider.Run}}
}

// group returns what the operations of an enms_instances wait as, and nil for those of other resources. Terraform begins
// other operations when one of those gives up, and none while an enms_instances has entries left.
func (r *Instances) group() any {
	if r.InMany {
		return r.owner
	}
	return nil
}

// clientType returns the type of an instance for the client's writes.
func (r *Instances) clientType(values kind.Values) enms.Type {
	return enms.Type{
		Name: r.Kind.Path(values), Namespace: r.Kind.Namespace,
		NoTimestamps: r.Kind.NoTimestamps, CommittedOneByOne: r.Kind.CommittedOneByOne,
	}
}

// holdName keeps the name of an instance as the state has it until release is called: Terraform may rename the scope of
// a name while it moves the instance out of it. If the calling operation ends the name (isEnding), by a rename or a deletion, no
// other one uses a name that begins with it meanwhile. To avoid deadlocks, locks are taken from the outermost name
// inwards, and before other operations can wait for the rename (beginRename).
func (r *Instances) holdName(name string, isEnding bool) (release func()) {
	if r.Kind.Scope == nil {
		return func() {}
	}
	ending := ""
	if isEnding {
		ending = name
	}
	resume := r.Provider.Run.Renames.Writes.Pause() // a rename that waits may hold the name
	defer resume()
	return r.Provider.Run.Names.Hold(relate.Scopes(r.Kind, name), ending)
}

// tryHoldName is holdName for an operation that ends the name and must not wait. It reports whether it holds the name.
func (r *Instances) tryHoldName(name string) (release func(), held bool) {
	if r.Kind.Scope == nil {
		return func() {}, true
	}
	return r.Provider.Run.Names.TryHold(relate.Scopes(r.Kind, name), name)
}

// NameNow returns the current name of an instance, if only this client has renamed anything since
// its state was read.
func (r *Instances) NameNow(name string) string {
	if len(relate.Scopes(r.Kind, name)) == 0 || !r.Provider.Ready() {
		return name
	}
	for _, rename := range r.Provider.Client.Renames(r.Kind.Scope.Type) {
		name = relate.Renamed(r.Kind, name, rename.From, rename.To)
	}
	return name
}

// findByIDAfterRenames reads the instance of a state by its id. It asks again while the answer
// has the old name although this client has changed it (enms-rest.md 10.2).
func (r *Instances) findByIDAfterRenames(ctx context.Context, state kind.Values) (answer value.Object, err error) {
	before := value.Text(state[kind.RowName])
	expected := r.NameNow(before)
	read := func() (value.Object, error) {
		return r.Provider.Client.FindByID(ctx, r.Kind.Name, value.Text(state[kind.RowID]))
	}
	return enms.Until(ctx, read, func(answer value.Object) bool {
		return expected == before || answer[kind.RowName] != before
	})
}

// followScope returns the state of an instance with its current name, after this client has
// renamed its scope, with whose name it begins.
func (r *Instances) followScope(ctx context.Context, state kind.Values) kind.Values {
	expected := r.NameNow(value.Text(state[kind.RowName]))
	if expected == value.Text(state[kind.RowName]) {
		return state
	}
	if value.Text(state[kind.RowID]) != "" { // the id of a tainted instance may be unknown
		answer, err := r.findByIDAfterRenames(ctx, state)
		if err != nil || answer[kind.RowName] != expected {
			return state // an operation that uses the name will report the error
		}
	}
	followed := maps.Clone(state)
	followed[kind.RowName] = tftypes.NewValue(tftypes.String, expected)
	return followed
}

// mending returns the end of a sentence about an instance that eNMS created although it reported a failure: what
// the next apply does with it.
func (r *Instances) mending() string {
	if r.InMany {
		return ": the next apply mends it"
	}
	return ", marked as tainted: the next apply replaces it"
}

// findNow finds an instance by its name until agrees accepts it, see enms.Until. It does not use what was
// read before.
func (r *Instances) findNow(ctx context.Context, name string, columns []string, agrees func(value.Object) bool) (value.Object, error) {
	return enms.Until(ctx, func() (value.Object, error) { return r.Provider.Client.FindNow(ctx, r.Kind.Name, name, columns) }, agrees)
}
