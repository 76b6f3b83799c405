// This file makes the payloads of writes.

package instance

import (
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// put adds an attribute to a payload, if it has anything to send: null is never
// sent (enms-rest.md 9, 6).
func (a Attribute) put(payload enms.Object, v tftypes.Value) {
	if v.IsNull() || !v.IsFullyKnown() {
		return
	}
	switch {
	case a.Role == Setting, a.Role == Identity, a.Role == Subtype, a.ReadOnly, a.DataOnly:
	case a.Meaning == Fields:
		for name, x := range fields(v) {
			payload[name] = x
		}
	default:
		payload[a.property()] = toJSON(v)
	}
}

// createPayload is what creates an instance: what is configured, what follows
// from the name, and what eNMS's own defaults would get wrong.
func (k *Kind) createPayload(config, planned Values) enms.Object {
	payload := k.adoptPayload(config, planned)
	for _, a := range k.Rows() {
		if _, sent := payload[a.property()]; !sent && a.OnCreate != nil {
			payload[a.property()] = a.OnCreate
		}
	}
	return payload
}

// adoptPayload is what takes an existing instance over: only what is
// configured, and what follows from the name.
func (k *Kind) adoptPayload(config, planned Values) enms.Object {
	payload := enms.Object{}
	for _, a := range k.Rows() {
		if !config[a.Name].IsNull() || a.Derived {
			a.put(payload, planned[a.Name])
		}
	}
	return payload
}

// updatePayload is what changes an existing instance: its present name, the new
// one if there is one, and what changed. It is nil when nothing did. What
// follows from the name goes along each time, because eNMS makes the name of it
// anew at every write (enms-rest.md 1.5).
func (k *Kind) updatePayload(planned, prior Values) enms.Object {
	payload, changed := enms.Object{}, false
	for _, a := range k.Rows() {
		if a.Role == Key || a.DataOnly {
			continue
		}
		differs := !planned[a.Name].Equal(prior[a.Name])
		if a.Derived || differs {
			before := len(payload)
			a.put(payload, changedFields(a, planned[a.Name], prior[a.Name]))
			changed = changed || differs && len(payload) > before
		}
	}
	from, to := text(prior[rowName]), text(planned[rowName])
	payload[rowName] = from
	if from != to {
		payload["new_name"] = to
		changed = true
	}
	if !changed {
		return nil
	}
	return payload
}

// changedFields leaves of a Fields value only what differs from the state;
// other values stay whole.
func changedFields(a Attribute, planned, prior tftypes.Value) tftypes.Value {
	if a.Meaning != Fields || prior.IsNull() || planned.IsNull() || !planned.IsFullyKnown() {
		return planned
	}
	return fromJSON(a.newFields(planned, prior))
}

// newFields are the members of a Fields value that the state does not hold, as
// far as they are known.
func (a Attribute) newFields(planned, prior tftypes.Value) map[string]any {
	have, members := fields(prior), map[string]any{}
	for name, x := range fields(planned) {
		if !a.holds(map[string]any{name: x}, have, never) {
			members[name] = x
		}
	}
	return members
}
