// This file lets instances take names that others give up in the same run, and exchange
// theirs. Terraform renames resources that do not refer to each other in any order, so that
// a name may still be taken when it is needed.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// beginRename notes a rename before anything is asked or sent for it, so that others find
// it in time; nil when the payload is none. The caller ends it.
func (r *Instances) beginRename(payload value.Object, prior kind.Values) *rename {
	to, renaming := payload["new_name"].(string)
	if !renaming {
		return nil
	}
	mine := &rename{from: value.Text(prior[kind.RowName]), to: to, stepAside: func(ctx context.Context) error {
		_, err := r.stepAside(ctx, prior)
		return err
	}}
	r.provider.renames.begin(r.kind.Namespace, mine)
	return mine
}

// endRename notes that a rename is over, if there was one.
func (r *Instances) endRename(mine *rename, err error) {
	if mine != nil {
		r.provider.renames.end(r.kind.Namespace, mine, err)
	}
}

// upsert sends an update. When the name that it gives is taken by an instance that gives
// it up in the same run, it waits for that one; of those that wait for each other, one has
// a temporary name meanwhile. mine is the rename, nil when the payload is none. It returns
// the payload that was sent last.
func (r *Instances) upsert(ctx context.Context, mine *rename, payload value.Object, planned, prior kind.Values) (value.Object, error) {
	send := func() error {
		return r.provider.Client.Upsert(ctx, r.clientType(planned), r.kind.Renaming(payload, prior))
	}
	err := send()
	if all := &r.provider.renames; mine != nil && is[*enms.ExistsError](err) {
		blocker, circle := all.blocker(r.kind.Namespace, mine)
		switch {
		case blocker == nil:
		case circle:
			aside, failed := r.stepAside(ctx, prior)
			if failed != nil {
				break
			}
			all.steppedAside(mine)
			payload = maps.Clone(payload)
			payload[kind.RowName], prior = value.Text(aside[kind.RowName]), aside
			err = blocker.wait(ctx, send)
		default:
			err = blocker.wait(ctx, send)
		}
	}
	return payload, err
}

// wait sends something once the old name of a rename is free. If the rename is over and has
// failed, its instance is given a temporary name.
func (r *rename) wait(ctx context.Context, send func() error) error {
	select {
	case <-r.free:
	case <-ctx.Done():
		return ctx.Err()
	}
	err := send()
	if is[*enms.ExistsError](err) && r.stepAside(ctx) == nil {
		err = send()
	}
	return err
}

// StepAside gives an instance a temporary name, so that another one can have its own, and
// returns its state with that name.
func (r *Instances) StepAside(ctx context.Context, state kind.Values) (kind.Values, diag.Diagnostics) {
	aside, err := r.stepAside(ctx, state)
	if err != nil {
		return state, r.errorDiagnostic(verbRename, value.Text(state[kind.RowName]), state, err)
	}
	return aside, nil
}

// stepAside gives an instance a temporary name, if it has still the name of the state, and
// returns its state with that name. If it never gets its final name, the next read finds
// it by its id, and the next apply renames it.
func (r *Instances) stepAside(ctx context.Context, prior kind.Values) (kind.Values, error) {
	prior = r.followScope(ctx, prior)
	id, from := value.Text(prior[kind.RowID]), value.Text(prior[kind.RowName])
	answer, err := r.provider.Client.FindByID(ctx, r.kind.Name, id)
	if err == nil && answer[kind.RowName] != from {
		err = errors.New("it has another name by now")
	}
	if err != nil {
		return prior, err
	}
	config := kind.Values{}
	for name, v := range prior {
		config[name] = tftypes.NewValue(v.Type(), nil)
	}
	config[kind.RowName] = tftypes.NewValue(tftypes.String, temporaryName(from, id))
	planned := kind.Known(r.kind.NewPlan(config, prior, nil, time.Now()).Planned(), prior)
	payload := r.kind.UpdatePayload(nil, planned, prior)
	return planned, r.provider.Client.Upsert(ctx, r.clientType(planned), r.kind.Renaming(payload, prior))
}

// longestBase is how much of a name a temporary name holds: databases keep 250 characters.
const longestBase = 200

// temporaryName returns the name that an instance has while another one takes its own.
func temporaryName(name, id string) string {
	if runes := []rune(name); len(runes) > longestBase {
		name = string(runes[:longestBase])
	}
	return fmt.Sprintf("%s (renamed by Terraform, id %s)", name, id)
}
