// This file plays random rounds of designers who change a server and of people who edit its
// exported code, and checks what each export makes of it.

package export_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// TestExport_law plays rounds with random seeds. After each export, nothing is left to change; the
// code is valid and refers to nothing that it does not have; what people wrote is still there; and
// a comparison without the record, for which the server is always right, finds no difference that
// was not reported. In every tenth life Terraform plans and applies as well: the plan changes only
// what was reported, and after the apply the next export changes no code. ENMS_LIVES says how many
// lives are played, and ENMS_LIVES_SEED where they begin.
func TestExport_law(t *testing.T) {
	t.Parallel()
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return otherwise
	}
	lives := 4
	if acctest.Long() {
		lives = 500
	}
	first := number("ENMS_LIVES_SEED", 1)
	var steps, plans atomic.Int64
	t.Cleanup(func() { t.Logf("%d steps, %d plans", steps.Load(), plans.Load()) })
	for seed := first; seed < first+number("ENMS_LIVES", lives); seed++ {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServerWith(t, "simulator", simulator.Options{})
			s.OnlySimulated("it exports all that there is")
			l := &life{T: t, s: s, dir: filepath.Join(t.TempDir(), "export"), random: rand.New(rand.NewPCG(uint64(seed), 0)), written: map[string]string{}} // #nosec G404,G115 -- a test
			if l.random.IntN(3) == 0 {
				l.args = []string{"-inventory", "csv"}
			}
			if l.random.IntN(4) == 0 {
				l.args = append(l.args, "-modules")
			}
			if l.random.IntN(4) == 0 {
				l.args = append(l.args, "-identify-by", "name")
			}
			if seed%10 == 0 && os.Getenv("TF_ACC") != "" {
				w := acctest.NewWorkspace(t)
				l.dir = filepath.Join(w.Dir, "export")
				l.terraform = w.In(l.dir, s)
			}
			fillSmall(s)
			l.export(l.args...)
			l.apply()
			for range 6 {
				for range 1 + l.random.IntN(6) {
					l.design()
					steps.Add(1)
				}
				for range l.random.IntN(5) {
					l.edit()
					steps.Add(1)
				}
				l.round()
				if l.terraform != nil {
					l.plan()
					plans.Add(1)
				}
			}
		})
	}
}

// life is one server, its exported code, and what people wrote into it.
type life struct {
	*testing.T
	s       *acctest.Server
	dir     string
	args    []string
	random  *rand.Rand
	told    []string          // what happened
	changes string            // what the last export with changes printed
	written map[string]string // what people wrote, and the address of its block, with the directory of a module
	count   int

	isRestored bool               // since the last export, so that the next one needs to be told what the objects are
	terraform  *acctest.Workspace // nil in most lives
}

func (l *life) logf(format string, args ...any) {
	l.told = append(l.told, fmt.Sprintf(format, args...))
}

// failed ends the life.
func (l *life) failed(format string, args ...any) {
	l.Helper()
	l.Fatalf("%s\nafter\n%s", fmt.Sprintf(format, args...), strings.Join(l.told, "\n"))
}

// run runs an export in this process.
func (l *life) run(dir string, args ...string) (int, string) {
	return exportFrom(l.s, append(slices.Clone(args), dir)...)
}

func (l *life) export(args ...string) string {
	code, out := l.run(l.dir, args...)
	if code != 0 {
		l.failed("export ended with %d:\n%s", code, out)
	}
	return out
}

// one returns a random element.
func one[E any](l *life, all []E) E { return all[l.random.IntN(len(all))] }

// unusedName returns a name that nothing has.
func (l *life) unusedName(prefix string) string {
	l.count++
	return fmt.Sprintf("%s %d", prefix, l.count)
}

