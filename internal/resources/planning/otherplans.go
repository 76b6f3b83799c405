// This file compares the plan of a resource with the other plans of the run. Each Check also records the
// plan that it checks, for the plans that follow.

package planning

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// NoteState records the names in a state. Terraform passes each state before it reads or plans
// anything of the resource.
func (r *Checker) NoteState(names ...string) {
	for _, name := range names {
		r.Provider.Run.Plans.InState.Add(applying.Name{Namespace: r.Kind.Namespace, Text: name})
	}
}

// NameOf returns the name of an instance, as the plans of a run know it.
func (r *Checker) NameOf(values kind.Values) applying.Name {
	return applying.Name{Namespace: r.Kind.Namespace, Text: value.Text(values[kind.RowName])}
}

// Free records that the plan of a resource gives up the name of an instance.
func (r *Checker) Free(state kind.Values) {
	r.Provider.Run.Plans.Freed.Add(r.NameOf(state))
}

// NotePlanned records the name of a planned instance, to which later plans may refer.
func (r *Checker) NotePlanned(planned kind.Values) {
	if key := r.NameOf(planned); key.Text != "" {
		r.Provider.Run.Plans.Planned.Add(key)
	}
}

// CheckCreation records the plan of a creation, and refuses it if another resource of the same plan
// creates an object with that name. It accepts an unknown name or type.
func (r *Checker) CheckCreation(planned kind.Values) (diags diag.Diagnostics) {
	key := r.NameOf(planned)
	if !key.IsKnown() {
		return nil
	}
	if isDuplicate := r.Provider.Run.Plans.Create(key); isDuplicate {
		diags.AddAttributeError(path.Root(kind.RowName), "Duplicate name",
			fmt.Sprintf("Another resource of the same configuration creates an object named %q, too, and both share one set of names in eNMS. Keep one of the two, or give one of them another name.", key.Text))
	}
	return diags
}

// CheckAdoption records the plan of a creation that may adopt the object with its name. It refuses the
// plan if another resource has the object in its state, even if that resource renames the object in this
// run: two resources would manage the object.
func (r *Checker) CheckAdoption(planned kind.Values) (diags diag.Diagnostics) {
	key := r.NameOf(planned)
	if !key.IsKnown() || !r.Provider.Adopts(planned) {
		return nil
	}
	if kept := r.Provider.Run.Plans.Adopt(key); kept {
		diags.Append(adoptsKept(r.KeptObject(planned)))
	}
	return diags
}

// CheckImport records the import of an instance, and refuses it if another import block of the same
// plan imports the instance.
func (r *Checker) CheckImport(name string) (diags diag.Diagnostics) {
	key := applying.Name{Namespace: r.Kind.Namespace, Text: name}
	if !key.IsKnown() {
		return nil
	}
	if isDuplicate := r.Provider.Run.Plans.Imported.Add(key); isDuplicate {
		diags.AddError(fmt.Sprintf("Cannot import %s %q", r.Kind.Name, name),
			"Another import block of the same configuration imports it, too. An instance belongs to one resource, or to one entry of enms_instances: remove one of the blocks.")
	}
	return diags
}

// CheckDeletion records the plan of a deletion, and refuses it if another resource keeps the object,
// usually because an apply that moved the object to another address was interrupted. The deletion itself
// checks the dependents of the object (instance/delete.go), because the same apply may delete them first.
func (r *Checker) CheckDeletion(state kind.Values) diag.Diagnostics {
	if r.Provider.Policy(state) == kind.PolicyAbandon {
		return nil
	}
	object := r.KeptObject(state)
	if kept := r.Provider.Run.Plans.Delete(object.StateObject); kept {
		return diag.Diagnostics{deletesKept(object)}
	}
	return nil
}

// CheckKept refuses the plan of a resource that keeps the objects of list if another resource deletes,
// adopts or renames one of them. It calls list only if a resource deletes, adopts or renames any object, and
// holds it until then: what list refers to stays in memory.
func CheckKept(p *resources.Provider, list func() []applying.KeptObject) (diags diag.Diagnostics) {
	if p == nil {
		return nil
	}
	p.Run.Plans.Keep(list, func(object applying.KeptObject, c applying.Conflict) { diags.Append(conflictOf(object, c)...) })
	return diags
}

