// The comparison of the model of Terraform with the real one: some lives are played by
// both, each with a server of its own.

package lives

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

// modelLives are lives whose outcome does not depend on which of several operations
// Terraform begins first. Each apply is one attempt.
var modelLives = map[string][]step{
	"references, updates and renames": {
		set{"enms_device.a", block{"name": "A", "ip_address": "10.0.0.1"}},
		set{"enms_device.b", block{"name": "B", "description": "beside ${enms_device.a.id}"}},
		set{"enms_link.l", block{"name": "L", "source": "${enms_device.a.name}", "destination": "${enms_device.b.name}"}},
		apply{},
		set{"enms_device.a", block{"name": "C", "ip_address": "10.0.0.2"}},
		apply{},
	},
	"a replacement and what depends on it": {
		set{"enms_device.a", block{"name": "A", "deletion_policy": "cascade"}},
		set{"enms_link.l", block{"name": "L", "source": "${enms_device.a.name}", "destination": "${enms_device.a.name}"}},
		apply{},
		set{"enms_device.a", block{"name": "A", "type": "gateway", "deletion_policy": "cascade"}},
		apply{},
	},
	"a replacement that creates before it destroys": {
		set{"enms_device.a", block{"name": "A", createBeforeDestroy: true}},
		set{"enms_device.b", block{"name": "B", "description": "beside ${enms_device.a.id}"}},
		set{"enms_device.c", block{"name": "C", "description": "beside ${enms_device.b.id}", createBeforeDestroy: true}},
		apply{},
		set{"enms_device.a", block{"name": "E", "type": "gateway", createBeforeDestroy: true}},
		set{"enms_device.b", block{"name": "D", "type": "gateway", "description": "beside ${enms_device.a.id}"}},
		apply{},
		set{"enms_device.b", block{"name": "D", "description": "beside ${enms_device.a.id}"}},
		apply{},
		set{"enms_device.c", block{"name": "C"}},
		apply{},
	},
	"destruction in the order of dependences": {
		set{"enms_service.w", block{"name": "W", "type": "workflow"}},
		set{"enms_service.s", block{"name": "[${enms_service.w.name}] S", "type": "python_snippet_service", "workflows": []any{"${enms_service.w.name}"}}},
		set{"enms_task.t", block{"name": "T", "service": "${enms_service.s.name}"}},
		apply{},
		remove{"enms_service.w"},
		apply{},
	},
	"other addresses": {
		set{"enms_device.a", block{"name": "A"}},
		set{"enms_device.c", block{"name": "C"}},
		apply{},
		move{"enms_device.a", "enms_device.b", true},
		remove{"enms_device.c"},
		apply{},
	},
	"a tainted resource is replaced": {
		set{many + ".m", devicesOf(entries{"A": good, "B": refused})},
		apply{},
		set{many + ".m", devicesOf(entries{"A": good, "C": another})},
		apply{},
	},
	"what depends on a failure is left out": {
		set{"enms_device.a", block{"name": "A", "rbac_read": []any{"G1"}}},
		set{"enms_device.b", block{"name": "B", "description": "beside ${enms_device.a.id}"}},
		set{"enms_device.c", block{"name": "C"}},
		apply{},
		set{"enms_device.a", block{"name": "A"}},
		apply{},
	},
	"others change and delete": {
		set{"enms_device.a", block{"name": "A", "ip_address": "10.0.0.1"}},
		set{"enms_device.b", block{"name": "B"}},
		apply{},
		write{"device", "A", map[string]any{"ip_address": "10.0.0.9"}},
		erase{"device", "B"},
		apply{},
	},
	"renames of entries": {
		set{many + ".m", devicesOf(entries{"A": good, "B": another})},
		set{"enms_pool.p", block{"name": "P", "devices": []any{"${enms_instances.m.A}"}}},
		apply{},
		set{many + ".m", block{"type": "device", "instances": entries{"C": good, "B": another}, "renames": map[string]any{"A": "C"}}},
		apply{},
	},
	"a dependence that has gone": {
		set{"enms_device.a", block{"name": "A"}},
		set{"enms_device.b", block{"name": "B", "description": "beside ${enms_device.a.id}"}},
		apply{},
		set{"enms_device.b", block{"name": "B"}},
		remove{"enms_device.a"},
		apply{},
	},
	"an exchange of names": {
		set{"enms_device.a", block{"name": "A", "ip_address": "10.0.0.1"}},
		set{"enms_device.b", block{"name": "B", "ip_address": "10.0.0.2"}},
		apply{},
		swap{"enms_device.a", "enms_device.b"},
		apply{},
	},
	"an object that a replacement has put aside is destroyed after the next one": {
		set{many + ".m", block{"type": "device", "instances": entries{"A": good, "B": good}, createBeforeDestroy: true}},
		set{"enms_device.d", block{"name": "D"}},
		apply{},
		set{many + ".m", block{"type": "gateway", "instances": entries{"A": good, "C": good}, createBeforeDestroy: true}},
		apply{},
		set{many + ".m", block{"type": "gateway", "instances": entries{"A": good, "C": good}}},
		apply{},
		move{many + ".m", many + ".n", true},
		set{many + ".n", block{"type": "gateway", "instances": entries{"C": good}}},
		apply{},
		set{many + ".n", block{"type": "gateway", "instances": entries{"A": good, "C": good}}},
		apply{},
	},
	"what was created before it was destroyed goes last when its block has gone": {
		set{"enms_device.a", block{"name": "A", createBeforeDestroy: true}},
		set{"enms_device.b", block{"name": "B", "description": "beside ${enms_device.a.id}"}},
		apply{},
		remove{"enms_device.a"},
		set{"enms_device.b", block{"name": "A"}},
		apply{},
		set{"enms_device.b", block{"name": "B"}},
		apply{},
	},
	"policies": {
		settings{"deletion_policy": "abandon"},
		set{"enms_device.a", block{"name": "A"}},
		set{"enms_device.b", block{"name": "B", "deletion_policy": "delete"}},
		apply{},
		remove{"enms_device.a"},
		remove{"enms_device.b"},
		apply{},
	},
	"an error of the plan": {
		set{"enms_service.v", block{"name": "V", "type": "workflow"}},
		set{"enms_service.w", block{"name": "W", "type": "workflow"}},
		set{"enms_service.s", block{"name": "[${enms_service.v.name}] S", "type": "python_snippet_service", "workflows": []any{"${enms_service.v.name}"}}},
		apply{},
		set{"enms_service.s", block{"name": "[${enms_service.w.name}] S", "type": "python_snippet_service", "workflows": []any{"${enms_service.w.name}"}}},
		remove{"enms_service.v"},
		apply{},
	},
}

