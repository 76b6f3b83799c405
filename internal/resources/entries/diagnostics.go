// This file moves the diagnostics of instances to the entries that they are about, and summarizes
// diagnostics that are the same for many entries.

package entries

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/protocol"
)

// mostAlike is how many errors are shown that say the same about different entries, and mostNamed is how many further
// entries the last one of them lists. Of warnings, only one is shown.
const (
	mostAlike = 10
	mostNamed = 20
)

// ofEntry moves the diagnostics of an instance to the entry with a name.
func ofEntry(name string, diags diag.Diagnostics) (moved diag.Diagnostics) {
	for _, d := range diags {
		where := at(name)
		if on, is := d.(diag.DiagnosticWithPath); is {
			where = pathInEntry(name, on.Path())
		}
		if d.Severity() == diag.SeverityError {
			moved.AddAttributeError(where, d.Summary(), d.Detail())
		} else {
			moved.AddAttributeWarning(where, d.Summary(), d.Detail())
		}
	}
	return moved
}

// pathInEntry returns the path in an entry for the path of an instance's attribute. The path of a setting
// stays as it is, because settings are attributes of the resource.
func pathInEntry(name string, on path.Path) path.Path {
	steps := on.Steps()
	if len(steps) == 0 {
		return at(name)
	}
	switch attribute := steps[0].String(); attribute {
	case kind.RowDeletionPolicy, kind.RowAdoptExisting:
		return on
	case kind.RowName, kind.RowProperties:
		return protocol.AppendPath(at(name), steps[1:])
	default:
		return protocol.AppendPath(at(name).AtMapKey(attribute), steps[1:])
	}
}

// diagnosticsOf translates diagnostics for the plugin protocol. A diagnostic about an entry names the
// entry, because Terraform shows at most the line of `instances` for a path. Diagnostics that say the
// same about many entries are summarized.
func diagnosticsOf(diags diag.Diagnostics) []*tfprotov6.Diagnostic {
	type group struct {
		shown  []*tfprotov6.Diagnostic
		others []path.Path
	}
	var all []*tfprotov6.Diagnostic
	alike := map[string]*group{}
	for _, d := range diags {
		p := protocol.Diagnostic(d)
		if where, is := entryPath(d); is {
			key := alikeness(d, where)
			if alike[key] == nil {
				alike[key] = &group{}
			}
			g := alike[key]
			if len(g.shown) == mostAlike || len(g.shown) == 1 && d.Severity() == diag.SeverityWarning {
				g.others = append(g.others, where)
				continue
			}
			p.Summary, p.Detail = naming(d, where)
			g.shown = append(g.shown, p)
		}
		all = append(all, p)
	}
	for _, g := range alike {
		g.shown[len(g.shown)-1].Detail += more(g.others)
	}
	return all
}

// naming returns the summary and the detail of a diagnostic about an entry. The summary of a
// warning names the entry, because Terraform shows only one of several warnings with the same
// summary.
func naming(d diag.Diagnostic, where path.Path) (summary, detail string) {
	summary = d.Summary()
	if d.Severity() == diag.SeverityWarning && !strings.Contains(summary, strconv.Quote(entryName(where))) {
		summary += " in " + label(where)
	}
	return summary, label(where) + ": " + d.Detail()
}

// entryPath returns the path of a diagnostic that is about an entry.
func entryPath(d diag.Diagnostic) (where path.Path, is bool) {
	on, is := d.(diag.DiagnosticWithPath)
	if !is {
		return path.Empty(), false
	}
	return on.Path(), entryName(on.Path()) != ""
}

// entryName returns the key of the entry that contains a path, or "" if none does.
func entryName(where path.Path) string {
	steps := where.Steps()
	if len(steps) < 2 || !steps[0].Equal(path.PathStepAttributeName(attrInstances)) {
		return ""
	}
	key, _ := steps[1].(path.PathStepElementKeyString)
	return string(key)
}

// identifier matches a key that HCL accepts after a dot.
var identifier = regexp.MustCompile(`^[A-Za-z_][0-9A-Za-z_-]*$`)

// label returns a path in an entry, written as in HCL.
func label(where path.Path) string {
	var text strings.Builder
	for i, step := range where.Steps() {
		switch step := step.(type) {
		case path.PathStepElementKeyString:
			if name := string(step); i > 1 && identifier.MatchString(name) {
				text.WriteString("." + name)
			} else {
				fmt.Fprintf(&text, "[%q]", name)
			}
		case path.PathStepElementKeyInt:
			fmt.Fprintf(&text, "[%d]", int64(step))
		case path.PathStepAttributeName:
			if i > 0 {
				text.WriteString(".")
			}
			text.WriteString(string(step))
		}
	}
	return text.String()
}

// more returns a sentence that lists further entries with the same problem, or "" if there are none.
func more(others []path.Path) string {
	if len(others) == 0 {
		return ""
	}
	var labels []string
	for _, where := range others[:min(len(others), mostNamed)] {
		labels = append(labels, label(where))
	}
	if len(others) > mostNamed {
		labels = append(labels, "...")
	}
	return fmt.Sprintf("\n\nAnd %d more: %s", len(others), strings.Join(labels, ", "))
}

// varying matches the parts in which diagnostics that say the same may differ.
var varying = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\d+`)

// alikeness returns a key that is equal for diagnostics that say the same about different
// entries.
func alikeness(d diag.Diagnostic, where path.Path) string {
	text := fmt.Sprint(d.Severity(), where.Steps()[2:], d.Summary(), d.Detail())
	return varying.ReplaceAllString(text, "")
}
