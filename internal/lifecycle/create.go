// This file creates instances, or takes existing ones over.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// stillAtWork is how long eNMS may go on with a request whose answer was lost.
const stillAtWork = 2 * time.Minute

// create makes the instance. A state together with an error makes Terraform
// mark the instance as tainted, and destroy it at the next apply; uncertain is
// what to remember under uncertainKey. One that was taken over is somebody's
// and must not be destroyed: there the next apply takes it over again.
func (r *instances) create(ctx context.Context, config, planned kind.Values) (state kind.Values, uncertain []byte, diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	if err := r.spelled(ctx, planned, nil); err != nil {
		return nil, nil, r.problem("create", name, planned, err)
	}
	adopted, err := r.adopt(ctx, config, planned)
	if err != nil {
		diags.Append(r.problem(verbAdopt, name, planned, err)...)
		return nil, nil, diags
	}
	payload, begin := r.kind.CreatePayload(config, planned), time.Now()
	if !adopted {
		made := func(row enms.Object) bool { return r.kind.OutcomeOf(payload, row) }
		if err := r.provider.Client.Create(ctx, r.kind.Path(planned), r.kind.Namespace, payload, made); err != nil {
			diags.Append(r.problem("create", name, planned, err)...)
			if state, uncertain = r.leftover(ctx, planned, payload, begin, err); state != nil && uncertain == nil {
				diags.AddWarning(fmt.Sprintf("The %s %q exists all the same", r.kind.Name, name),
					fmt.Sprintf("eNMS made it (id %s) although it reported a failure. It is in the state, marked as tainted: the next apply replaces it.", value.Text(state[kind.RowID])))
			}
			return state, uncertain, diags
		}
	}
	state, more := r.written(ctx, planned, payload, adopted)
	diags.Append(more...)
	switch {
	case adopted && diags.HasError():
		return nil, nil, diags
	case state == nil:
		return r.kind.MinimalState(planned), r.memory(payload, enms.Window{}), diags
	}
	return state, nil, diags
}

// spelled makes sure that the relations of the plan that are not in the state
// are spelled as eNMS has them: it would answer its own spelling, which would be
// a difference in every plan.
func (r *instances) spelled(ctx context.Context, planned, prior kind.Values) error {
	for _, related := range r.kind.NewlyRelated(planned, prior) {
		if err := r.provider.Client.Spelled(ctx, related.Type, related.Names); err != nil {
			return err
		}
	}
	return nil
}

// adopt takes over an instance that bears the name already, if that is wanted
// and if there is one.
func (r *instances) adopt(ctx context.Context, config, planned kind.Values) (bool, error) {
	wanted := r.provider.AdoptExisting
	if v := planned[kind.RowAdoptExisting]; v.IsKnown() && !v.IsNull() {
		_ = v.As(&wanted)
	}
	if !wanted {
		return false, nil
	}
	name := value.Text(planned[kind.RowName])
	found, err := r.provider.Client.Find(ctx, r.kind.Name, name, nil)
	if errors.Is(err, enms.ErrNotFound) {
		return false, nil // A name that another spelling takes is told when it is created.
	}
	if err != nil {
		return false, err
	}
	if have, want := found["type"], r.kind.Path(planned); have != want && r.kind.HasSubtypes() {
		foundType, _ := have.(string)
		return false, &enms.ExistsError{Type: want, Name: name, ID: fmt.Sprint(found["id"]), FoundType: foundType}
	}
	return true, r.provider.Client.Upsert(ctx, r.kind.Path(planned), r.kind.AdoptPayload(config, planned))
}

// leftover looks for what a failed creation left behind: eNMS may have stored
// an instance although it reported a failure (enms-rest.md 0.1). Something that
// does not look like the outcome of this payload, or was not written since the
// creation began, belongs to somebody else.
func (r *instances) leftover(ctx context.Context, planned kind.Values, payload enms.Object, begin time.Time, cause error) (kind.Values, []byte) {
	var exists *enms.ExistsError
	var renamed *enms.RenamedError
	var ambiguous *enms.AmbiguousError
	names := []string{value.Text(planned[kind.RowName])}
	switch {
	case errors.As(cause, &ambiguous): // whatever lost the answer
		return r.kind.MinimalState(planned), r.memory(payload, r.mayCome(begin))
	case errors.As(cause, &exists), !mayTell(cause):
		return nil, nil
	case errors.As(cause, &renamed):
		names = []string{renamed.Got, names[0]}
	}
	ctx = context.WithoutCancel(ctx)
	for _, name := range names {
		answer, err := r.provider.Client.Get(ctx, r.kind.Name, name)
		if errors.Is(err, enms.ErrNotFound) || enms.Refused(err) || err == nil && !r.made(answer, payload, begin) {
			continue // what eNMS can neither store nor look for is in no state that a plan could read
		}
		bare := r.kind.MinimalState(planned)
		if err == nil {
			if state, err := r.kind.State(answer, bare); err == nil {
				return state, nil
			}
		}
		bare[kind.RowName] = tftypes.NewValue(tftypes.String, name)
		return bare, r.memory(payload, r.mayCome(begin))
	}
	return nil, nil
}

// made tells whether an instance is the outcome of a creation that began at a
// given moment.
func (r *instances) made(answer, payload enms.Object, begin time.Time) bool {
	return r.provider.Client.Wrote(answer, r.provider.Client.Since(begin)) && r.kind.OutcomeOf(payload, answer)
}

// mayCome is when a creation whose outcome is not known may have happened, or
// may happen yet: eNMS may be at work still.
func (r *instances) mayCome(begin time.Time) enms.Window {
	window := r.provider.Client.Since(begin)
	window.Until = window.Until.Add(stillAtWork)
	return window
}