// named returns the names of the instances of a type that tests may change.
func (l *life) named(typ string) (names []string) {
	all := l.s.All(typ)
	for _, o := range all {
		if name := fmt.Sprint(o["name"]); !strings.HasPrefix(name, "[Shared] ") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// designs are what a designer does on the server.
var designs = map[string]func(l *life, put func(string, enms.Object), remove func(string, string)){
	"change a device": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		put("device", enms.Object{"name": one(l, l.named("device")), one(l, []string{"vendor", "model", "location", "description"}): l.unusedName("v")})
	},
	"rename a device": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		put("device", enms.Object{"name": one(l, l.named("device")), "new_name": l.unusedName("dev")})
	},
	"version a device": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		name := one(l, l.named("device"))
		put("device", enms.Object{"name": name, "new_name": l.unusedName(name + " old")})
		put("device", enms.Object{"name": name, "vendor": l.unusedName("v")})
	},
	"exchange two devices": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		a, b := one(l, l.named("device")), one(l, l.named("device"))
		if a != b {
			put("device", enms.Object{"name": a, "new_name": "aside"})
			put("device", enms.Object{"name": b, "new_name": a})
			put("device", enms.Object{"name": "aside", "new_name": b})
		}
	},
	"a new device": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		put("device", enms.Object{"name": l.unusedName("new"), "ip_address": "10.1.1.1"})
	},
	"delete a device": func(l *life, _ func(string, enms.Object), remove func(string, string)) {
		if all := l.named("device"); len(all) > 3 {
			remove("device", one(l, all))
		}
	},
	"recreate a device": func(l *life, put func(string, enms.Object), remove func(string, string)) {
		name := one(l, l.named("device"))
		remove("device", name)
		put("device", enms.Object{"name": name, "vendor": l.unusedName("v")})
	},
	"members of the pool": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		all := l.named("device")
		put("pool", enms.Object{"name": "by hand", "devices": slices.Compact([]string{all[0], one(l, all)})})
	},
	"rename a step": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		if step := l.step(); step != "" {
			own := l.unusedName("Step")
			put("service", enms.Object{"name": step, "scoped_name": own, "new_name": "[Site check] " + own})
		}
	},
	"change a step": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		if step := l.step(); step != "" {
			put("service", enms.Object{"name": step, "max_number_of_retries": l.random.IntN(9), "description": l.unusedName("d")})
		}
	},
	"a new step": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		own := l.unusedName("New")
		name := "[Site check] " + own
		put("python_snippet_service", enms.Object{"name": name, "scoped_name": own, "workflows": []string{"Site check"}, "source_code": script + own, "positions": map[string]any{"Site check": []any{l.random.IntN(500), 9}}})
		put("workflow_edge", enms.Object{"name": l.unusedName("edge"), "workflow": "Site check", "source": name, "destination": "[Shared] End", "subtype": "success"})
	},
	"a step moves": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		if step := l.step(); step != "" {
			put("service", enms.Object{"name": step, "positions": map[string]any{"Site check": []any{l.random.IntN(500), l.random.IntN(500)}}})
		}
	},
	"delete a step": func(l *life, _ func(string, enms.Object), remove func(string, string)) {
		if step := l.step(); step != "" {
			remove("service", step)
		}
	},
	"a group reads everything": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		put("group", enms.Object{"name": "readers", "force_read_access": true})
	},
	"change the task": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		put("task", enms.Object{"name": "nightly", "service": "Site check", "devices": []string{one(l, l.named("device"))}, "scheduling_mode": "cron", "crontab_expression": fmt.Sprintf("%d 2 * * 1", l.random.IntN(60))})
	},
	"delete the task": func(l *life, _ func(string, enms.Object), remove func(string, string)) {
		if slices.Contains(l.named("task"), "nightly") {
			remove("task", "nightly")
		}
	},
	"version the workflow": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		old := l.unusedName("Site check v")
		put("workflow", enms.Object{"name": "Site check", "scoped_name": old, "new_name": old})
		put("workflow", enms.Object{"name": "Site check", "scoped_name": "Site check", "description": l.unusedName("d"), "labels": map[string]any{
			"title-------------------------------": map[string]any{"content": old, "positions": []any{0, -100}, "alignment": "center", "size": "20"}}})
	},
	"version a step": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		if step := l.step(); step != "" {
			own := l.unusedName(strings.TrimPrefix(step, "[Site check] ") + " old")
			put("service", enms.Object{"name": step, "scoped_name": own, "new_name": "[Site check] " + own})
			put("python_snippet_service", enms.Object{"name": step, "scoped_name": strings.TrimPrefix(step, "[Site check] "), "workflows": []string{"Site check"}, "source_code": script + "# " + l.unusedName("version") + "\n"})
		}
	},
	"retype a step": func(l *life, put func(string, enms.Object), remove func(string, string)) {
		if step := l.step(); step != "" {
			remove("service", step)
			put("netmiko_commands_service", enms.Object{"name": step, "scoped_name": strings.TrimPrefix(step, "[Site check] "), "workflows": []string{"Site check"}, "commands": l.unusedName("show"), "driver": "cisco_ios"})
		}
	},
	"move a step to another workflow": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		if step := l.step(); step != "" {
			own := l.unusedName("Moved")
			put("workflow", enms.Object{"name": "Other", "scoped_name": "Other"})
			put("service", enms.Object{"name": step, "scoped_name": own, "new_name": "[Other] " + own, "workflows": []string{"Other"}})
		}
	},
	"recolour": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		if edges := l.named("workflow_edge"); len(edges) > 0 {
			put("workflow_edge", enms.Object{"name": one(l, edges), "color": one(l, []string{"red", "blue"})})
		}
		put("workflow", enms.Object{"name": "Site check", "labels": map[string]any{
			"note--------------------------------": map[string]any{"content": l.unusedName("note"), "positions": []any{l.random.IntN(99), 0}, "alignment": "center", "size": "20"}}})
	},
	"backup and restore": func(l *life, _ func(string, enms.Object), _ func(string, string)) {
		l.logf("every id is another one")
		l.isRestored = true
		l.s.Simulator.Restore(func(n int, swap func(i, j int)) { // as in large tables, no object keeps its id
			for range 1 + l.random.IntN(max(n-1, 1)) {
				for i := range n - 1 {
					swap(i, i+1)
				}
			}
		})
	},
	"a pool of its own": func(l *life, put func(string, enms.Object), _ func(string, string)) {
		put("pool", enms.Object{"name": l.unusedName("pool"), "device_vendor": "Cisco"})
	},
}

