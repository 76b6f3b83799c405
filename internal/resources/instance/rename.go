// This file renames instances in place. A rename waits if another instance of the run still has the
// name. If instances wait for each other in a circle, they exchange their names, and one of them gets a
// temporary name meanwhile.

package instance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// resolveRename checks before a rename that the instance still has its old name; otherwise eNMS would
// create a second instance (enms-rest.md 0.2). eNMS renames an instance together with its scope
// (enms-rest.md 1.5). Then resolveRename returns the payload with the instance's current name, and
// without the rename if the current name is the new one.
func (w *write) resolveRename(ctx context.Context, payload value.Object) (value.Object, error) {
	to, renaming := payload["new_name"].(string)
	if !renaming {
		return payload, nil
	}
	answer, err := w.i.findByIDAfterRenames(ctx, w.prior)
	if err != nil {
		return payload, err
	}
	renamed := maps.Clone(payload)
	current, _ := answer["name"].(string)
	renamed[kind.RowName] = current
	switch {
	case current == w.nameBefore():
		return payload, nil
	case current == to:
		delete(renamed, "new_name")
		return renamed, nil
	case w.renamedAlong(answer):
		return renamed, nil
	default:
		return payload, &enms.RefusedError{Op: failures.Rename, Type: w.kind.Name, Name: w.nameBefore(),
			Reason: fmt.Sprintf("the instance with its id is now called %q; plan again", current)}
	}
}

// renamedAlong reports whether the instance has another name only because its scope was renamed, such as the workflow of
// a service: by this client, or by somebody else to the scope in the plan.
func (w *write) renamedAlong(answer value.Object) bool {
	current, _ := answer["name"].(string)
	return current == w.i.NameNow(w.nameBefore()) || relate.InPlannedScope(w.kind, current, w.planned, w.prior)
}

// beginRename records a rename, which the caller ends. It returns nil if the payload is not a rename. An instance
// whose scope this run has renamed gives up the name that it has since then.
func (w *write) beginRename(payload value.Object) *applying.Rename {
	to, renaming := payload["new_name"].(string)
	if !renaming {
		return nil
	}
	from := w.i.NameOf(w.prior)
	from.Text = w.i.NameNow(from.Text)
	return w.run.Renames.Begin(from, applying.Name{Namespace: w.kind.Namespace, Text: to}, func(ctx context.Context) error {
		_, err := w.i.renameTemporarily(ctx, w.prior)
		return err
	})
}

// sendUpdate sends an update. mine is the rename, or nil if the update is not a rename. It returns the
// payload that was sent last, with the temporary name of the instance if it got one. A rename whose new name is taken
// waits for the operation of this run that gives it up, which Terraform may begin later. If no operation can begin
// before those end that wait for this one, the instance gives up its name for a temporary one.
func (w *write) sendUpdate(ctx context.Context, mine *applying.Rename, payload value.Object) (value.Object, error) {
	renames, prior, isTemporary := &w.run.Renames, w.prior, false
	isTaken := failures.Is[*enms.ExistsError]
	send := func() error {
		return w.client.Upsert(ctx, w.clientType(), payloads.Existing(w.kind, payload, prior))
	}
	renameTemporarily := func() error {
		renamed, failed := w.i.renameTemporarily(ctx, prior)
		if failed == nil {
			mine.Release()
			payload = maps.Clone(payload)
			payload[kind.RowName], prior, isTemporary = value.Text(renamed[kind.RowName]), renamed, true
		}
		return failed
	}
	for {
		since := renames.Now()
		err := send()
		if mine == nil || !isTaken(err) {
			return payload, err
		}
		if blocker, circle := renames.Blocker(mine); blocker != nil {
			if circle && renameTemporarily() != nil {
				return payload, err
			}
			return payload, renames.Wait(ctx, blocker, send, isTaken)
		}
		mayRename := !isTemporary && renames.IsAwaited(mine)
		if _, free := w.awaitName(ctx, applying.Update, err, nil, since, mayRename); free {
			continue
		}
		if isTemporary || !renames.IsAwaited(mine) || renameTemporarily() != nil {
			return payload, err
		}
	}
}

// awaitName waits until another operation of this run gives up the planned name, after eNMS has refused a write because
// that is taken (cause). It returns a rename that has begun to give it up, except tried, for which the caller has waited
// already; and whether the name may be free. since is Renames.Now before the write. It does not wait if this run has
// written what has the name: that keeps it. A caller without a fallback, which is a temporary name, waits longer: those
// with one act first. Meanwhile, other operations on the name may begin.
func (w *write) awaitName(ctx context.Context, operation applying.Operation, cause error, tried *applying.Rename, since int, hasFallback bool) (found *applying.Rename, free bool) {
	exists, _ := errors.AsType[*enms.ExistsError](cause)
	if exists == nil || w.i.checkOwner(cmp.Or(exists.FoundName, exists.Name), exists.ID) != nil {
		return nil, false
	}
	name, pause := w.i.NameOf(w.planned), beginPause
	if !hasFallback {
		pause *= 3
	}
	resume := w.run.Owners.Yield(operation, name)
	defer func() {
		goOn := w.run.Renames.Writes.Pause() // what has begun on the name may wait until all others wait, too
		defer goOn()
		resume()
	}()
	var group any
	if operation == applying.Create { // of updates, one that gives up may then take a temporary name
		group = w.i.group()
	}
	return w.run.Renames.Await(ctx, group, name, tried, since, pause)
}

// beginPause is how long Terraform, on a busy machine, may take until it begins the next operation.
const beginPause = 200 * time.Millisecond

// RenameTemporarily gives an instance a temporary name, so that another instance can take its name. It
// returns the state with the temporary name.
func (r *Instances) RenameTemporarily(ctx context.Context, state kind.Values) (kind.Values, diag.Diagnostics) {
	renamed, err := r.renameTemporarily(ctx, state)
	if err != nil {
		return state, r.Failed(failures.Rename, value.Text(state[kind.RowName]), state, err)
	}
	return renamed, nil
}

// scopedName is the attribute of services and data from which eNMS makes the name at every write (enms-rest.md 1.5).
const scopedName = "scoped_name"

// renameTemporarily gives an instance a temporary name, if it still has the name of the state, and returns the state with the
// temporary name. The scoped name is derived from the temporary name without the plan, because prior may refer to
// its scope by the name that it had before this run. If the instance never gets its final name, the next read
// finds it by its id, and the next apply renames it.
func (r *Instances) renameTemporarily(ctx context.Context, prior kind.Values) (kind.Values, error) {
	prior = r.followScope(ctx, prior)
	id, from := value.Text(prior[kind.RowID]), value.Text(prior[kind.RowName])
	answer, err := r.Provider.Client.FindByID(ctx, r.Kind.Name, id)
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
	temporary := temporaryName(from, id)
	config[kind.RowName] = tftypes.NewValue(tftypes.String, temporary)
	planned := states.Known(plans.New(r.Kind, config, prior, nil, time.Now()).Planned, prior)
	inENMS, _ := answer[scopedName].(string)
	if scoped := cmp.Or(inENMS, value.Text(prior[scopedName])); scoped != "" {
		planned[scopedName] = tftypes.NewValue(tftypes.String, strings.TrimPrefix(temporary, strings.TrimSuffix(from, scoped)))
	}
	payload := payloads.Update(r.Kind, nil, planned, prior)
	return planned, r.Provider.Client.Upsert(ctx, r.clientType(planned), payloads.Existing(r.Kind, payload, prior))
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
