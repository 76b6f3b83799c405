// This file reads the objects of a server, as imports bring them.

package export

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// The type and the fields of eNMS that layouts are about; a layout has no table.
const (
	workflowType   = "workflow"
	positionsField = "positions"
)

// inventory is what a server holds, as far as it was read.
type inventory struct {
	kinds   []*kind.Kind
	read    []*kind.Kind // of the kinds, those that were read
	objects []*object
	// positions are where services stand, by their names and by the workflows'.
	positions map[string]map[string][2]json.Number
	// members are the workflows that services are in which are built in.
	members map[string][]string
}

// read reads all objects of some kinds. tell is told what is read.
func read(ctx context.Context, p *lifecycle.Provider, wanted []*kind.Kind, tell func(string)) (*inventory, error) {
	found := &inventory{kinds: p.Kinds, read: wanted}
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
		if k.Layout != nil {
			if err := found.readLayouts(ctx, p.Client, k); err != nil {
				return nil, fmt.Errorf("cannot read the layouts of workflows: %w", err)
			}
		}
	}
	slices.SortFunc(found.objects, func(x, y *object) int {
		return cmp.Or(strings.Compare(x.kind.Name, y.kind.Name), strings.Compare(x.name, y.name))
	})
	return found, nil
}

// isWhole reports whether everything was read whose names share a namespace.
func (i *inventory) isWhole(namespace string) bool {
	return !slices.ContainsFunc(i.kinds, func(k *kind.Kind) bool {
		return k.Namespace == namespace && !slices.Contains(i.read, k)
	})
}

// holds reports whether an object of a name was read.
func (i *inventory) holds(namespace, name string) bool {
	return slices.ContainsFunc(i.objects, func(o *object) bool { return o.key() == key{namespace, name} })
}

// newObject makes an object of what an import brings.
func newObject(k *kind.Kind, imported lifecycle.Imported) *object {
	o := &object{
		kind: k, name: value.Text(imported.State[kind.RowName]), typ: cmp.Or(value.Text(imported.State[k.SubtypeRow()]), k.Name),
		state: imported.State, config: k.For(imported.State).Generated(imported.State),
	}
	for _, d := range imported.Left {
		o.left = append(o.left, d.Summary()+". "+d.Detail())
	}
	return o
}

// readLayouts reads where the instances of a kind stand, and in which workflows those are
// that are built in.
func (i *inventory) readLayouts(ctx context.Context, client *enms.Client, k *kind.Kind) error {
	i.positions, i.members = map[string]map[string][2]json.Number{}, map[string][]string{}
	for page, err := range client.Pages(ctx, k.Name, []string{positionsField}, map[string]any{}) {
		if err != nil {
			return err
		}
		for _, row := range page {
			name, _ := row[kind.RowName].(string)
			kept, _ := row[positionsField].(map[string]any)
			i.positions[name] = map[string][2]json.Number{}
			for workflow, x := range kept {
				if at, is := position(x); is {
					i.positions[name][workflow] = at
				}
			}
		}
	}
	for _, name := range k.BuiltIn {
		if _, there := i.positions[name]; !there {
			continue
		}
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

// position reads where something stands; what is no position does not count.
func position(x any) (at [2]json.Number, is bool) {
	pair, _ := x.([]any)
	if len(pair) != len(at) {
		return at, false
	}
	for n, c := range pair {
		if at[n], is = c.(json.Number); !is {
			return at, false
		}
	}
	return at, true
}
