//go:build unix

// Terraform and the provider killed in the middle of an apply, at random moments.
// Terraform writes its state at its leisure, so that instances remain in eNMS
// that no state knows. With adopt_existing = true the next apply takes them over
// and converges; without it, it says for each that the name is taken and shows
// the import block (see TestCreate_refusesTakenName), which is safe.
//
// One kill by default; thirty with ENMS_TEST_LONG=1.

package faultstest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// killedConfig are a hundred resources that depend on each other.
const killedConfig = `
resource "enms_device" "d" {
  count       = 50
  name        = "device ${count.index}"
  ip_address  = "10.0.0.${count.index}"
  description = "ours"
}
resource "enms_service" "w" {
  count       = 5
  name        = "workflow ${count.index}"
  type        = "workflow"
  description = "ours"
}
resource "enms_service" "s" {
  count       = 20
  name        = "[${enms_service.w[count.index % 5].name}] step ${count.index}"
  type        = "python_snippet_service"
  workflows   = [enms_service.w[count.index % 5].name]
  description = "ours"
  properties  = { source_code = "step = ${count.index}" }
}
resource "enms_task" "t" {
  count              = 25
  name               = "task ${count.index}"
  service            = enms_service.w[count.index % 5].name
  devices            = [enms_device.d[count.index].name, enms_device.d[count.index + 25].name]
  description        = "ours"
  scheduling_mode    = "cron"
  crontab_expression = "${count.index} 2 * * *"
  is_active          = true
}`

const killedResources = 100

func TestKill_applyConvergesAfterwards(t *testing.T) {
	acctest.OwnSimulator(t)
	t.Parallel()
	seeds := 1
	if acctest.Long() {
		seeds = 30
	}
	for seed := range seeds {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			t.Parallel()
			k := newKilled(t, uint64(seed))
			k.applyAndKill()
			t.Logf("of %d instances, the state has %d", len(k.held())-len(builtIn), len(k.state()))
			k.converge()
		})
	}
}

// killed is one apply that is killed, and its eNMS.
type killed struct {
	t      *testing.T
	random *rand.Rand
	s      *acctest.Server
	door   *faults.Injector // spoils nothing; it knows when the last request is over
	w      *acctest.Workspace
	moment chan struct{} // closed at the request at which to kill
}

func newKilled(t *testing.T, seed uint64) *killed {
	t.Helper()
	k := &killed{t: t, random: rand.New(rand.NewPCG(seed, 0)), w: acctest.NewWorkspace(t), moment: make(chan struct{})}
	opts := acctest.ServerOptions()
	opts.Latency, opts.Serial = 3*time.Millisecond, true
	k.s, k.door, _ = newFaulty(t, opts)
	// Anywhere between the first write and the last.
	after, once := k.random.IntN(killedResources), sync.Once{}
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && k.written() >= after {
			once.Do(func() { close(k.moment) })
		}
		k.door.ServeHTTP(w, r)
	}))
	t.Cleanup(served.Close)
	k.w.Configure(fmt.Sprintf("provider \"enms\" {\n  base_url = %q\n  username = \"admin\"\n  password = \"admin\"\n  adopt_existing = true\n}\n", served.URL) + killedConfig)
	return k
}

// written is how many entries the server was sent so far.
func (k *killed) written() (entries int) {
	for _, r := range k.s.Simulator.Requests() {
		if r.Method == http.MethodPost && strings.HasPrefix(r.Path, "/rest/instance/") {
			entries += r.Entries
		}
	}
	return entries
}

