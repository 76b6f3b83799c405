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

// Pending tells whether a write is pending, or what follows from one.
func (k Kept) Pending() bool {
	return k.private.PendingCreate != nil || k.private.PendingRename != nil || k.private.Unfinished != nil
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

// CheckPolicy refuses the deletion policies that the kind does not have.
func (m *Many) CheckPolicy(values kind.Values) diag.Diagnostics {
	return m.instances.checkPolicy(values)
}

// Adopts reports whether an existing instance would be taken over.
func (m *Many) Adopts(values kind.Values) bool {
	return m.instances.provider != nil && m.instances.adopts(values)
}

// Adopt looks for an instance that is to be created and may be there, and gives its
// state; nil when there is none, or when none is to be taken over.
func (m *Many) Adopt(ctx context.Context, config, planned kind.Values) (kind.Values, diag.Diagnostics) {
	if !m.instances.adopts(planned) {
		return nil, nil
	}
	name := value.Text(config[kind.RowName])
	answer, err := m.instances.fetch(ctx, name, config, m.instances.kind.Managed(config, config, nil), false)
	if errors.Is(err, enms.ErrNotFound) {
		return nil, nil // The creation fails if another spelling takes the name.
	}
	var state kind.Values
	if err == nil {
		err = m.instances.checkType(name, config, answer)
	}
	if err == nil {
		state, err = m.instances.stateOf(ctx, answer, config)
	}
	if err != nil {
		return nil, m.instances.errorDiagnostic(verbAdopt, name, config, err)
	}
	return state, nil
}

// Create creates an instance. Without a state there is none; with an error and a state,
// the next update mends it.
func (m *Many) Create(ctx context.Context, config, planned kind.Values) (kind.Values, Kept, diag.Diagnostics) {
	state, pending, diags := m.instances.create(ctx, config, planned)
	if state == nil {
		return nil, Kept{}, diags
	}
	return state, Kept{privateState{Managed: m.instances.kind.Managed(config, state, nil), PendingCreate: pending}}, diags
}

// Read is the state of what eNMS holds, nil when the instance is gone.
func (m *Many) Read(ctx context.Context, before kind.Values, kept Kept) (kind.Values, diag.Diagnostics) {
	return m.instances.read(ctx, before, kept.private)
}

// Reread is what to keep after a read.
func (m *Many) Reread(kept Kept, before, now kind.Values) Kept {
	return Kept{privateState{Managed: m.instances.kind.StillManaged(kept.private.Managed, before, now), Unfinished: kept.private.Unfinished}}
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
	state, still, acted, diags := m.instances.update(ctx, config, planned, prior, kept.private)
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

// Delete deletes an instance as its deletion policy says.
func (m *Many) Delete(ctx context.Context, state kind.Values, kept Kept) diag.Diagnostics {
	return m.instances.delete(ctx, state, kept.private)
}