// step returns a random step of the workflow, or "".
func (l *life) step() string {
	steps := slices.DeleteFunc(l.named("service"), func(name string) bool { return !strings.HasPrefix(name, "[Site check] ") })
	if len(steps) == 0 {
		return ""
	}
	return one(l, steps)
}

// design does something random on the server.
func (l *life) design() {
	name := one(l, slices.Sorted(maps.Keys(designs)))
	designs[name](l, func(typ string, payload enms.Object) {
		l.logf("%s: put %s %v", name, typ, payload)
		putOn(l.s)(typ, payload)
	}, func(typ, of string) {
		l.logf("%s: remove %s %s", name, typ, of)
		removeFrom(l.s)(typ, of)
	})
}

// block matches a block of a resource that an export wrote, with its text.
var block = regexp.MustCompile(`(?s)(?:\A|\n)(resource "(enms_\w+)" "(\w+)" \{\n.*?\n\}\n)`)

// edit edits the code as people do.
func (l *life) edit() {
	files := tree(l.T, l.dir)
	var names []string
	for name, content := range files {
		if strings.HasSuffix(name, ".tf") && block.MatchString(content) {
			names = append(names, name)
		}
	}
	if slices.Sort(names); len(names) == 0 {
		return
	}
	name := one(l, names)
	content := files[name]
	at := one(l, block.FindAllStringSubmatchIndex(content, -1))
	at = at[2:] // without what is before the block
	typ, label, text := content[at[2]:at[3]], content[at[4]:at[5]], content[at[0]:at[1]]
	address, dir := typ+"."+label, path.Dir(name)
	beside := func(file string) string { return path.Join(dir, file) } // in the same module
	there := inDir(dir, address)
	switch l.random.IntN(10) {
	case 0:
		comment := l.unusedName("# people's comment")
		l.written[comment] = there
		l.write(name, content[:at[0]]+comment+"\n"+content[at[0]:])
		l.logf("comment %s in %s", address, name)
	case 1:
		if typ == "enms_instances" || strings.HasPrefix(label, "own_") || strings.Contains(typ, "layout") || strings.Contains(content, "from = "+address+"\n") || strings.Contains(joined(files), "to   = "+address+"\n") {
			return
		}
		renamed := strings.ReplaceAll(l.unusedName("renamed"), " ", "_")
		word := regexp.MustCompile(`\b` + regexp.QuoteMeta(address) + `\b`)
		for other, text := range files {
			if strings.HasSuffix(other, ".tf") && path.Dir(other) == dir {
				text = word.ReplaceAllString(text, typ+"."+renamed)
				l.write(other, strings.Replace(text, fmt.Sprintf("resource %q %q", typ, label), fmt.Sprintf("resource %q %q", typ, renamed), 1))
			}
		}
		for other, text := range files { // the imports of modules are in the root
			if there := "module." + path.Base(dir) + "." + address; strings.HasSuffix(other, ".tf") && path.Dir(other) == "." && strings.Contains(text, there) {
				l.write(other, regexp.MustCompile(regexp.QuoteMeta(there)+`\b`).ReplaceAllString(text, "module."+path.Base(dir)+"."+typ+"."+renamed))
			}
		}
		l.write(beside(renamed+".tf"), fmt.Sprintf("moved {\n  from = %s\n  to   = %s.%s\n}\n", address, typ, renamed))
		for comment, below := range l.written {
			if below == there {
				l.written[comment] = inDir(dir, typ+"."+renamed)
			}
		}
		l.logf("rename %s to %s", address, renamed)
	case 2:
		if path.Base(name) == "moved.tf" {
			return
		}
		l.write(name, content[:at[0]]+content[at[1]:])
		l.write(beside("moved.tf"), files[beside("moved.tf")]+text)
		l.logf("move %s to moved.tf", address)
		for comment, below := range l.written {
			if below == there && strings.HasPrefix(comment, "#") {
				delete(l.written, comment)
			}
		}
	case 3:
		l.write(name, strings.ReplaceAll(strings.ReplaceAll(content, "\r\n", "\n"), "\n", "\r\n"))
		l.logf("CRLF in %s", name)
	case 4, 6: // a value goes into a variable or a local
		value := regexp.MustCompile(`(?m)^ {2}(vendor|model|description|location) += ("[^"$]*")$`).FindStringSubmatchIndex(text)
		if value == nil {
			return
		}
		of, block := "var", "variable \"%s\" {\n  default = %s\n}\n"
		if l.random.IntN(2) == 0 {
			of, block = "local", "locals {\n  %s = %s\n}\n"
		}
		own := strings.ReplaceAll(l.unusedName(of), " ", "_")
		l.write(name, content[:at[0]]+text[:value[4]]+of+"."+own+text[value[5]:]+content[at[1]:])
		l.write(beside(own+".tf"), fmt.Sprintf(block, own, text[value[4]:value[5]]))
		l.written[of+"."+own] = there
		l.logf("%s.%s in %s", of, own, address)
	case 7: // two attributes change places
		lines := regexp.MustCompile(`(?m)^ {2}\w+ += "[^"$]*"$`).FindAllStringIndex(text, -1)
		if len(lines) < 2 || strings.Contains(text, "<<") {
			return
		}
		x, y := lines[0], lines[len(lines)-1]
		l.write(name, content[:at[0]]+text[:x[0]]+text[y[0]:y[1]]+text[x[1]:y[0]]+text[x[0]:x[1]]+text[y[1]:]+content[at[1]:])
		l.logf("reorder %s", address)
	case 8: // the file is split
		half := strings.ReplaceAll(l.unusedName("half"), " ", "_") + ".tf"
		l.write(name, content[:at[0]])
		l.write(beside(half), content[at[0]:])
		l.logf("split %s at %s", name, address)
		for comment, below := range l.written {
			if below == there && strings.HasPrefix(comment, "#") {
				delete(l.written, comment)
			}
		}
	case 9:
		list := regexp.MustCompile(`(?m)^ {2}(for_each|positions) += \{\n`).FindStringIndex(text)
		if list == nil {
			return
		}
		comment := l.unusedName("# people's comment inside")
		l.written[comment] = there
		l.write(name, content[:at[0]]+text[:list[1]]+"    "+comment+"\n"+text[list[1]:]+content[at[1]:])
		l.logf("comment inside %s in %s", address, name)
	case 5:
		own := strings.ReplaceAll(l.unusedName("own"), " ", "_")
		l.write(own+".tf", fmt.Sprintf("resource \"enms_device\" %q {\n  name = %q # mine: %s\n}\n", own, own, own))
		l.written["mine: "+own] = "enms_device." + own
		l.logf("their own %s", own)
	}
}

