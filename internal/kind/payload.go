// This file makes the payloads of writes.

package kind

import (
	"encoding/json"
	"maps"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// payload is what an attribute adds to a payload: nothing when it is null, which is
// never sent (enms-rest.md 9, 6).
func (a Attribute) payload(v tftypes.Value) value.Object {
	switch {
	case v.IsNull() || !v.IsFullyKnown():
		return nil
	case a.Type == Fields:
		return value.Members(v)
	case a.Type == Criteria:
		return a.criteriaPayload(v, a.null())
	}
	return value.Object{a.Name: value.ToJSON(v)}
}

// CreatePayload is what creates an instance: what is configured, what follows
// from the name, and what eNMS's own defaults would get wrong. What eNMS gives a
// value of its own at creation is left to SecondPayload.
func (k *Kind) CreatePayload(config, planned Values) value.Object {
	payload := k.AdoptPayload(config, planned)
	for _, a := range k.rows().sent {
		if a.AfterCreate {
			delete(payload, a.Name)
		}
		if _, sent := payload[a.Name]; !sent && a.OnCreate != nil {
			payload[a.Name] = a.OnCreate
		}
	}
	return payload
}

// SecondPayload is what has to be sent once more after a creation, because eNMS
// gave it a value of its own; nil when there is nothing.
func (k *Kind) SecondPayload(config, planned Values) value.Object {
	payload, second := value.Object{}, false
	for _, a := range k.rows().sent {
		if a.Role == Key || a.Derived || a.AfterCreate && !config[a.Name].IsNull() {
			maps.Copy(payload, a.payload(planned[a.Name]))
			second = second || a.AfterCreate
		}
	}
	if !second {
		return nil
	}
	return payload
}

// AdoptPayload is what takes an existing instance over: only what is
// configured, and what follows from the name.
func (k *Kind) AdoptPayload(config, planned Values) value.Object {
	payload := value.Object{}
	for _, a := range k.rows().sent {
		if !config[a.Name].IsNull() || a.Role == Key || a.Derived {
			maps.Copy(payload, a.payload(planned[a.Name]))
		}
	}
	maps.Copy(payload, k.secrets(config, nil))
	return payload
}

// UpdatePayload is what changes an existing instance: its present name, the new
// one if there is one, and what changed. It is nil when nothing did. An attribute
// that was taken out of the configuration is a change like any other, because
// NewPlan has planned it as its reset value; a null is not sent. What follows from the name goes along each time, because eNMS makes the name of it
// anew at every write (enms-rest.md 1.5).
func (k *Kind) UpdatePayload(config, planned, prior Values) value.Object {
	payload := k.secrets(config, prior)
	changed := len(payload) > 0
	for _, a := range k.rows().sent {
		if a.Role == Key {
			continue
		}
		differs := !planned[a.Name].Equal(prior[a.Name])
		if a.Derived || differs {
			added := a.changes(planned[a.Name], prior[a.Name])
			maps.Copy(payload, added)
			changed = changed || differs && len(added) > 0
		}
	}
	from, to := value.Text(prior[RowName]), value.Text(planned[RowName])
	payload[RowName] = from
	if from != to {
		payload["new_name"] = to
		changed = true
	}
	if !changed {
		return nil
	}
	return payload
}

// changes is what an attribute adds to the payload of an update: of Fields and
// Criteria only what differs from the state, of others the whole value. What eNMS
// fills in by itself goes back to empty when it is no longer configured.
func (a Attribute) changes(planned, prior tftypes.Value) value.Object {
	switch {
	case a.Type == Criteria:
		return a.criteriaPayload(planned, prior)
	case a.Type == Fields && !prior.IsNull() && !planned.IsNull() && planned.IsFullyKnown():
		return a.payload(value.FromJSON(a.newFields(planned, prior)))
	case a.Automatic != nil && planned.IsNull() && !a.AfterCreate:
		return a.payload(a.resetValue())
	}
	return a.payload(planned)
}

// newFields are the members of a Fields value that the state does not hold, as
// far as they are known.
func (a Attribute) newFields(planned, prior tftypes.Value) map[string]any {
	have, members := value.Members(prior), map[string]any{}
	for name, x := range value.Members(planned) {
		if !a.holds(map[string]any{name: x}, have, noneAnswered) {
			members[name] = x
		}
	}
	return members
}

// EmptyPayload empties what has to be empty before an existing instance is deleted;
// nil when there is nothing.
func (k *Kind) EmptyPayload(state Values) value.Object {
	payload := value.Object{RowName: value.Text(state[RowName])}
	for _, a := range k.rows().fields {
		if a.EmptyFirst {
			maps.Copy(payload, a.payload(a.resetValue()))
		}
	}
	if len(payload) == 1 {
		return nil
	}
	return payload
}

// Renaming is a payload as it is sent for a kind that is renamed by id: with the
// new name in place of the old one.
func (k *Kind) Renaming(payload value.Object, prior Values) value.Object {
	to, renaming := payload["new_name"]
	if !k.RenameByID || !renaming {
		return payload
	}
	byID := maps.Clone(payload)
	delete(byID, "new_name")
	byID[RowID], byID[RowName] = json.Number(value.Text(prior[RowID])), to
	return byID
}

// DisablePayload switches an existing instance off, as Off says.
func (k *Kind) DisablePayload(state Values) value.Object {
	payload := value.Object{RowName: value.Text(state[RowName])}
	for _, a := range k.rows().sent {
		if a.Derived {
			maps.Copy(payload, a.payload(state[a.Name]))
		}
	}
	maps.Copy(payload, k.Off)
	return payload
}

// WithoutSecrets is a payload as it may be kept in the private state: without the
// fields that the kind declares as Secrets. Package rest, which logs no
// payload and redacts errors, goes by the names of fields instead.
func (k *Kind) WithoutSecrets(payload value.Object) value.Object {
	kept := value.Object{}
	for name, x := range payload {
		if !k.isSecret(name) {
			kept[name] = x
		}
	}
	return kept
}
