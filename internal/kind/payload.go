// This file makes the payloads of writes.

package kind

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// CreatePayload creates an instance: it holds what is configured, what follows from
// the name, and values in place of eNMS's defaults that do not work.
func (k *Kind) CreatePayload(config, planned Values) value.Object {
	payload := k.AdoptPayload(config, planned)
	for _, a := range k.rows().sent {
		if _, sent := payload[a.Name]; !sent && a.OnCreate != nil {
			payload[a.Name] = a.OnCreate
		}
	}
	return payload
}

// AdoptPayload takes over an existing instance: it holds what is configured, and what
// follows from the name.
func (k *Kind) AdoptPayload(config, planned Values) value.Object {
	return k.payload(planned, nil, func(a Attribute) bool { return a.Derived || !config[a.Name].IsNull() })
}

// UpdatePayload changes an existing instance: it holds its present name, the new one
// if there is one, and what changed. It is nil when nothing did. What follows from the
// name is always sent, because eNMS composes the name at every write (enms-rest.md 1.5).
func (k *Kind) UpdatePayload(planned, prior Values) value.Object {
	payload := k.payload(planned, prior, func(a Attribute) bool {
		return a.Role != Key && !planned[a.Name].Equal(prior[a.Name])
	})
	from, to := value.Text(prior[RowName]), value.Text(planned[RowName])
	if from != to {
		payload["new_name"] = to
	}
	if len(payload) == 0 {
		return nil
	}
	maps.Copy(payload, k.payload(planned, prior, isDerived))
	payload[RowName] = from
	return payload
}

// DisablePayload switches an existing instance off, as Off says.
func (k *Kind) DisablePayload(state Values) value.Object {
	payload := k.payload(state, nil, isDerived)
	payload[RowName] = value.Text(state[RowName])
	maps.Copy(payload, k.Off)
	return payload
}

func isDerived(a Attribute) bool { return a.Derived }

// payload holds the attributes that are included, of properties those that differ from
// the prior ones. Null is not sent (enms-rest.md 9, 6), but to unset a relation to one.
func (k *Kind) payload(values, prior Values, included func(Attribute) bool) value.Object {
	payload := value.Object{}
	for _, a := range k.rows().sent {
		v := values[a.Name]
		switch {
		case !included(a) || !v.IsFullyKnown():
		case a.Type == Properties:
			maps.Copy(payload, a.changedProperties(v, prior[a.Name]))
		case !v.IsNull():
			payload[a.Name] = value.ToJSON(v)
		case a.IDField != "":
			payload[a.IDField] = nil
		}
	}
	return payload
}

// changedProperties are the planned properties that the state does not hold, as far as
// they are known.
func (a Attribute) changedProperties(planned, prior tftypes.Value) map[string]any {
	have, changed := value.Members(prior), value.Members(planned)
	maps.DeleteFunc(changed, func(name string, x any) bool {
		return a.holds(map[string]any{name: x}, have, noneAnswered)
	})
	return changed
}

// WithoutSecrets is a payload as the private state may keep it: without Secrets.
func (k *Kind) WithoutSecrets(payload value.Object) value.Object {
	kept := maps.Clone(payload)
	maps.DeleteFunc(kept, func(name string, _ any) bool { return slices.Contains(k.Secrets, name) })
	return kept
}
