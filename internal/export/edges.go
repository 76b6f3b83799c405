// This file writes the edges of a workflow as one block with for_each.

package export

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/function"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

// edgeBlock is a block with edges of a workflow.
type edgeBlock struct {
	kind     *kind.Kind
	workflow string
	label    string
	objects  []*object // in the order in which the steps run, once they are sorted
	keys     map[*object]string
}

// typeAddress returns the address of the block without its label.
func (b *edgeBlock) typeAddress() string { return b.objects[0].module.prefix() + b.kind.TypeName() }

// usualEdge is the subtype of edges whose keys do not name the subtype.
const usualEdge = "success"

// failureEdge is the subtype of edges that a run follows after a failure.
const failureEdge = "failure"

// edgesOf groups the edges that are blocks into blocks, in the order of their workflows: the new ones of each workflow, and
// those that share a block in the code. An edge with a block of its own is an object like others.
func edgesOf(objects []*object, decided *decided) []*edgeBlock {
	byBlock := map[string]*edgeBlock{}
	for _, o := range objects {
		if !o.sharesBlock() || o.inYAML() {
			continue
		}
		workflow := o.text(o.kind.Place.Container)
		label, _ := o.edgeInCode()
		label = cmp.Or(label, decided.edges[workflow])
		block := workflow + "\x00" + label
		if byBlock[block] == nil {
			byBlock[block] = &edgeBlock{kind: o.kind, workflow: workflow, label: label}
		}
		byBlock[block].objects = append(byBlock[block].objects, o)
	}
	var all []*edgeBlock
	for _, block := range slices.Sorted(maps.Keys(byBlock)) {
		b := byBlock[block]
		b.makeKeys()
		b.sort()
		all = append(all, b)
	}
	return all
}

// makeKeys gives each edge a key: the one that it has in the existing code, or else one made from the names of its
// ends, without their workflows if that is unique among the edges. If that key is taken, the names get their workflows,
// or the key a number.
func (b *edgeBlock) makeKeys() {
	b.keys = map[*object]string{}
	sameShort, taken := map[string]int{}, map[string]bool{}
	for _, o := range b.objects {
		sameShort[b.key(o, ownName)]++
		if _, key := o.edgeInCode(); key != "" {
			b.keys[o], taken[key] = key, true
		}
	}
	for _, o := range b.objects {
		if b.keys[o] != "" {
			continue
		}
		made, full := b.key(o, ownName), b.key(o, func(name string) string { return name })
		if sameShort[made] > 1 {
			made = full
		}
		key := made
		if taken[key] {
			key = full
		}
		for n := 2; taken[key]; n++ {
			key = fmt.Sprintf("%s %d", made, n)
		}
		b.keys[o], taken[key] = key, true
	}
}

// sort sorts the edges in the order in which the steps run, and by their keys.
func (b *edgeBlock) sort() {
	slices.SortFunc(b.objects, func(x, y *object) int {
		return cmp.Or(strings.Compare(b.keys[x], b.keys[y]), strings.Compare(x.name, y.name))
	})
	place := b.order()
	at := func(o *object) int { return cmp.Or(place[o.text(b.kind.Place.Ends[0])], len(place)+1) }
	slices.SortStableFunc(b.objects, func(x, y *object) int { return at(x) - at(y) })
}

// key returns the key of an edge, made from its ends as shown shows them, and from its subtype unless that is
// usualEdge.
func (b *edgeBlock) key(o *object, shown func(string) string) string {
	var ends []string
	for _, end := range b.kind.Place.Ends {
		ends = append(ends, shown(o.text(end)))
	}
	made := strings.Join(ends, " -> ")
	if subtype := o.text("subtype"); subtype != usualEdge {
		made += " (" + subtype + ")"
	}
	return made
}

// attributes returns the attributes of the block: for_each with an object for each edge, the workflow, and a reference to
// each.value for every other attribute. It adds to depends what the edges depend on without a reference (references.in).
func (b *edgeBlock) attributes(refs *references, depends map[string]bool) []attribute {
	each := []member{}
	count := map[string]int{} // how many edges have an attribute
	var workflow attribute
	for _, o := range b.objects {
		var members []member
		for _, a := range o.attributes(refs.in(o, depends)) {
			switch a.name {
			case kind.RowName: // users of eNMS never see this name
				continue
			case b.kind.Place.Container:
				workflow = a
				continue
			}
			count[a.name]++
			members = append(members, member{objectKey(a.name), a.value})
		}
		each = append(each, member{source(exportmerge.Quote(b.keys[o])), members})
	}
	all := []attribute{{"for_each", each}, workflow}
	for _, row := range b.kind.Rows() {
		switch count[row.Name] {
		case 0:
		case len(b.objects):
			all = append(all, attribute{row.Name, source("each.value." + row.Name)})
		default: // not every edge has it
			all = append(all, attribute{row.Name, source("try(each.value." + row.Name + ", null)")})
		}
	}
	return all
}

// outermostName returns the name of the outermost workflow that contains a workflow, or the workflow itself.
func outermostName(workflow string) string {
	for {
		outer, _ := servicename.Split(workflow)
		if outer == "" || outer == servicename.Shared {
			return workflow
		}
		workflow = outer
	}
}

// diagrams returns the diagrams of outermost workflows by name. Each contains the workflows nested in it.
func diagrams(objects []*object) map[string]string {
	byWorkflow := map[string][]function.Edge{}
	for _, o := range objects {
		if o.kind.Place == nil {
			continue
		}
		workflow := o.text(o.kind.Place.Container)
		outermost := outermostName(workflow)
		byWorkflow[outermost] = append(byWorkflow[outermost], function.Edge{
			Workflow: workflow, Source: o.text(o.kind.Place.Ends[0]), Destination: o.text(o.kind.Place.Ends[1]), Subtype: o.text("subtype"),
		})
	}
	made := map[string]string{}
	for workflow, edges := range byWorkflow {
		made[workflow] = function.Diagram(edges)
	}
	return made
}

// order returns the order in which the steps run, as numbers from 1 by their names. It begins with Start, and
// then with other steps to which no edge leads. Steps that cannot be reached from these have no number.
func (b *edgeBlock) order() map[string]int {
	next, incoming := map[string][]string{}, map[string]bool{}
	for _, o := range b.objects {
		from, to := o.text(b.kind.Place.Ends[0]), o.text(b.kind.Place.Ends[1])
		next[from] = append(next[from], to)
		if from != to {
			incoming[to] = true
		}
	}
	var queue, others []string
	for _, from := range slices.Sorted(maps.Keys(next)) {
		workflow, _ := servicename.Split(from)
		switch {
		case incoming[from]:
		case workflow == b.workflow:
			others = append(others, from)
		default: // Start
			queue = append(queue, from)
		}
	}
	queue = append(queue, others...)
	place := map[string]int{}
	for len(queue) > 0 {
		step := queue[0]
		queue = queue[1:]
		if _, hasNumber := place[step]; hasNumber {
			continue
		}
		place[step] = len(place) + 1
		queue = append(queue, next[step]...)
	}
	return place
}