// TestModelIsTerraform plays lives with the model and with the real Terraform, and compares
// what both plan, do, keep in the state and leave in eNMS.
func TestModelIsTerraform(t *testing.T) {
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	t.Parallel()
	for name, steps := range modelLives {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model, twin := newLife(t, serverOptions()), newLife(t, serverOptions())
			defer model.server.close()
			defer twin.server.close()
			actual := newRealTerraform(t)
			for i, s := range steps {
				if _, applies := s.(apply); !applies {
					for _, l := range []*life{model, twin} {
						if err := s.play(l); err != nil {
							t.Fatal(err)
						}
					}
					continue
				}
				compareApply(t, fmt.Sprintf("step %d", i+1), model, twin, actual)
			}
		})
	}
}

// compareApply applies with the model and with Terraform.
func compareApply(t *testing.T, when string, model, twin *life, actual *realTerraform) {
	t.Helper()
	clear(model.counts)
	r, err := model.attempt(apply{})
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	done := actual.apply(hcl(twin.tf.settings, twin.config))
	planned := map[string]string{}
	if !r.applied { // Terraform tells of what it has planned before the error, which is up to chance
		done.planned = planned
	} else {
		for address, ch := range r.plan.Changes {
			if ch.Action != terraformtest.Noop && terraformtest.BlockOf(address) == address { // Terraform does not list others
				planned[address] = string(ch.Action)
			}
		}
	}
	operations := map[string]int{}
	for what, n := range model.counts {
		if verb, of, is := strings.Cut(what, " "); is && strings.HasPrefix(of, "enms_") {
			operations[verb+" "+of] = n
		}
	}
	compare(t, when+": failed", r.failed(), done.failed)
	compare(t, when+": actions", planned, done.planned)
	compare(t, when+": operations", operations, done.operations)
	compare(t, when+": state", modelState(model), actual.state())
	compare(t, when+": eNMS", contents(model), contents(twin))
	if t.Failed() {
		t.Fatalf("the model: %s\nTerraform: %s", r, done.output)
	}
	if !r.failed() {
		model.config.moved, twin.config.moved = map[string]string{}, map[string]string{}
	}
}