// joined returns all files, one after the other.
func joined(files map[string]string) (all string) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		all += files[name]
	}
	return all
}

// inDir returns an address in a directory, as life.addresses has it.
func inDir(dir, address string) string {
	if dir == "." {
		return address
	}
	return dir + " " + address
}

func (l *life) write(name, content string) {
	if err := os.WriteFile(filepath.Join(l.dir, name), []byte(content), 0o600); err != nil {
		l.Fatal(err)
	}
}

// round exports, and checks the laws.
func (l *life) round() {
	gone := "delete"
	if l.terraform != nil { // the state has it still
		gone = "removed"
	}
	args := []string{"-gone", gone}
	if l.isRestored {
		args, l.isRestored = append(args, "-identify-by", "name"), false
	}
	l.changes = regexp.MustCompile(`(?m)^read.*\n`).ReplaceAllString(l.export(args...), "")
	if strings.Contains(l.changes, "Warning: ") {
		l.failed("not all objects are known:\n%s", l.changes)
	}
	l.logf("export:\n%s", l.changes)
	if code, out := l.run(l.dir, "-check"); code != 0 {
		before := tree(l.T, l.dir)
		l.export()
		l.failed("the second export ended with %d:\n%s\n%s\n%s", code, out, difference(before, tree(l.T, l.dir)), difference(map[string]string{"report": before["report.json"]}, map[string]string{"report": tree(l.T, l.dir)["report.json"]}))
	}
	files := tree(l.T, l.dir)
	there := l.addresses(files)
	all := joined(files)
	for comment, address := range l.written {
		switch {
		case !there[address]: // it went with its block
			delete(l.written, comment)
		case !regexp.MustCompile(regexp.QuoteMeta(comment) + `\b`).MatchString(all):
			l.failed("%q in %s is gone", comment, address)
		}
	}
	l.compareAll(files)
}

