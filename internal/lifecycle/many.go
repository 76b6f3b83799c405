// This file creates, reads, changes and deletes the instances of a resource that holds many
// of them, enms_instances, as resource.go does that of a resource of one.

package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Many are instances of a kind that share a resource. Calls that are under way at the
// same time share requests.
type Many struct{ instances instances }

// NewMany are the instances of a kind in the eNMS of a provider, which may be nil while
// Terraform validates.
func NewMany(k *kind.Kind, p *Provider) *Many {
	return &Many{instances{kind: k, provider: p, inMany: true}}
}

// Kept is what is kept beside the state of one of many instances.
type Kept struct{ private privateState }

// KeptManaged is what is kept of an instance of which these attributes are managed.
func KeptManaged(managed []string) Kept { return Kept{privateState{Managed: managed}} }

// Managed is the list that kind.Managed makes.
func (k Kept) Managed() []string { return k.private.Managed }

// Adopted reports, of a creation, whether it took over an existing instance.
func (k Kept) Adopted() bool { return k.private.adopted }

// Pending tells whether a write is pending, or what follows from one, or whether it takes a
// plan to say what became of the instance.
func (k Kept) Pending() bool {
	return k.private.PendingCreate != nil || k.private.PendingRename != nil || k.private.Unfinished != nil ||
		k.private.PossibleName != ""
}

