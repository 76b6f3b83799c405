// This file looks up, while Terraform plans, whether the names of new instances are free, and
// finds names that the database of this eNMS treats as equal. So a plan with creations makes
// requests before anything is written: wrong credentials and an unreachable eNMS are errors of
// the plan. A name that is taken is a warning, because the same apply may free it.
//
// Terraform plans each resource once more when it applies, in a process that cannot know that it
// applies until the first instance is written. The resources that are about to be applied by
// then, at most ten, are looked up twice.

package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"golang.org/x/text/unicode/norm"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// CheckName looks up whether the name of a planned creation is free. Nothing is asked while
// a setting of the provider block or the name is unknown.
func (r *Instances) CheckName(ctx context.Context, planned kind.Values) diag.Diagnostics {
	name := value.Text(planned[kind.RowName])
	if !r.provider.Ready() || name == "" || r.kind.Namespace == "" || r.provider.Run.Plans.IsApplying() || r.provider.Run.Plans.LookupFailed.Load() {
		return nil
	}
	taken, err := r.provider.Client.Taken(ctx, r.searchedType(), name)
	switch {
	case r.provider.Run.Plans.IsApplying(): // the apply may have changed eNMS meanwhile; the creation itself will find out
		return nil
	case err != nil && !r.provider.Run.Plans.LookupFailed.CompareAndSwap(false, true):
		return nil // an earlier lookup has reported the error
	case err != nil:
		return r.errorDiagnostic(verbPlan, name, planned, err)
	case taken == nil, r.Adopts(planned):
		return nil
	}
	taken.Type = r.kind.Path(planned)
	return r.warnOfTaken(name, taken)
}

// CheckReferences warns of new references to names that neither eNMS has nor a plan of this run so
// far gives to an object. Terraform plans a resource after those that it refers to, so a name that
// is planned later is a reference that Terraform does not know. Nothing is asked about names that
// were read or planned in this run. Users and groups name each other, and one comes first.
func (r *Instances) CheckReferences(ctx context.Context, planned, prior kind.Values) (diags diag.Diagnostics) {
	if !r.provider.Ready() || r.provider.Run.Plans.IsApplying() || r.provider.Run.Plans.LookupFailed.Load() {
		return nil
	}
	attributes := relate.RelationNames(r.kind)
	for n, related := range relate.NewlyRelated(r.kind, planned, prior) {
		if relate.HasOtherSide(r.kind, attributes[n], r.provider.Kinds) {
			continue
		}
		missing := r.lacking(ctx, related)
		if len(missing) == 0 {
			continue
		}
		var named []string
		for _, name := range missing[:min(len(missing), maxNamed)] {
			named = append(named, quoted(name)+r.provider.nameHint(ctx, related.Type, name))
		}
		if more := len(missing) - maxNamed; more > 0 {
			named = append(named, fmt.Sprintf("and %d more", more))
		}
		diags.AddAttributeWarning(path.Root(attributes[n]), fmt.Sprintf("There is no such %s", related.Type),
			fmt.Sprintf("eNMS has no %s that this user may read, and this plan creates none before this %s: %s. The apply will fail unless it exists by then. Create it first, or refer to the resource that does, so that Terraform knows the order.",
				related.Type, r.kind.Name, strings.Join(named, ", ")))
	}
	return diags
}

// lacking returns the names that neither eNMS nor the plans so far have.
func (r *Instances) lacking(ctx context.Context, related relate.Related) (missing []string) {
	typ := related.Type
	if of := kind.Named(r.provider.Kinds, typ); of != nil && !of.AnyType {
		typ = of.Name // which reads of the same run search
	}
	var lookups sync.WaitGroup
	lacks := make([]bool, len(related.Names))
	for n, name := range related.Names {
		if r.provider.Run.Plans.HasName(applying.Name{Namespace: r.namespaceOf(related.Type), Text: name}) {
			continue
		}
		lookups.Go(func() {
			lacks[n] = r.provider.lacks.get(applying.Reference{Type: typ, Name: name}, func() bool { return r.provider.Client.Lacks(ctx, typ, name) })
		})
	}
	lookups.Wait()
	for n, name := range related.Names {
		if lacks[n] && !r.provider.Run.Plans.HasName(applying.Name{Namespace: r.namespaceOf(related.Type), Text: name}) {
			missing = append(missing, name)
		}
	}
	return missing
}

// searchedType returns the type to search for a name: if possible, one that reads of the same run
// search as well.
func (r *Instances) searchedType() string {
	if r.kind.AnyType && r.kind.Namespace != namespaceOfNodes {
		return r.kind.Namespace
	}
	return r.kind.Name
}

// namespaceOfNodes is the type within which the names of devices and networks are unique. Not
// every eNMS can search it.
const namespaceOfNodes = "node"

// warnOfTaken warns of a name that an instance has, unless a plan frees it, or may still do so: that
// of a resource that has the instance, and that is not planned yet.
func (r *Instances) warnOfTaken(name string, taken *enms.ExistsError) (diags diag.Diagnostics) {
	key, plans := applying.Name{Namespace: r.kind.Namespace, Text: name}, &r.provider.Run.Plans
	kept := plans.IsKept(key)
	if plans.IsFreed(key) || !kept && plans.IsInState(key) {
		return nil
	}
	detail := fmt.Sprintf("%s Creating the %s will fail, unless this apply frees the name first. %s", checks.Sentence(taken.Error()), r.kind.Name, r.takenHint(verbPlan, name, taken))
	if kept {
		detail = fmt.Sprintf("Another resource of the same configuration has the %s of that name (id %s). Keep one of the two, or give one of them another name.", taken.FoundType, taken.ID)
	}
	diags.AddAttributeWarning(path.Root(kind.RowName), fmt.Sprintf("The name %q is taken", name), detail)
	return diags
}

// SameNames returns the names that the database of this eNMS treats as equal to another one of
// names, each with that one. It asks eNMS only if some database would treat any of them as
// equal. If eNMS cannot be asked, they count as different: eNMS then refuses the second one.
func (r *Instances) SameNames(ctx context.Context, names []string) map[string]string {
	p := r.provider
	if !p.Ready() || len(alike(names, enms.Comparison{Case: true, Accents: true, TrailingBlanks: true})) == 0 {
		return nil
	}
	ignored, err := p.Client.Comparison(ctx)
	if err != nil {
		return nil
	}
	return alike(names, ignored)
}

// alike returns the names that, in alphabetical order, differ from an earlier name only in what
// the database ignores, each with that earlier name.
func alike(names []string, ignored enms.Comparison) map[string]string {
	first, same := map[string]string{}, map[string]string{}
	for _, name := range slices.Sorted(slices.Values(names)) {
		form := comparedForm(name, ignored)
		if other, taken := first[form]; taken && other != name {
			same[name] = other
		} else {
			first[form] = name
		}
	}
	return same
}

// comparedForm returns a name without what the database ignores. A letter loses only its own
// accent, as in the collations of MariaDB, which compare character by character.
func comparedForm(name string, ignored enms.Comparison) string {
	if ignored.TrailingBlanks {
		name = strings.TrimRight(name, " ")
	}
	return strings.Map(func(r rune) rune {
		if ignored.Accents && r > unicode.MaxASCII {
			r, _ = utf8.DecodeRuneInString(norm.NFD.String(string(r)))
		}
		if ignored.Accents && r == 'ß' {
			r = 's'
		}
		if ignored.Case {
			r = unicode.ToUpper(r)
		}
		return r
	}, name)
}
