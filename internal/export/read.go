// This file reads the objects of a server, with the states that imports create.

package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/layout"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// workflowType is the type that contains services and edges.
const workflowType = "workflow"

// inventory holds the objects of a server that were read.
type inventory struct {
	kinds   []*kind.Kind
	read    []*kind.Kind // the kinds that were read
	objects []*object
	// layouts are the layouts on the server, by the type of what they draw.
	layouts map[string]layout.Held
	// members holds the workflows that contain a built-in service, by service.
	members map[string][]string
}

// read reads all objects of the wanted kinds. It calls tell with its progress.
func read(ctx context.Context, p *lifecycle.Provider, wanted []*kind.Kind, tell func(string)) (*inventory, error) {
	found := &inventory{kinds: p.Kinds, read: wanted, layouts: map[string]layout.Held{}}
	for _, k := range wanted {
		tell(fmt.Sprintf("reading %s", k.Several()))
		all, err := lifecycle.NewInstances(k, p).ReadAll(ctx, func(n int) {
			if n%500 == 0 {
				tell(fmt.Sprintf("reading %s: %d", k.Several(), n))
			}
		})
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", k.Several(), err)
		}
		tell(fmt.Sprintf("read %d %s", len(all), k.Several()))
		for _, imported := range all {
			found.objects = append(found.objects, newObject(k, imported))
		}
		if k.Scope != nil {
			if err := found.readMembers(ctx, p.Client, k); err != nil {
				return nil, fmt.Errorf("cannot read what is in workflows: %w", err)
			}
		}
	}
	for _, b := range layout.Builders {
		if !found.isRead(b.Of()) {
			continue
		}
		held, err := b.ReadHeld(ctx, p.Client)
		if err != nil {
			return nil, fmt.Errorf("cannot read the layouts of %ss: %w", b.Of(), err)
		}
		found.layouts[b.Of()] = held
	}
	slices.SortFunc(found.objects, func(x, y *object) int {
		return cmp.Or(strings.Compare(x.kind.Name, y.kind.Name), strings.Compare(x.name, y.name))
	})
	return found, nil
}

// isWhole reports whether all kinds of a namespace were read.
func (i *inventory) isWhole(namespace string) bool {
	return !slices.ContainsFunc(i.kinds, func(k *kind.Kind) bool {
		return k.Namespace == namespace && !slices.Contains(i.read, k)
	})
}

// holds reports whether an object with a name was read.
func (i *inventory) holds(namespace, name string) bool {
	return slices.ContainsFunc(i.objects, func(o *object) bool { return o.key() == key{namespace, name} })
}

// newObject makes an object from an imported instance.
func newObject(k *kind.Kind, imported lifecycle.Imported) *object {
	o := &object{
		kind: k, name: value.Text(imported.State[kind.RowName]), typ: cmp.Or(value.Text(imported.State[k.SubtypeRow()]), k.Name),
		state: imported.State, config: plans.Generated(k.For(imported.State), imported.State),
	}
	for _, d := range imported.Left {
		o.left = append(o.left, d.Summary()+". "+d.Detail())
	}
	return o
}

// isRead reports whether the instances of a type or subtype were read.
func (i *inventory) isRead(typ string) bool {
	return slices.ContainsFunc(i.read, func(k *kind.Kind) bool {
		return k.Name == typ || slices.ContainsFunc(k.Subtypes, func(t kind.SubtypeTable) bool { return t.Name == typ })
	})
}

// readMembers reads which workflows contain the built-in instances of a kind.
func (i *inventory) readMembers(ctx context.Context, client *enms.Client, k *kind.Kind) error {
	i.members = map[string][]string{}
	for _, name := range k.BuiltIn {
		service, err := client.Get(ctx, k.Name, name)
		if errors.Is(err, enms.ErrNotFound) || errors.Is(err, enms.ErrForbidden) {
			continue
		}
		if err != nil {
			return err
		}
		names, _ := service[k.Scope.Attribute].([]any)
		for _, workflow := range names {
			if text, is := workflow.(string); is {
				i.members[name] = append(i.members[name], text)
			}
		}
	}
	return nil
}
