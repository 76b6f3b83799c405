// This file looks up during plans whether the names of new instances are free, and whether referenced instances
// exist. So wrong credentials and an unreachable eNMS are errors of the plan, before anything is written.

package planning

import (
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// CheckName warns if eNMS has the name of a planned creation that adopts nothing. Another resource may have
// that instance and free the name in the same apply, which no plan can know. It asks nothing while the name or a
// setting of the provider block is unknown.
func (r *Checker) CheckName(ctx context.Context, planned kind.Values) diag.Diagnostics {
	name := value.Text(planned[kind.RowName])
	if name == "" || r.Kind.Namespace == "" || !r.LooksUp() {
		return nil
	}
	taken, err := r.Provider.Client.Taken(ctx, r.searchedType(), name)
	switch {
	case r.Provider.Run.Plans.IsApplying(): // the apply may have changed eNMS meanwhile, and the creation checks the name
		return nil
	case err != nil && !r.Provider.Run.Plans.FailLookups():
		return nil // an earlier lookup has reported the error
	case err != nil:
		return r.Failed(failures.Plan, name, planned, err)
	case taken == nil, r.Provider.Adopts(planned):
		return nil
	}
	taken.Type = r.Kind.Path(planned) // that of the search may be another one
	made, _ := r.Provider.Lookups.Makers.Load(applying.Name{Namespace: r.Kind.Namespace, Text: name})
	maker, _ := made.(*enms.Change) // nil unless the state had another one of that name, which is gone
	return diag.Diagnostics{diag.NewAttributeWarningDiagnostic(path.Root(kind.RowName), fmt.Sprintf("The name of a new %s is taken", r.Kind.Name),
		fmt.Sprintf("%s Creating the %s will fail, unless this apply frees the name first. If another resource of the same configuration has it, keep one of the two, or give one of them another name. %s",
			checks.Sentence(taken.Error()+madeBy(maker)), r.Kind.Name, failures.Subject{Kind: r.Kind, Entry: r.InMany}.TakenHint(failures.Plan, name, taken)))}
}

// LooksUp reports whether plans ask eNMS: they do until the apply begins or a lookup fails.
func (r *Checker) LooksUp() bool {
	return r.Provider.Ready() && !r.Provider.Run.Plans.IsApplying() && !r.Provider.Run.Plans.LookupsFailed()
}

// CheckReferences warns about new references to names that neither eNMS nor an earlier plan of this run has.
// Terraform plans a resource after those that it refers to, so a later plan of the named instance means that
// Terraform does not know the reference. Names that were read or planned in this run take no request.
func (r *Checker) CheckReferences(ctx context.Context, planned, prior kind.Values) (diags diag.Diagnostics) {
	for _, related := range relate.NewlyRelated(r.Kind, planned, prior) {
		then := missingFails
		if relate.HasOtherSide(r.Kind, related.Attribute, r.Provider.Kinds) { // as between users and groups, either is created first
			then = fmt.Sprintf("Unless it exists by then, the %s is created without it.", r.Kind.Name)
		}
		diags.Append(r.checkRelated(ctx, related, r.Kind.Name, then)...)
	}
	return diags
}

// CheckExists is CheckReferences for what, such as a layout, that names an instance in the attribute with the name of its
// type.
func (r *Checker) CheckExists(ctx context.Context, typ, name, what string) diag.Diagnostics {
	return r.checkRelated(ctx, relate.Related{Type: typ, Names: []string{name}, Attribute: typ}, what, missingFails)
}

// missingFails says what becomes of a reference to a missing instance.
const missingFails = "The apply will fail unless it exists by then."

// checkRelated is CheckReferences for one reference of what is planned, such as "device". then says what happens
// without the instance.
func (r *Checker) checkRelated(ctx context.Context, related relate.Related, what, then string) (diags diag.Diagnostics) {
	if !r.LooksUp() {
		return nil
	}
	missing := r.lacking(ctx, related)
	if len(missing) == 0 {
		return nil
	}
	references := make([]applying.Reference, len(missing))
	for i, name := range missing {
		references[i] = applying.Reference{Type: related.Type, Name: name}
	}
	remedy, _ := r.Provider.MissingRemedy(ctx, references...)
	named := resources.Some(missing, func(name string) string {
		return resources.Quoted(name) + r.Provider.NameHint(ctx, related.Type, name)
	})
	diags.AddAttributeWarning(path.Root(related.Attribute), fmt.Sprintf("There is no such %s", related.Type),
		fmt.Sprintf("eNMS has no %s that this user may read, and this plan creates none before this %s: %s. %s %s", related.Type, what, named, then, remedy))
	return diags
}

// lacking returns the names of related instances that neither eNMS nor the plans so far have.
func (r *Checker) lacking(ctx context.Context, related relate.Related) (missing []string) {
	of := kind.Named(r.Provider.Kinds, related.Type)
	typ, namespace := of.Name, of.Namespace // reads of the same run search by this type, too
	isPlanned := func(name string) bool {
		return r.Provider.Run.Plans.Planned.Has(applying.Name{Namespace: namespace, Text: name})
	}
	var lookups sync.WaitGroup
	lacks := make([]bool, len(related.Names))
	for n, name := range related.Names {
		if isPlanned(name) {
			continue
		}
		lookups.Go(func() {
			lacks[n] = r.Provider.Lookups.Lacks.Get(applying.Reference{Type: typ, Name: name}, func() bool { return r.Provider.Client.Lacks(ctx, typ, name) })
		})
	}
	lookups.Wait()
	for n, name := range related.Names { // another plan may have added the name during the lookups
		if lacks[n] && !isPlanned(name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// searchedType returns the type to search for a name. For a kind of AnyType, this is the namespace, which reads of the
// same run search, too, except for that of nodes, which not every eNMS can search.
func (r *Checker) searchedType() string {
	if r.Kind.AnyType != nil && r.Kind.Namespace != "node" {
		return r.Kind.Namespace
	}
	return r.Kind.Name
}

// madeBy says who gave an instance its name, as the end of a remark; "" if made is nil.
func madeBy(made *enms.Change) string {
	if made == nil {
		return ""
	}
	if made.Action == "CREATION" {
		return fmt.Sprintf(", made by user %q at %s", made.Author, made.At())
	}
	return fmt.Sprintf(", which got this name from user %q at %s", made.Author, made.At())
}
