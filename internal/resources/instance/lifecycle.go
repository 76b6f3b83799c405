// This file is what package protocol calls for a resource: plans (plan.go), reads, creations (create.go), updates
// (update.go) and deletions (delete.go) of instances.

package instance

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
)

// Lifecycle plans, reads, creates, updates and deletes the instances of a kind that are resources of their own.
type Lifecycle struct {
	kind     *kind.Kind
	provider func() *resources.Provider
}

// NewLifecycle returns the lifecycle of the instances of a kind. provider returns the configured provider, nil while
// Terraform validates.
func NewLifecycle(k *kind.Kind, provider func() *resources.Provider) *Lifecycle {
	return &Lifecycle{kind: k, provider: provider}
}

// of returns the instances of the type that values name.
func (l *Lifecycle) of(values kind.Values) *Instances { return New(l.kind, l.provider()).Of(values) }

// State is the state of an instance, and the record that is stored beside it. Values is nil if there is none.
type State struct {
	Values kind.Values
	Record record.Record
}

// Read returns the state of an instance as it is in eNMS, without values if it is gone. After an error, and while a setting
// of the provider block is unknown, the state stays as it is.
func (l *Lifecycle) Read(ctx context.Context, before State) (State, diag.Diagnostics) {
	i := l.of(before.Values)
	if !i.Provider.Ready() {
		return before, nil
	}
	if other, diags := i.Provider.CheckAddress(before.Record.Server()); other {
		return before, diags
	}
	full := plans.WithAllProperties(before.Values)
	values, next, diags := i.Read(ctx, full, before.Record)
	switch {
	case diags.HasError():
		return before, diags
	case values == nil:
		return State{}, diags
	}
	shown := plans.Shown(i.Kind, values, before.Values, nil, false)
	isPending := before.Record.PendingCreate != nil // the state has only the name
	if before.Record.Imported || before.Record.Moved {
		shown = plans.ShownImport(i.Kind, shown, i.Defaults())
	} else if !isPending {
		diags.Append(i.WarnOfAuthor(ctx, full, values, before.Record.Managed)...)
	}
	return State{shown, next}, diags
}

// check returns an error if there is no client, because a setting of the provider block is unknown although a resource is
// applied, or if the record is about another server.
func (r *Instances) check(private record.Record) (diags diag.Diagnostics) {
	if r.Provider.Configured(&diags) == nil {
		return diags
	}
	_, refused := r.Provider.CheckAddress(private.Server())
	return append(diags, refused...)
}

// takeSecrets hides the secrets of a configuration in errors and logs before they are sent. It returns an error if a default
// of the provider block is unknown, or if the state would contain the version of a secret that was not sent.
func (r *Instances) takeSecrets(config, prior kind.Values) diag.Diagnostics {
	r.Provider.Client.AddSecrets(payloads.Secrets(r.Kind, config))
	return append(r.Checker.CheckDefaultsKnown(), plans.CheckSecrets(r.Kind, config, prior)...)
}