// apply applies the code, in lives with Terraform, and returns what Terraform wrote, which begins
// with the plan.
func (l *life) apply() (planAndApply string) {
	if l.terraform == nil {
		return ""
	}
	if slices.Contains(l.args, "-modules") {
		get(l.terraform)
	}
	code, out := l.terraform.Run("apply", "-no-color", "-input=false", "-auto-approve", "-parallelism=10")
	if code != 0 {
		l.failed("the apply ended with %d:\n%s", code, out)
	}
	return out
}

// plan plans and applies in one command, and exports: the plan changes nothing but what people wrote or the export
// has reported, the layouts and tables that take up what is new in them, services that others
// have replaced by some of another type, of whose properties the state has those of the old type, and
// pools that have members again, which the state did not have while none were configured; and the
// export after the apply changes no code.
func (l *life) plan() {
	report := tree(l.T, l.dir)["report.json"]
	out := l.apply()
	for _, planned := range regexp.MustCompile(`(?m)^ {2}# (\S.*?) (will be|must be|has moved).*$`).FindAllStringSubmatch(out, -1) {
		address := planned[1]
		known := strings.Contains(planned[0], "will be imported") || strings.Contains(planned[0], "has moved") ||
			strings.Contains(planned[0], "will no longer be managed") || strings.Contains(address, "enms_device.own_") && strings.Contains(planned[0], "will be created") ||
			strings.Contains(planned[0], "updated in-place") && (strings.Contains(address, "_layout.") || strings.HasPrefix(address, "enms_instances.") || strings.Contains(report, address+" ") || strings.Contains(l.changes, address+": type = ") ||
				regexp.MustCompile(`(?m): `+regexp.QuoteMeta(address)+`: devices = .* is new$`).MatchString(l.changes))
		if !known {
			l.failed("the plan changes %s:\n%s\n%s", address, out, report)
		}
	}
	before := tree(l.T, l.dir)
	l.export()
	if changed := difference(before, tree(l.T, l.dir)); changed != "" {
		l.failed("the export after the apply has changed\n%s", changed)
	}
}

