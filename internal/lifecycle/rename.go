// This file sends renames. Terraform renames resources that do not refer to each other in any order,
// so a new name may still belong to an instance that the same run renames as well. A rename waits for
// such a name; instances that wait for each other in a circle exchange their names, for which one of
// them gets a temporary name.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// rename is a rename that is in progress, or that failed because its new name was taken.
type rename struct {
	from, to  objectKey
	stepAside func(context.Context) error // gives the instance a temporary name
	free      chan struct{}               // closed when the old name is free, or when the rename is over
	release   func()                      // closes free
	waitsFor  *rename                     // the rename whose old name it needs
}

// renames are the renames of a run that are in progress or waiting. The zero value is ready to use.
type renames struct {
	mu     sync.Mutex
	byName map[objectKey]*rename // by the old name
}

// begin records a rename before any request is made for it, so that others can wait for it.
func (all *renames) begin(from, to objectKey, stepAside func(context.Context) error) *rename {
	all.mu.Lock()
	defer all.mu.Unlock()
	r := &rename{from: from, to: to, stepAside: stepAside, free: make(chan struct{})}
	r.release = sync.OnceFunc(func() { close(r.free) })
	all.byName = put(all.byName, from, r)
	return r
}

// end records that a rename has ended. One that failed because its new name was taken stays
// recorded: the instance that gives up that name later in the run may need the old name, if
// the two exchange names.
func (all *renames) end(r *rename, err error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	r.release()
	r.waitsFor = nil
	if !is[*enms.ExistsError](err) {
		delete(all.byName, r.from)
	}
}

// blocker returns the rename that will free the name that r needs, or nil. circle is true if
// that rename is waiting for r, directly or through others.
func (all *renames) blocker(r *rename) (found *rename, circle bool) {
	all.mu.Lock()
	defer all.mu.Unlock()
	found = all.byName[r.to]
	for next := found; next != nil; next = next.waitsFor {
		if next == r {
			return found, true
		}
	}
	r.waitsFor = found
	return found, false
}

// wait calls send once the old name of a rename is free. If the rename has failed, its instance
// is given a temporary name first.
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

// beginRename records a rename. It returns nil if the payload is none. The caller ends the rename.
func (r *Instances) beginRename(payload value.Object, prior kind.Values) *rename {
	to, renaming := payload["new_name"].(string)
	if !renaming {
		return nil
	}
	return r.provider.renames.begin(r.keyOf(prior), objectKey{r.kind.Namespace, to}, func(ctx context.Context) error {
		_, err := r.stepAside(ctx, prior)
		return err
	})
}

// sendUpdate sends an update. mine is the rename, or nil if the payload is none. It returns the
// payload that was sent last, which has the temporary name of an instance that got one.
func (r *Instances) sendUpdate(ctx context.Context, mine *rename, payload value.Object, planned, prior kind.Values) (value.Object, error) {
	send := func() error {
		return r.provider.Client.Upsert(ctx, r.clientType(planned), r.kind.Renaming(payload, prior))
	}
	err := send()
	if mine == nil || !is[*enms.ExistsError](err) {
		return payload, err
	}
	blocker, circle := r.provider.renames.blocker(mine)
	if blocker == nil {
		return payload, err
	}
	if circle {
		aside, failed := r.stepAside(ctx, prior)
		if failed != nil {
			return payload, err
		}
		mine.release()
		payload = maps.Clone(payload)
		payload[kind.RowName], prior = value.Text(aside[kind.RowName]), aside
	}
	return payload, blocker.wait(ctx, send)
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
	planned := kind.Known(r.kind.NewPlan(config, prior, nil, time.Now()).Planned(), prior)
	payload := r.kind.UpdatePayload(nil, planned, prior)
	return planned, r.provider.Client.Upsert(ctx, r.clientType(planned), r.kind.Renaming(payload, prior))
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
