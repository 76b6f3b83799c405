// This file looks up, while Terraform plans, whether the names of new instances are free, and
// finds names that the database of an eNMS holds for the same. So a plan that creates has talked
// to eNMS before anything is written: wrong credentials and an eNMS that nobody reaches are its
// errors, and a name that is taken is a warning, because the same apply may free it.
//
// Terraform plans each resource once more when it applies, in a process that cannot tell
// this from a plan until the first instance is written. What is about to be applied by
// then, ten resources at most, is looked up twice.

package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"golang.org/x/text/unicode/norm"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// CheckName looks up whether the name of a planned creation is free. Nothing is asked while
// a setting of the provider block or the name is unknown.
func (r *Instances) CheckName(ctx context.Context, planned kind.Values) diag.Diagnostics {
	name := value.Text(planned[kind.RowName])
	if !r.provider.Ready() || name == "" || r.kind.Namespace == "" || r.provider.planned.isApplied() || r.provider.lookups.failed.Load() {
		return nil
	}
	taken, err := r.provider.Client.Taken(ctx, r.searchedType(), name)
	switch {
	case r.provider.planned.isApplied(): // what others do now counts, and the creation finds out
		return nil
	case err != nil && !r.provider.lookups.failed.CompareAndSwap(false, true):
		return nil // it was said
	case err != nil:
		return r.errorDiagnostic(verbPlan, name, planned, err)
	case taken == nil, r.Adopts(planned):
		return nil
	}
	taken.Type = r.kind.Path(planned)
	return r.warnOfTaken(name, taken)
}

// searchedType returns the type to look a name up in, best one that reads of the same run
// search as well.
func (r *Instances) searchedType() string {
	if r.kind.AnyType && r.kind.Namespace != namespaceOfNodes {
		return r.kind.Namespace
	}
	return r.kind.Name
}

// namespaceOfNodes is the type within which the names of devices and networks are unique:
// not every eNMS can be asked for it.
const namespaceOfNodes = "node"

// warnOfTaken warns of a name that an instance has, unless the plan frees it.
func (r *Instances) warnOfTaken(name string, taken *enms.ExistsError) (diags diag.Diagnostics) {
	summary := fmt.Sprintf("The name %q is taken", name)
	switch r.provider.planned.holder(objectKey{r.kind.Namespace, name}) {
	case holderNone:
		diags.AddAttributeWarning(path.Root(kind.RowName), summary,
			fmt.Sprintf("%s Creating the %s will fail, unless this apply frees the name first. %s", kind.Sentence(taken.Error()), r.kind.Name, r.takenHint(verbPlan, name, taken)))
	case holderKeeps:
		diags.AddAttributeWarning(path.Root(kind.RowName), summary,
			fmt.Sprintf("Another resource of the same configuration has the %s of that name (id %s). Keep one of the two, or give one of them another name.", taken.FoundType, taken.ID))
	}
	return diags
}

// SameNames returns, by names that the database of this eNMS cannot tell from another of
// them, that other one. It asks eNMS only when there are such that some database cannot
// tell apart. What cannot be asked counts as different: eNMS then refuses the second one.
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

// alike returns, by the later ones of names that differ in what is ignored alone, the first
// one of each, in the order of their spelling.
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

// comparedForm returns a name without what is ignored. A letter loses its own accent, and no
// other character, as the collations of MariaDB compare them one by one.
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