// compare fails when the model is not as Terraform.
func compare(t *testing.T, what string, model, actual any) {
	t.Helper()
	if !reflect.DeepEqual(model, actual) {
		t.Errorf("%s:\nthe model: %v\nTerraform: %v", what, model, actual)
	}
}

// contents lists what eNMS holds, without ids, which depend on who comes first.
func contents(l *life) (all []string) {
	for k, i := range l.server.holds(l.t) {
		if l.installed[k] == nil {
			all = append(all, withoutIDs(fmt.Sprintf("%s %q %v %v", i.typ, i.name, i.fields, i.relations)))
		}
	}
	slices.Sort(all)
	return all
}

var ids = regexp.MustCompile(`beside \d+`)

func withoutIDs(text string) string { return ids.ReplaceAllString(text, "beside an id") }

// modelState describes the state of the model: whether resources are tainted, what they
// depend on, and their attributes.
func modelState(l *life) map[string]string {
	state := map[string]string{}
	for address, o := range l.tf.State {
		attributes, _ := terraformtest.GoValue(o.Value).(map[string]any)
		written, err := json.Marshal(attributes)
		if err != nil {
			panic(err)
		}
		state[address] = describeState(o.Tainted, o.Dependencies, written)
	}
	return state
}

func describeState(tainted bool, dependencies []string, attributes []byte) string {
	var values map[string]any
	if err := json.Unmarshal(attributes, &values); err != nil {
		panic(err)
	}
	for name, v := range values { // a value of any type has its type beside it in the file
		if typed, is := v.(map[string]any); is && len(typed) == 2 && typed["type"] != nil && typed["value"] != nil {
			values[name] = typed["value"]
		}
	}
	maps.DeleteFunc(values, func(name string, v any) bool { return name == "id" || name == "last_modified" || v == nil })
	slices.Sort(dependencies)
	written, err := json.Marshal(values)
	if err != nil {
		panic(err)
	}
	return withoutIDs(fmt.Sprintf("tainted %t, depends on %v: %s", tainted, dependencies, written))
}

// realTerraform is a directory in which the real Terraform works.
type realTerraform struct {
	t       *testing.T
	program string
	dir     string
}

// installed is a CLI configuration with which Terraform takes the provider of this tree.
var installed = sync.OnceValues(func() (config string, err error) {
	dir, err := os.MkdirTemp("", "terraform-provider-enms-lives-")
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "terraform-provider-enms")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", program, "../..").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	config = filepath.Join(dir, "terraform.rc")
	content := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"terraform-provider-enms/enms\" = %q\n  }\n  direct {}\n}\n", filepath.ToSlash(dir))
	return config, os.WriteFile(config, []byte(content), 0o600)
})

// TestMain has garbage collected less often, which makes lives a quarter faster, and removes
// what the tests have installed.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	code := m.Run()
	if os.Getenv("TF_ACC") != "" {
		if config, err := installed(); err == nil {
			_ = os.RemoveAll(filepath.Dir(config)) // a directory for temporary files
		}
	}
	os.Exit(code)
}

