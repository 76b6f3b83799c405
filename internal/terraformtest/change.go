// What the state has of a resource, and what a plan does with it.

package terraformtest

import (
	"fmt"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// Object is what Terraform keeps of a resource, or of a data source, in its state.
type Object struct {
	Value        tftypes.Value
	Private      []byte
	Identity     *tfprotov6.ResourceIdentityData // nil before Terraform 1.12
	Tainted      bool
	Dependencies []string // addresses of resources
	CreatesFirst bool     // create_before_destroy, for when no block says it any longer
}

// with returns the object with other dependencies and another CreatesFirst. Without an object, it returns nil.
func (o *Object) with(dependencies []string, createsFirst bool) *Object {
	if o == nil {
		return nil
	}
	kept := *o
	kept.Dependencies, kept.CreatesFirst = dependencies, createsFirst
	return &kept
}

// Planned is what the provider plans for a resource.
type Planned struct {
	Value    tftypes.Value
	Private  []byte
	Identity *tfprotov6.ResourceIdentityData
	Replace  bool // an attribute that differs requires a replacement
}

// Action is what a plan does with a resource.
type Action string

// The actions, as Terraform calls them.
const (
	Noop    Action = "no-op"
	Create  Action = "create"
	Update  Action = "update"
	Replace Action = "replace"
	Delete  Action = "delete"
	Read    Action = "read"   // a data source, at the apply
	Forget  Action = "forget" // what leaves the state and stays in eNMS
)

// Creates reports whether something is created, updated or replaced.
func (a Action) Creates() bool { return a == Create || a == Update || a == Replace }

// Destroys reports whether something is destroyed or replaced.
func (a Action) Destroys() bool { return a == Delete || a == Replace }

// Change is what a plan does with an instance of a resource, or with a data source.
type Change struct {
	Address   string
	Action    Action
	Before    *Object // the refreshed object; nil if there is none
	Plan      Planned
	Importing string // the id of what an import block brings in

	CreatesFirst bool   // a destruction comes after the creation, and after the changes of what depended on it
	deposed      string // the address of the object to destroy, after it was deposed for the creation
	instance     instance
}

// Plan is a plan.
type Plan struct {
	Changes map[string]*Change
	Prior   map[string]*Object // the refreshed state
	Outputs map[string]cty.Value

	before    map[string]cty.Value // the outputs in the state
	config    *Config
	instances map[string][]instance // by the addresses of blocks
}

// Empty reports whether nothing is to be done.
func (p *Plan) Empty() bool {
	for _, ch := range p.Changes {
		if ch.Action != Noop {
			return false
		}
	}
	return maps.EqualFunc(p.before, p.Outputs, func(a, b cty.Value) bool { return a.RawEquals(b) })
}

// String lists what is to be done.
func (p *Plan) String() string {
	var all []string
	for _, address := range sortedKeys(p.Changes) {
		if ch := p.Changes[address]; ch.Action != Noop {
			all = append(all, fmt.Sprintf("%s: %s", address, ch.describe()))
		}
	}
	for _, name := range sortedKeys(p.Outputs) {
		if !p.Outputs[name].RawEquals(p.before[name]) {
			all = append(all, fmt.Sprintf("the output %s: %#v -> %#v", name, p.before[name], p.Outputs[name]))
		}
	}
	return strings.Join(all, "; ")
}

// describe says which attributes differ.
func (ch *Change) describe() string {
	if ch.Action != Update {
		return string(ch.Action)
	}
	var differ []string
	before, after := Members(ch.Before.Value), Members(ch.Plan.Value)
	for _, name := range sortedKeys(after) {
		if !after[name].Equal(before[name]) {
			differ = append(differ, fmt.Sprintf("%s %v -> %v", name, GoValue(before[name]), GoValue(after[name])))
		}
	}
	return "update " + strings.Join(differ, ", ")
}

// instance is one instance of a block.
type instance struct {
	key  string               // "", "[0]" or `["a"]`
	each map[string]cty.Value // what count or each stands for
}

// PlanOptions are the options of a plan.
type PlanOptions struct {
	Destroy     bool // plan to destroy everything
	SkipRefresh bool // believe the state
	// MinimalRefresh plans with the state as it is, and reads and plans again only what that plan changes, as
	// Terraform does with -minimal-refresh since 1.17.
	MinimalRefresh bool
	Replace        []string // addresses to replace

	refreshOnly bool // with Destroy: only read
}