// MarshalJSON writes what a resource of one instance keeps in Terraform's private state.
func (k Kept) MarshalJSON() ([]byte, error) {
	fields := map[string]any{}
	for _, f := range k.private.fields() {
		raw, err := f.encode()
		if err != nil {
			return nil, err
		}
		if raw != nil {
			fields[f.key] = raw
		}
	}
	return json.Marshal(fields)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (k *Kept) UnmarshalJSON(raw []byte) error {
	var written map[string]json.RawMessage
	if err := json.Unmarshal(raw, &written); err != nil {
		return err
	}
	for _, f := range k.private.fields() {
		if field, has := written[f.key]; has {
			if err := json.Unmarshal(field, f.field); err != nil {
				return err
			}
		}
	}
	return nil
}

// CheckCreation refuses the plan of a creation if another resource of the same plan creates
// an object with that name.
func (m *Many) CheckCreation(planned kind.Values, of Fingerprint) diag.Diagnostics {
	return m.instances.checkCreation(planned, of)
}

// CheckType refuses the plan of a creation if this eNMS does not have the type.
func (m *Many) CheckType(ctx context.Context, typ string) diag.Diagnostics {
	return m.instances.checkTypeKnown(ctx, typ)
}

// CheckDeletion refuses the plan of a deletion if another resource of the same plan keeps the
// object.
func (m *Many) CheckDeletion(state kind.Values) diag.Diagnostics {
	return m.instances.checkDeletion(state)
}

// Free notes that the plan of the resource gives up the name of the instance of a state.
func (m *Many) Free(state kind.Values) { m.instances.free(state) }

// Held is the object of a state.
func (m *Many) Held(state kind.Values) Held { return m.instances.held(state) }

// CheckPolicy refuses the deletion policies that the kind does not have.
func (m *Many) CheckPolicy(values kind.Values) diag.Diagnostics {
	return m.instances.checkPolicy(values)
}

// Deletes reports whether what leaves the resource is deleted in eNMS, by the deletion
// policy of some values or of the provider.
func (m *Many) Deletes(values kind.Values) bool { return m.instances.deletes(values) }

// NameNow returns the name that an instance has by now if nobody but this provider has
// renamed anything since the name was read.
func (m *Many) NameNow(name string) string { return m.instances.expectedName(name) }

// PlanDeletion notes in the plan of the resource that the instance of a state is deleted,
// unless its deletion policy leaves it in eNMS.
func (m *Many) PlanDeletion(plan *Changes, state kind.Values) {
	m.instances.planDeletion(plan, state, false)
}

// Adopts reports whether an existing instance would be taken over.
func (m *Many) Adopts(values kind.Values) bool {
	return m.instances.provider != nil && m.instances.adopts(values)
}

// PlanReplacement notes in the plan of the resource that the instance of a state is replaced.
func (m *Many) PlanReplacement(plan *Changes, state kind.Values) {
	m.instances.planDeletion(plan, state, true)
}

// Dependent returns the instance of a state as one that the plan of the resource keeps; nil
// when eNMS deletes it with no other.
func (m *Many) Dependent(plan *Changes, dependences []kind.Dependence, state kind.Values) *Dependent {
	return m.instances.dependent(plan, dependences, state)
}

// Create creates an instance, or takes an existing one over. Without a state there is none;
// with an error and a state, the next update mends it.
func (m *Many) Create(ctx context.Context, config, planned kind.Values) (kind.Values, Kept, diag.Diagnostics) {
	state, kept, diags := m.instances.create(ctx, config, planned)
	return state, Kept{kept}, diags
}

// Read returns the state of what eNMS holds, nil when the instance is gone, and what to
// keep of it.
func (m *Many) Read(ctx context.Context, before kind.Values, kept Kept) (kind.Values, Kept, diag.Diagnostics) {
	now, next, diags := m.instances.read(ctx, before, kept.private)
	return now, Kept{next}, diags
}

// IsGone reports whether a read found nothing but another name and another content under
// the id of an instance, and the plan does not give it that name: then the instance was
// deleted, and eNMS gave its id to another one.
func (k Kept) IsGone(planned string) bool {
	return k.private.PossibleName != "" && k.private.PossibleID == "" && k.private.PossibleName != planned
}

// Known returns the state of an instance for which a read took another one, which has its
// name by now, when the plan gives the name that it has itself, and a warning that says so;
// otherwise nil. Of the state, only the name and the id are those of the instance.
func (m *Many) Known(planned string, state kind.Values, kept Kept) (known kind.Values, diags diag.Diagnostics) {
	if known = kept.private.known(planned, state); known != nil {
		diags.Append(m.instances.warnOfKnown(known, state))
	}
	return known, diags
}

// Import reads an instance of which only the name is known: all of it, or the properties.
func (m *Many) Import(ctx context.Context, config kind.Values, properties []string) (
	entry kind.Values, state kind.Values, diags diag.Diagnostics) {
	name := value.Text(config[kind.RowName])
	answer, err := m.importable(ctx, name, config, properties)
	if err == nil && answer["type"] != m.instances.kind.Path(config) && m.instances.kind.HasSubtypes() {
		diags.AddAttributeError(path.Root(kind.RowName), fmt.Sprintf("Cannot import %s %q", m.instances.kind.Name, name),
			fmt.Sprintf("It is a %v: import it by that type, into a resource of its own.", answer["type"]))
		return nil, nil, diags
	}
	if err == nil {
		entry, state, err = m.instances.kind.ImportedEntry(answer, config, properties)
	}
	switch {
	case errors.Is(err, enms.ErrNotFound):
		diags.AddAttributeError(path.Root(kind.RowName), fmt.Sprintf("Cannot import %s %q", m.instances.kind.Name, name),
			fmt.Sprintf("eNMS has no %s of exactly that name that this user may read.", m.instances.kind.Name))
	case err != nil:
		diags = m.instances.errorDiagnostic(verbImport, name, config, err)
	}
	return entry, state, diags
}

// importable asks for an instance that is imported.
func (m *Many) importable(ctx context.Context, name string, config kind.Values, properties []string) (value.Object, error) {
	if properties == nil || m.instances.kind.NeedsWhole(properties) {
		return m.instances.getShared(ctx, name)
	}
	return m.instances.findNamed(ctx, name, append(m.instances.kind.Columns(config, false), properties...))
}

// Update changes the instance as planned. The state is what eNMS holds after it.
func (m *Many) Update(ctx context.Context, config, planned, prior kind.Values, kept Kept) (kind.Values, Kept, diag.Diagnostics) {
	state, still, acted, diags := m.instances.updateHeld(ctx, config, planned, prior, kept.private)
	if !acted {
		return state, kept, diags
	}
	next := privateState{PendingCreate: kept.private.PendingCreate, Unfinished: still}
	var before []string
	if diags.HasError() {
		next.PendingRename, before = m.instances.pendingRename(planned, prior), kept.private.Managed
	}
	next.Managed = m.instances.kind.Managed(config, state, before)
	return state, Kept{next}, diags
}

// BeginCreation notes that the resource is being created: until end is called, it is not
// decided whether it keeps what it has taken over, and nobody deletes that.
func (m *Many) BeginCreation() (end func()) {
	decided := make(chan struct{})
	m.instances.creation = decided
	return func() { close(decided) }
}

// Release notes that the resource does not keep an instance that it has taken over.
func (m *Many) Release(name, id string) {
	m.instances.provider.objects.set(m.instances.kind.Namespace, object{names: []string{name}, id: id, fate: fateReleased, holder: &m.instances})
}

// StepAside gives an instance a temporary name, so that another one can have its own, and
// returns its state with that name.
func (m *Many) StepAside(ctx context.Context, state kind.Values) (kind.Values, diag.Diagnostics) {
	aside, err := m.instances.stepAside(ctx, state)
	if err != nil {
		return state, m.instances.errorDiagnostic(verbRename, value.Text(state[kind.RowName]), state, err)
	}
	return aside, nil
}

// Delete deletes an instance as its deletion policy says.
func (m *Many) Delete(ctx context.Context, state kind.Values, kept Kept) diag.Diagnostics {
	return m.instances.delete(ctx, state, kept.private)
}
