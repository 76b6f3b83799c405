// This file creates instances, or takes existing ones over.

package instance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// stillAtWork is how long eNMS may go on with a request whose answer was lost.
const stillAtWork = 2 * time.Minute

// create makes the instance. A state together with an error makes Terraform
// mark the instance as tainted, and destroy it at the next apply; uncertain is
// what to remember under uncertainKey. One that was taken over is somebody's
// and must not be destroyed: there the next apply takes it over again.
func (r *instanceResource) create(ctx context.Context, config, planned Values) (state Values, uncertain []byte, diags diag.Diagnostics) {
	name := text(planned[rowName])
	if err := r.spelled(ctx, planned, nil); err != nil {
		return nil, nil, r.kind.problem("create", name, planned, err)
	}
	adopted, err := r.adopt(ctx, config, planned)
	if err != nil {
		diags.Append(r.kind.problem(verbAdopt, name, planned, err)...)
		return nil, nil, diags
	}
	payload, begin := r.kind.createPayload(config, planned), time.Now()
	if !adopted {
		made := func(row enms.Object) bool { return r.kind.wholeOutcomeOf(payload, row) }
		if err := r.provider.Client.Create(ctx, r.kind.path(planned), r.kind.Namespace, payload, made); err != nil {
			diags.Append(r.kind.problem("create", name, planned, err)...)
			if state, uncertain = r.leftover(ctx, planned, payload, begin, err); state != nil && uncertain == nil {
				diags.AddWarning(fmt.Sprintf("The %s %q exists all the same", r.kind.Name, name),
					fmt.Sprintf("eNMS made it (id %s) although it reported a failure. It is in the state, marked as tainted: the next apply replaces it.", text(state[rowID])))
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
		return r.bare(planned), r.kind.memory(payload, enms.Window{}), diags
	}
	return state, nil, diags
}

// spelled makes sure that the relations of the plan that are not in the state
// are spelled as eNMS has them: it would answer its own spelling, which would be
// a difference in every plan.
func (r *instanceResource) spelled(ctx context.Context, planned, prior Values) error {
	for _, a := range r.kind.Rows() {
		if a.Of == "" {
			continue
		}
		related := append(names(planned[a.Name]), text(planned[a.Name]))
		related = slices.DeleteFunc(related, func(name string) bool { return name == "" || refersTo(prior[a.Name], name) })
		if err := r.provider.Client.Spelled(ctx, a.Of, related); err != nil {
			return err
		}
	}
	return nil
}

// adopt takes over an instance that bears the name already, if that is wanted
// and if there is one.
func (r *instanceResource) adopt(ctx context.Context, config, planned Values) (bool, error) {
	wanted := r.provider.AdoptExisting
	if v := planned[rowAdoptExisting]; v.IsKnown() && !v.IsNull() {
		_ = v.As(&wanted)
	}
	if !wanted {
		return false, nil
	}
	name := text(planned[rowName])
	found, err := r.provider.Client.Find(ctx, r.kind.Name, name, nil)
	if errors.Is(err, enms.ErrNotFound) {
		return false, nil // A name that another spelling takes is told when it is created.
	}
	if err != nil {
		return false, err
	}
	if have, want := found["type"], r.kind.path(planned); have != want && r.kind.hasSubtypes() {
		foundType, _ := have.(string)
		return false, &enms.ExistsError{Type: want, Name: name, ID: fmt.Sprint(found["id"]), FoundType: foundType}
	}
	return true, r.provider.Client.Upsert(ctx, r.kind.path(planned), r.kind.adoptPayload(config, planned))
}

// leftover looks for what a failed creation left behind: eNMS may have stored
// an instance although it reported a failure (enms-rest.md 0.1). Something that
// does not look like the outcome of this payload, or was not written since the
// creation began, belongs to somebody else.
func (r *instanceResource) leftover(ctx context.Context, planned Values, payload enms.Object, begin time.Time, cause error) (Values, []byte) {
	var exists *enms.ExistsError
	var renamed *enms.RenamedError
	var ambiguous *enms.AmbiguousError
	names := []string{text(planned[rowName])}
	switch {
	case errors.As(cause, &ambiguous): // whatever lost the answer
		return r.bare(planned), r.kind.memory(payload, r.mayCome(begin))
	case errors.As(cause, &exists), !mayTell(cause):
		return nil, nil
	case errors.As(cause, &renamed):
		names = []string{renamed.Got, names[0]}
	}
	ctx = context.WithoutCancel(ctx)
	for _, name := range names {
		answer, err := r.provider.Client.Get(ctx, r.kind.Name, name)
		// What eNMS refused, and cannot even look for, is in no state that a plan could read.
		unreadable := is[*enms.RefusedError](cause) && enms.Refused(err)
		// After a 500 nothing was kept: what is there by now is another's.
		others := err == nil && (enms.Refused(cause) || !r.made(answer, payload, begin))
		if errors.Is(err, enms.ErrNotFound) || unreadable || others {
			continue
		}
		bare := r.bare(planned)
		if err == nil {
			if state, err := r.kind.stateOf(answer, bare); err == nil {
				return state, nil
			}
		}
		bare[rowName] = tftypes.NewValue(tftypes.String, name)
		return bare, r.kind.memory(payload, r.mayCome(begin))
	}
	return nil, nil
}

// made tells whether an instance is the outcome of a creation that began at a
// given moment.
func (r *instanceResource) made(answer, payload enms.Object, begin time.Time) bool {
	return r.provider.Client.Wrote(answer, r.provider.Client.Since(begin)) && r.kind.outcomeOf(payload, answer)
}

// mayCome is when a creation whose outcome is not known may have happened, or
// may happen yet: eNMS may be at work still.
func (r *instanceResource) mayCome(begin time.Time) enms.Window {
	window := r.provider.Client.Since(begin)
	window.Until = window.Until.Add(stillAtWork)
	return window
}

// bare is a state of which no more is known than the name, the type and the
// settings.
func (r *instanceResource) bare(planned Values) Values {
	state := Values{}
	for _, a := range r.kind.Rows() {
		switch {
		case a.DataOnly:
		case a.Role == Setting, a.Role == Key, a.Role == Subtype:
			state[a.Name] = planned[a.Name]
		default:
			state[a.Name] = a.null()
		}
	}
	return state
}

// outcomeOf tells whether an instance may be what a payload made, in full or in
// part: each field of the kind's table holds what was sent or eNMS's default.
func (k *Kind) outcomeOf(payload, answer enms.Object) bool {
	for _, a := range k.Rows() {
		x, answered := answer[a.readFrom()]
		if !answered || a.Role != Field || a.ReadOnly || a.Restless || a.DataOnly || a.Meaning == Fields {
			continue
		}
		v, err := a.fromAnswer(x)
		if err != nil {
			return false
		}
		sent, ok := payload[a.property()]
		if ok && a.same(v, a.sentValue(sent)) {
			continue
		}
		if !a.same(v, a.resetValue()) && !a.same(v, a.value(a.Default)) {
			return false
		}
	}
	return true
}

// wholeOutcomeOf tells whether an instance may be what a payload made in full:
// the further fields, too, are as they were sent.
func (k *Kind) wholeOutcomeOf(payload, answer enms.Object) bool {
	further, rows := k.row(rowProperties), map[string]bool{}
	for _, a := range k.Rows() {
		rows[a.property()] = true
	}
	for name, sent := range payload {
		if have, answered := answer[name]; answered && !rows[name] && !further.alike(name, sent, have, true) {
			return false
		}
	}
	return k.outcomeOf(payload, answer)
}

// sentValue is the value of what a payload holds for the attribute; payloads
// that were remembered have been through JSON.
func (a Attribute) sentValue(sent any) tftypes.Value {
	if n, ok := sent.(int); ok {
		return a.value(n)
	}
	v, err := a.fromAnswer(sent)
	if err != nil {
		return a.null()
	}
	return v
}

// path is the instance type in the path of the request: the subtype if the kind
// has such, as relations of a subtype can be set in no other way
// (enms-rest.md 1.5).
func (k *Kind) path(values Values) string {
	if subtype := text(values[k.subtypeRow()]); subtype != "" {
		return subtype
	}
	return k.Name
}

func (k *Kind) hasSubtypes() bool { return k.subtypeRow() != "" }

// subtypeRow is the name of the attribute that holds the subtype, "" when the
// kind has none.
func (k *Kind) subtypeRow() string {
	for _, a := range k.Rows() {
		if a.Role == Subtype {
			return a.Name
		}
	}
	return ""
}
