// This file sends renames. A rename waits for a name that another instance of the run gives up;
// instances that wait for each other in a circle exchange their names, for which one of them gets a
// temporary name.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// beginRename records a rename. It returns nil if the payload is none. The caller ends the rename.
func (r *Instances) beginRename(payload value.Object, prior kind.Values) *applying.Rename {
	to, renaming := payload["new_name"].(string)
	if !renaming {
		return nil
	}
	return r.provider.Run.Renames.Begin(r.nameOf(prior), applying.Name{Namespace: r.kind.Namespace, Text: to}, func(ctx context.Context) error {
		_, err := r.stepAside(ctx, prior)
		return err
	})
}

// sendUpdate sends an update. mine is the rename, or nil if the payload is none. It returns the
// payload that was sent last, which has the temporary name of an instance that got one.
func (r *Instances) sendUpdate(ctx context.Context, mine *applying.Rename, payload value.Object, planned, prior kind.Values) (value.Object, error) {
	send := func() error {
		return r.provider.Client.Upsert(ctx, r.clientType(planned), payloads.Renaming(r.kind, payload, prior))
	}
	err := send()
	if mine == nil || !is[*enms.ExistsError](err) {
		return payload, err
	}
	blocker, circle := r.provider.Run.Renames.Blocker(mine)
	if blocker == nil {
		return payload, err
	}
	if circle {
		aside, failed := r.stepAside(ctx, prior)
		if failed != nil {
			return payload, err
		}
		mine.Release()
		payload = maps.Clone(payload)
		payload[kind.RowName], prior = value.Text(aside[kind.RowName]), aside
	}
	return payload, blocker.Wait(ctx, send, is[*enms.ExistsError])
}

// StepAside gives an instance a temporary name, so that another instance can take its name. It
// returns the state with the temporary name.
func (r *Instances) StepAside(ctx context.Context, state kind.Values) (kind.Values, diag.Diagnostics) {
	aside, err := r.stepAside(ctx, state)
	if err != nil {
		return state, r.errorDiagnostic(verbRename, value.Text(state[kind.RowName]), state, err)
	}
	return aside, nil
}

// stepAside gives an instance a temporary name, if it still has the name of the state, and
// returns the state with the temporary name. If the instance never gets its final name, the next
// read finds it by its id, and the next apply renames it.
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
	planned := states.Known(plans.New(r.kind, config, prior, nil, time.Now()).Planned, prior)
	payload := payloads.Update(r.kind, nil, planned, prior)
	return planned, r.provider.Client.Upsert(ctx, r.clientType(planned), payloads.Renaming(r.kind, payload, prior))
}

// longestBase is how much of the name a temporary name contains: databases hold 250 characters.
const longestBase = 200

// temporaryName returns the name that an instance gets while another one takes its name.
func temporaryName(name, id string) string {
	if runes := []rune(name); len(runes) > longestBase {
		name = string(runes[:longestBase])
	}
	return fmt.Sprintf("%s (renamed by Terraform, id %s)", name, id)
}