// addresses returns the addresses of all resources, and checks that all references and imports are
// to these.
func (l *life) addresses(files map[string]string) map[string]bool {
	there, used := map[string]bool{}, map[string]string{}
	for name, content := range files {
		if !strings.HasSuffix(name, ".tf") {
			continue
		}
		parsed, diags := hclsyntax.ParseConfig([]byte(content), name, hcl.InitialPos)
		if diags.HasErrors() {
			l.failed("%s is not valid: %v\n%s", name, diags, content)
		}
		dir := filepath.Dir(name) + " "
		body, _ := parsed.Body.(*hclsyntax.Body)
		for _, b := range body.Blocks {
			if b.Type == "resource" {
				if address := dir + strings.Join(b.Labels, "."); there[address] {
					l.failed("%s is there twice", address)
				}
				there[dir+strings.Join(b.Labels, ".")] = true
			}
			if b.Type == "moved" || b.Type == "removed" {
				continue
			}
			_ = hclsyntax.VisitAll(b.Body, func(node hclsyntax.Node) hcl.Diagnostics {
				if expr, is := node.(*hclsyntax.ScopeTraversalExpr); is && strings.HasPrefix(expr.Traversal.RootName(), "enms_") {
					used[dir+expr.Traversal.RootName()+"."+expr.Traversal[1].(hcl.TraverseAttr).Name] = expr.SrcRange.String()
				}
				return nil
			})
		}
	}
	for address, at := range used {
		if !there[address] {
			l.failed("%s refers to %s, which is not there", at, address)
		}
	}
	for address := range maps.Clone(there) {
		if rest, is := strings.CutPrefix(address, ". "); is {
			there[rest] = true
		}
	}
	return there
}

// compareAll compares the code with the server without the record: nothing may differ.
func (l *life) compareAll(files map[string]string) {
	dir := filepath.Join(l.TempDir(), "copy")
	for name, content := range files {
		if name == ".enms-export.json" {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			l.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			l.Fatal(err)
		}
	}
	if slices.Contains(l.args, "-modules") {
		return // a directory without a record is none of modules
	}
	code, out := l.run(dir, append(slices.Clone(l.args), "-check")...)
	if l.terraform != nil { // without a record, what people wrote and an apply has made is imported
		out = strings.ReplaceAll(out, "imports.tf would change", "")
	}
	if regexp.MustCompile(`(?m)^\S+\.(tf|csv|py)\S* would change`).MatchString(out) {
		l.failed("without the record, export -check ended with %d:\n%s", code, out)
	}
}