// applyAndKill starts an apply and kills it, by a third of the seeds only the
// provider, otherwise Terraform too.
func (k *killed) applyAndKill() {
	k.t.Helper()
	cmd := exec.CommandContext(k.t.Context(), k.w.Terraform, "apply", "-no-color", "-auto-approve", "-lock=false")
	cmd.Dir, cmd.Env = k.w.Dir, k.w.Environment
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	select {
	case <-k.moment:
	case err := <-over:
		k.t.Fatalf("the apply was over before it was killed: %v", err)
	}
	time.Sleep(time.Duration(k.random.IntN(30)) * time.Millisecond) // the moment is random, not awaited
	target := -cmd.Process.Pid
	if k.random.IntN(3) == 0 {
		target = childOf(cmd.Process.Pid, target)
	}
	if err := syscall.Kill(target, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		k.t.Fatal(err)
	}
	if err := <-over; err == nil {
		k.t.Log("the apply was over just before it was killed")
	}
	k.door.Wait()
}

// childOf returns the first child of a process, where the system tells.
func childOf(pid, otherwise int) int {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		content, _ := os.ReadFile(list)
		if fields := strings.Fields(string(content)); len(fields) > 0 {
			if child, err := strconv.Atoi(fields[0]); err == nil {
				return child
			}
		}
	}
	return otherwise
}

// state returns the ids that the state knows by their names. A state that the kill left half
// written is removed, as a person would.
func (k *killed) state() map[string]string {
	k.t.Helper()
	ids := map[string]string{}
	file := filepath.Join(k.w.Dir, "terraform.tfstate")
	content, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) || len(content) == 0 {
		return ids // Terraform takes an empty file for none
	}
	var state struct {
		Resources []struct {
			Instances []struct {
				Attributes struct{ ID, Name string }
			}
		}
	}
	if json.Unmarshal(content, &state) != nil {
		if err := os.Remove(file); err != nil {
			k.t.Fatal(err)
		}
		return ids
	}
	for _, r := range state.Resources {
		for _, i := range r.Instances {
			ids[i.Attributes.Name] = i.Attributes.ID
		}
	}
	return ids
}

// builtIn are the services and tasks that every eNMS has.
var builtIn = append([]string{"[Shared] Start", "[Shared] End", "[Shared] Placeholder"}, acctest.ByLine([]string{"cluster_monitoring", "Cluster Monitoring"}, nil)...)

// held returns the ids of all instances by their names; no name may be there twice, or be
// none.
func (k *killed) held() map[string]string {
	k.t.Helper()
	ids := map[string]string{}
	for _, typ := range []string{acctest.ByLine("node", "device"), "service", "task"} {
		rows := k.s.All(typ)
		for _, row := range rows {
			name := fmt.Sprint(row["name"])
			if _, twice := ids[name]; twice || name == "" || name == "None" || !slices.Contains(builtIn, name) && row["description"] != "ours" {
				k.t.Errorf("eNMS holds %s %q with the description %q", row["type"], name, row["description"])
			}
			ids[name] = fmt.Sprint(row["id"])
		}
	}
	return ids
}

// converge applies once more, undisturbed: then everything is there, once, and in
// the state.
func (k *killed) converge() {
	k.t.Helper()
	if code, out := k.w.Run("apply", "-no-color", "-auto-approve", "-lock=false"); code != 0 {
		k.t.Fatalf("the next apply ended with %d:\n%s", code, out[max(0, len(out)-3000):])
	}
	k.w.PlanNothing()
	ids := k.state()
	held := k.held()
	if len(ids) != killedResources || len(held) != killedResources+len(builtIn) {
		k.t.Errorf("%d instances in the state, %d in eNMS, want %d", len(ids), len(held)-len(builtIn), killedResources)
	}
	for name, id := range ids {
		if held[name] != id {
			k.t.Errorf("%q has the id %s in the state and %q in eNMS", name, id, held[name])
		}
	}
	if n := len(k.s.Get("workflow", "workflow 0")["services"].([]any)); n != 6 {
		k.t.Errorf("a workflow has %d services, want Start, End and four steps", n)
	}
	on, _ := k.s.Get("task", "task 7")["devices"].([]any)
	if len(on) != 2 || !slices.Contains(on, any("device 7")) || !slices.Contains(on, any("device 32")) {
		k.t.Errorf("a task is on %q", on)
	}
}
