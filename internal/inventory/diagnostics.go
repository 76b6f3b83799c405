// This file puts the diagnostics of instances on the entries that they are about, and
// sums up those that are many.

package inventory

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
)

// mostAlike is how many diagnostics that say the same of several entries are shown.
const mostAlike = 10

// at is the path of an entry.
func at(name string) path.Path { return path.Root(attrInstances).AtMapKey(name) }

// ofEntry moves the diagnostics of an instance to its entry.
func ofEntry(name string, diags diag.Diagnostics) (moved diag.Diagnostics) {
	for _, d := range diags {
		where := at(name)
		if on, is := d.(diag.DiagnosticWithPath); is {
			where = within(name, on.Path())
		}
		if d.Severity() == diag.SeverityError {
			moved.AddAttributeError(where, d.Summary(), d.Detail())
		} else {
			moved.AddAttributeWarning(where, d.Summary(), naming(name, d))
		}
	}
	return moved
}

// naming is a detail with the name of the entry, which Terraform does not show with
// warnings of the same summary.
func naming(name string, d diag.Diagnostic) string {
	if strings.Contains(d.Summary()+d.Detail(), fmt.Sprintf("%q", name)) {
		return d.Detail()
	}
	return fmt.Sprintf("%q: %s", name, d.Detail())
}

// within is the path in an entry of the attribute of an instance.
func within(name string, on path.Path) path.Path {
	where := at(name)
	for i, step := range on.Steps() {
		switch step := step.(type) {
		case path.PathStepAttributeName:
			switch attribute := string(step); {
			case i > 0:
				where = where.AtName(attribute)
			case attribute == kind.RowDeletionPolicy, attribute == kind.RowAdoptExisting:
				return on
			case attribute != kind.RowName && attribute != kind.RowProperties:
				where = where.AtMapKey(attribute)
			}
		case path.PathStepElementKeyString:
			where = where.AtMapKey(string(step))
		case path.PathStepElementKeyInt:
			where = where.AtListIndex(int(step))
		}
	}
	return where
}

// protocol are diagnostics as the plugin protocol wants them. Those that say the same of
// many entries are summed up.
func protocol(diags diag.Diagnostics) []*tfprotov6.Diagnostic {
	var all []*tfprotov6.Diagnostic
	alike := map[string]int{}
	for _, d := range diags {
		p := lifecycle.ProtocolDiagnostic(d)
		if on, is := d.(diag.DiagnosticWithPath); is {
			key := alikeness(d, on.Path())
			if alike[key]++; alike[key] > mostAlike {
				continue
			}
			if alike[key] == mostAlike {
				p.Detail += more(diags, key)
			}
		}
		all = append(all, p)
	}
	return all
}

// more tells how many further entries have a diagnostic that is like another one.
func more(diags diag.Diagnostics, key string) string {
	count := -mostAlike
	for _, d := range diags {
		if on, is := d.(diag.DiagnosticWithPath); is && alikeness(d, on.Path()) == key {
			count++
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("\n\nThe same holds for %d more entries.", count)
}

// alikeness is the same for diagnostics that say the same of several entries.
func alikeness(d diag.Diagnostic, on path.Path) string {
	name := ""
	if steps := on.Steps(); len(steps) > 1 {
		name = steps[1].String()
		name = strings.TrimSuffix(strings.TrimPrefix(name, `["`), `"]`)
	}
	text := fmt.Sprint(d.Severity(), d.Summary(), d.Detail())
	if name == "" {
		return text
	}
	return strings.ReplaceAll(text, name, "")
}
