// Plans and states as `terraform show -json` has them.

package terraformtest

import (
	"fmt"
	"strconv"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"
)

// JSON returns the plan as Terraform shows it.
func (p *Plan) JSON() *tfjson.Plan {
	shown := &tfjson.Plan{OutputChanges: map[string]*tfjson.Change{}}
	for _, address := range sortedKeys(p.Changes) {
		ch := p.Changes[address]
		change := &tfjson.Change{Actions: ch.Action.json(ch.CreatesFirst)}
		if ch.Before != nil {
			change.Before = jsonOf(ctyValue(ch.Before.Value))
		}
		if ch.Action.Creates() || ch.Action == Noop || ch.Action == Read {
			after := ctyValue(ch.Plan.Value)
			change.After, change.AfterUnknown = jsonOf(cty.UnknownAsNull(after)), unknownOf(after)
		}
		if ch.Importing != "" {
			change.Importing = &tfjson.Importing{ID: ch.Importing}
		}
		typ, name := typeAndName(address)
		shown.ResourceChanges = append(shown.ResourceChanges, &tfjson.ResourceChange{Address: BlockOf(address), DeposedKey: deposed.FindString(address),
			Mode: modeOf(address), Type: typ, Name: name, Change: change})
	}
	for name, before := range p.before {
		if _, stays := p.Outputs[name]; !stays {
			shown.OutputChanges[name] = &tfjson.Change{Actions: Delete.json(false), Before: jsonOf(before)}
		}
	}
	for name, after := range p.Outputs {
		change := &tfjson.Change{Actions: Create.json(false), After: jsonOf(cty.UnknownAsNull(after)), AfterUnknown: unknownOf(after)}
		if before, was := p.before[name]; was {
			change.Before, change.Actions = jsonOf(before), Update.json(false)
			if before.RawEquals(after) {
				change.Actions = Noop.json(false)
			}
		}
		shown.OutputChanges[name] = change
	}
	return shown
}

// json returns an action as Terraform shows it. createsFirst is the order of a replacement.
func (a Action) json(createsFirst bool) tfjson.Actions {
	switch {
	case a != Replace:
		return tfjson.Actions{tfjson.Action(a)}
	case createsFirst:
		return tfjson.Actions{tfjson.ActionCreate, tfjson.ActionDelete}
	}
	return tfjson.Actions{tfjson.ActionDelete, tfjson.ActionCreate}
}

// StateJSON returns the state as Terraform shows it.
func (t *Terraform) StateJSON() *tfjson.State {
	values := &tfjson.StateValues{Outputs: map[string]*tfjson.StateOutput{}, RootModule: &tfjson.StateModule{}}
	for name, v := range t.Outputs {
		values.Outputs[name] = &tfjson.StateOutput{Value: jsonOf(v), Type: v.Type()}
	}
	for _, address := range sortedKeys(t.State) {
		o := t.State[address]
		typ, name := typeAndName(address)
		attributes, _ := jsonOf(ctyValue(o.Value)).(map[string]any)
		values.RootModule.Resources = append(values.RootModule.Resources, &tfjson.StateResource{Address: BlockOf(address), DeposedKey: deposed.FindString(address), Mode: modeOf(address),
			Type: typ, Name: name, AttributeValues: attributes, Tainted: o.Tainted, DependsOn: o.Dependencies})
	}
	return &tfjson.State{Values: values}
}

// modeOf returns the mode of an address: data or managed.
func modeOf(address string) tfjson.ResourceMode {
	if strings.HasPrefix(address, "data.") {
		return tfjson.DataResourceMode
	}
	return tfjson.ManagedResourceMode
}

// typeAndName splits the address of a resource or a data source.
func typeAndName(address string) (typ, name string) {
	typ, name, _ = strings.Cut(strings.TrimPrefix(resourceOf(address), "data."), ".")
	return typ, name
}

// unknownOf returns a value's after_unknown, as Terraform shows it: true where it is unknown, false where all of it is
// known. Objects lack their known members.
func unknownOf(v cty.Value) any {
	switch {
	case !v.IsKnown():
		return true
	case v.IsWhollyKnown():
		return false
	case v.Type().IsObjectType() || v.Type().IsMapType():
		members := map[string]any{}
		for key, member := range v.Elements() {
			if unknown := unknownOf(member); unknown != false {
				members[key.AsString()] = unknown
			}
		}
		return members
	}
	list := []any{}
	for _, member := range v.Elements() {
		list = append(list, unknownOf(member))
	}
	return list
}

// Attributes returns the attributes of an object as a check of terraform-plugin-testing has them:
// as text, by paths such as "devices.0", with the length of a list at "devices.#" and that of a map at
// "properties.%".
func (o *Object) Attributes() map[string]string {
	attributes := map[string]string{}
	flatten(attributes, "", jsonOf(ctyValue(o.Value)))
	return attributes
}

// flatten adds a value to attributes, at a path.
func flatten(into map[string]string, path string, v any) {
	at := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
	switch v := v.(type) {
	case nil:
	case map[string]any:
		into[at("%")] = fmt.Sprint(len(v))
		for name, member := range v {
			flatten(into, at(name), member)
		}
	case []any:
		into[at("#")] = fmt.Sprint(len(v))
		for i, member := range v {
			flatten(into, at(strconv.Itoa(i)), member)
		}
	default:
		into[path] = fmt.Sprint(v)
	}
}