// CheckRename refuses the plan of a rename if another resource has the object of the state, too.
func (r *Checker) CheckRename(prior kind.Values) diag.Diagnostics {
	object := r.KeptObject(prior)
	return conflictOf(object, r.Provider.Run.Plans.Rename(object.StateObject))
}

// conflictOf returns the error for an object that one resource keeps and another resource deletes,
// adopts or renames.
func conflictOf(object applying.KeptObject, c applying.Conflict) diag.Diagnostics {
	switch {
	case c.Deleted:
		return diag.Diagnostics{deletesKept(object)}
	case c.Adopted:
		return diag.Diagnostics{adoptsKept(object)}
	case c.Renamed:
		return diag.Diagnostics{renamesKept(object)}
	}
	return nil
}

// KeptObject returns the object of a state, with what errors say of its kind.
func (r *Checker) KeptObject(state kind.Values) applying.KeptObject {
	object := applying.StateObject{Name: r.NameOf(state), ID: value.Text(state[kind.RowID])}
	return applying.KeptObject{StateObject: object, Type: r.Kind.Name, Unique: strings.Join(r.Kind.Unique, ", ")}
}

// adoptsKept returns the error for an object that one resource keeps and another one adopts.
func adoptsKept(o applying.KeptObject) diag.Diagnostic {
	detail := "Another resource of the same configuration manages it. Because adopt_existing is set, this plan would take it over. If the other resource is to be renamed, first apply that without the new resource. Otherwise keep one of the two, or give one of them another name."
	if o.Unique != "" {
		detail += fmt.Sprintf(" If a new %s is to have what this one has now (%s), set adopt_existing = false for the new one: it is then created after this one has changed.", o.Type, o.Unique)
	}
	return diag.NewErrorDiagnostic(fmt.Sprintf("Cannot take over %s %q in this apply", o.Type, o.Text), detail)
}

// deletesKept returns the error of an object that one resource keeps and another one deletes.
func deletesKept(o applying.KeptObject) diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("Cannot destroy %s %q in this apply", o.Type, o.Text),
		fmt.Sprintf("Two resources of the same configuration have %s %q (id %s), and this plan deletes it in one of them, which would delete it for both. Remove it from the state there: for an entry that is removed from enms_instances, set deletion_policy = \"abandon\" for one apply; for a resource that is destroyed, write a removed block with destroy = false, or run terraform state rm with its address.", o.Type, o.Text, o.ID))
}

// renamesKept returns the error of an object that one resource keeps and another one renames.
func renamesKept(o applying.KeptObject) diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("Cannot rename %s %q in this apply", o.Type, o.Text),
		fmt.Sprintf("Two resources of the same configuration have %s %q (id %s), and this plan renames it in one of them, which would take it from the other. This happens when an apply was interrupted that replaced the one and created the other under its name, or when eNMS was restored from a backup that lacks the one. Run terraform state rm with the address of the one that is to be renamed, and apply again: its own %s is then created.", o.Type, o.Text, o.ID, o.Type))
}

// NoteReplaced records that the instance of a state is replaced.
func (r *Checker) NoteReplaced(state kind.Values) {
	if !r.Provider.Deletes(state) {
		return
	}
	for _, typ := range relate.Types(r.Kind, state) {
		r.Provider.Run.Plans.Replace(applying.Reference{Type: typ, Name: value.Text(state[kind.RowName])}, r.Provider.Policy(state) == kind.PolicyCascade)
	}
}

// GoesWithReplaced reports whether eNMS deletes the instance of a state because this run replaces another
// instance to which it refers in the state and in the plan, such as the service of an edge. Terraform plans a
// resource after those that it refers to.
func (r *Checker) GoesWithReplaced(planned, prior kind.Values) bool {
	for _, dependence := range relate.Dependences(r.Kind, r.Provider.Kinds) {
		for _, holders := range dependence.Holders(prior) {
			for _, name := range holders.Names {
				stillRefers := planned[dependence.Attribute].Equal(prior[dependence.Attribute])
				if stillRefers && r.Provider.Run.Plans.TakesAlong(applying.Reference{Type: holders.Type, Name: name}, dependence.Allowed) {
					return true
				}
			}
		}
	}
	return false
}