func newRealTerraform(t *testing.T) *realTerraform {
	t.Helper()
	program := os.Getenv("TF_ACC_TERRAFORM_PATH")
	for _, name := range []string{"terraform", "tofu"} {
		if path, err := exec.LookPath(name); err == nil && program == "" {
			program = path
		}
	}
	if program == "" {
		t.Fatal("neither terraform nor tofu is on the PATH: install Terraform or OpenTofu, or set TF_ACC_TERRAFORM_PATH")
	}
	return &realTerraform{t: t, program: program, dir: t.TempDir()}
}

// applied is what `terraform apply` told.
type applied struct {
	failed     bool
	planned    map[string]string
	operations map[string]int
	output     string
}

// apply applies a configuration.
func (r *realTerraform) apply(configuration string) applied {
	r.t.Helper()
	config, err := installed()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.dir, "main.tf"), []byte(configuration), 0o600); err != nil {
		r.t.Fatal(err)
	}
	cmd := exec.CommandContext(r.t.Context(), r.program, "apply", "-auto-approve", "-json")
	cmd.Dir = r.dir
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "TF_") && !strings.HasPrefix(pair, "ENMS_") {
			cmd.Env = append(cmd.Env, pair)
		}
	}
	cmd.Env = append(cmd.Env, "TF_CLI_CONFIG_FILE="+config, "TF_IN_AUTOMATION=1", "TF_INPUT=0", "CHECKPOINT_DISABLE=1")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		r.t.Fatal(err)
	}
	done := applied{failed: cmd.ProcessState.ExitCode() != 0, planned: map[string]string{}, operations: map[string]int{},
		output: configuration + out.String()}
	for line := range strings.Lines(out.String()) {
		done.read(line)
	}
	return done
}

// read reads a line of what Terraform writes with -json.
func (a *applied) read(line string) {
	type resource struct {
		Address string `json:"addr"`
		Type    string `json:"resource_type"`
	}
	var said struct {
		Type   string `json:"type"`
		Change struct {
			Resource resource `json:"resource"`
			Action   string   `json:"action"`
		} `json:"change"`
		Hook struct {
			Resource resource `json:"resource"`
			Action   string   `json:"action"`
		} `json:"hook"`
	}
	if json.Unmarshal([]byte(line), &said) != nil {
		return // what is no message is in the output
	}
	switch said.Type {
	case "planned_change":
		// The deletion of what was put aside has the address of what takes its place, and comes in
		// any order with it.
		address := said.Change.Resource.Address
		_, beside := a.planned[address]
		if said.Change.Action != "noop" && said.Change.Action != "move" && !(beside && said.Change.Action == "delete") {
			a.planned[address] = said.Change.Action
		}
	case "apply_start":
		a.operations[said.Hook.Action+" "+said.Hook.Resource.Type]++
	}
}

// state describes the state as modelState does.
func (r *realTerraform) state() map[string]string {
	r.t.Helper()
	content, err := os.ReadFile(filepath.Join(r.dir, "terraform.tfstate"))
	if errors.Is(err, os.ErrNotExist) {
		return map[string]string{}
	}
	if err != nil {
		r.t.Fatal(err)
	}
	var file struct {
		Resources []struct {
			Type      string `json:"type"`
			Name      string `json:"name"`
			Instances []struct {
				Status       string          `json:"status"`
				Deposed      string          `json:"deposed"`
				Dependencies []string        `json:"dependencies"`
				Attributes   json.RawMessage `json:"attributes"`
			} `json:"instances"`
		} `json:"resources"`
	}
	if err := json.Unmarshal(content, &file); err != nil {
		r.t.Fatal(err)
	}
	state := map[string]string{}
	for _, held := range file.Resources {
		deposed := 0
		for _, i := range held.Instances {
			address := held.Type + "." + held.Name
			if i.Deposed != "" {
				deposed++
				address = fmt.Sprintf("%s.deposed%d", address, deposed)
			}
			state[address] = describeState(i.Status == "tainted", i.Dependencies, i.Attributes)
		}
	}
	return state
}
