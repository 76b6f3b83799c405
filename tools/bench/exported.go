// This file measures how a server is rebuilt from its export, and destroyed: many small dependency
// chains, in which the provider has to wait for Terraform as often as Terraform for eNMS.

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// The objects of the exported server: workflows with a chain of services, devices in pairs, a link
// between each two, and tasks.
const (
	exportedWorkflows = 80
	exportedServices  = 4 // of each workflow, which has one edge more
	exportedDevices   = 100
	exportedTasks     = 50
	exportedObjects   = exportedWorkflows*(2+2*exportedServices) + exportedDevices*3/2 + exportedTasks

	// mostOfDestroy is how many requests the destruction of an object may take.
	mostOfDestroy = 1.2
)

// exportedOn are the servers on which it is rebuilt, with a remote state.
var exportedOn = []server{
	{"one process, 80 ms a request", 80 * time.Millisecond, []string{"-serial"}},
	{"any number at once, 80 ms a request", 80 * time.Millisecond, nil},
}

// exportedLocally is the server on which it is rebuilt with a local state file too.
var exportedLocally = server{"one process, 80 ms a request; state in a local file", 80 * time.Millisecond, []string{"-serial"}}

// exportedParallelism is how many resources Terraform works on at a time.
var exportedParallelism = []int{10, 30, 100}

const exportedHeader = `| Server | -parallelism | Step | Requests | an object | Time | no request in flight | terraform_data: time |
|---|--:|---|--:|--:|--:|--:|--:|
`

// exported rebuilds and destroys an exported server, and prints a row for each step.
func (b *bench) exported(ctx context.Context) (promise, measured string, kept bool, err error) {
	dir, err := b.export(ctx)
	if err != nil {
		return "", "", false, err
	}
	if _, err := fmt.Fprint(b.out, exportedHeader); err != nil {
		return "", "", false, err
	}
	worst := 0.0
	rebuild := func(on server, states *remoteStates, parallelism int) error {
		rows, err := b.rebuild(ctx, on, dir, states, parallelism)
		if err == nil {
			worst = max(worst, float64(rows[1].requests)/exportedObjects)
		}
		return err
	}
	states := serveStates()
	defer states.Close()
	for _, on := range exportedOn {
		for _, parallelism := range exportedParallelism {
			if err := rebuild(on, states, parallelism); err != nil {
				return "", "", false, err
			}
		}
	}
	if err := rebuild(exportedLocally, nil, exportedParallelism[0]); err != nil {
		return "", "", false, err
	}
	fmt.Fprintln(b.out)
	return fmt.Sprintf("the %d objects of an exported server are destroyed with at most %.1f requests each", exportedObjects, mostOfDestroy),
		fmt.Sprintf("%.2f", worst), worst <= mostOfDestroy, nil
}

// export fills a server, and returns the directory of its export, ready to build another one.
func (b *bench) export(ctx context.Context) (dir string, err error) {
	sim, err := workshop.StartSimulator(ctx, b.simulator)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	for _, list := range exportedLists() {
		if err := put(ctx, sim, list.typ, list.instances); err != nil {
			return "", err
		}
	}
	dir = filepath.Join(b.shop.Dir, "exported")
	cmd := workshop.Command(ctx, b.shop.Provider(), "export", dir)
	cmd.Env = append(os.Environ(), sim.Environment()...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the export failed: %w\n%s", err, out)
	}
	return dir, os.Remove(filepath.Join(dir, "imports.tf"))
}

// list is what is written at once.
type list struct {
	typ       string
	instances []map[string]any
}

// exportedLists returns the objects in the order in which they can be created.
func exportedLists() []list {
	var devices, links, workflows, services, edges, tasks []map[string]any
	for i := range exportedDevices {
		devices = append(devices, map[string]any{"name": deviceName(i), "ip_address": deviceAddress(i)})
		if i%2 == 1 {
			links = append(links, map[string]any{"name": fmt.Sprintf("link-%d", i), "source": deviceName(i - 1), "destination": deviceName(i)})
		}
	}
	for w := range exportedWorkflows {
		workflow := fmt.Sprintf("workflow-%d", w)
		workflows = append(workflows, map[string]any{"name": workflow, "scoped_name": workflow})
		before := "[Shared] Start"
		for s := range exportedServices + 1 {
			next := "[Shared] End"
			if s < exportedServices {
				scoped := fmt.Sprintf("service-%d", s)
				next = fmt.Sprintf("[%s] %s", workflow, scoped)
				services = append(services, map[string]any{"name": next, "scoped_name": scoped, "workflows": []string{workflow}})
			}
			edges = append(edges, map[string]any{"name": fmt.Sprintf("edge-%d-%d", w, s), "workflow": workflow, "source": before, "destination": next, "subtype": "success"})
			before = next
		}
	}
	for i := range exportedTasks {
		tasks = append(tasks, map[string]any{"name": fmt.Sprintf("task-%d", i), "service": fmt.Sprintf("workflow-%d", i), "devices": []string{deviceName(i)}})
	}
	return []list{{"device", devices}, {"link", links}, {"workflow", workflows}, {"ping_service", services}, {"workflow_edge", edges}, {"task", tasks}}
}

// exportedBare returns the same graph of Terraform's own resources.
func exportedBare() string {
	var out strings.Builder
	fmt.Fprintf(&out, "resource \"terraform_data\" \"device\" {\n  count = %d\n}\n", exportedDevices)
	for i := 1; i < exportedDevices; i += 2 {
		fmt.Fprintf(&out, "resource \"terraform_data\" \"link_%d\" {\n  input = [terraform_data.device[%d].id, terraform_data.device[%d].id]\n}\n", i, i-1, i)
	}
	for w := range exportedWorkflows {
		fmt.Fprintf(&out, "resource \"terraform_data\" \"workflow_%d\" {\n  input = \"w\"\n}\n", w)
		var services []string
		for s := range exportedServices {
			fmt.Fprintf(&out, "resource \"terraform_data\" \"service_%d_%d\" {\n  input = terraform_data.workflow_%d.id\n}\n", w, s, w)
			services = append(services, fmt.Sprintf("terraform_data.service_%d_%d.id", w, s))
		}
		fmt.Fprintf(&out, "resource \"terraform_data\" \"edges_%d\" {\n  count = %d\n  input = [%s]\n}\n", w, exportedServices+1, strings.Join(services, ", "))
		fmt.Fprintf(&out, "resource \"terraform_data\" \"layout_%d\" {\n  input = [%s]\n}\n", w, strings.Join(services, ", "))
	}
	for i := range exportedTasks {
		fmt.Fprintf(&out, "resource \"terraform_data\" \"task_%d\" {\n  input = [terraform_data.workflow_%d.id, terraform_data.device[%d].id]\n}\n", i, i, i)
	}
	return out.String()
}

// exportedSteps are what is measured.
var exportedSteps = []step{steps[0], {"destroy", []string{"destroy", "-auto-approve"}}}

// rebuild builds and destroys the server of an export, and prints its rows. Without states, the
// state is a file in the directory.
func (b *bench) rebuild(ctx context.Context, on server, export string, states *remoteStates, parallelism int) (samples []sample, err error) {
	sim, err := workshop.StartSimulator(ctx, b.simulator, on.start()...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	between, err := watch(sim.URL)
	if err != nil {
		return nil, err
	}
	defer between.Close()
	bare, err := b.exportedDirectory(ctx, states)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(bare, "main.tf"), []byte(exportedBare()), 0o600); err != nil {
		return nil, err
	}
	dir, err := b.exportedDirectory(ctx, states)
	if err != nil {
		return nil, err
	}
	if err := os.CopyFS(dir, os.DirFS(export)); err != nil {
		return nil, err
	}
	environment := append(sim.Environment(), "ENMS_BASE_URL="+between.URL)
	for _, step := range exportedSteps {
		args := append(append([]string{}, step.args...), fmt.Sprintf("-parallelism=%d", parallelism))
		own, err := b.measure(ctx, bare, nil, sim, args)
		if err != nil {
			return nil, err
		}
		before := between.busy()
		cost, err := b.measure(ctx, dir, environment, sim, args)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(b.out, "| %s | %d | %s | %s | %s | %s |\n", on.name, parallelism, step.name, cost.cells(exportedObjects),
			seconds(cost.time-(between.busy()-before)), seconds(own.time))
		samples = append(samples, cost)
	}
	return samples, nil
}

// exportedDirectory returns a new directory whose state is kept by states, or in a file without them.
func (b *bench) exportedDirectory(ctx context.Context, states *remoteStates) (dir string, err error) {
	if dir, err = os.MkdirTemp(b.shop.Dir, "exported-"); err == nil && states != nil {
		err = states.use(ctx, b, dir)
	}
	return dir, err
}

// watcher passes requests on to a server, and knows for how long any was under way.
type watcher struct {
	*httptest.Server

	mu    sync.Mutex
	open  int
	since time.Time
	total time.Duration
}

// watch returns a watcher in front of a server.
func watch(server string) (*watcher, error) {
	target, err := url.Parse(server)
	if err != nil {
		return nil, err
	}
	w, pass := &watcher{}, httputil.NewSingleHostReverseProxy(target)
	w.Server = httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
		w.count(1)
		defer w.count(-1)
		pass.ServeHTTP(answer, r)
	}))
	return w, nil
}

func (w *watcher) count(by int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open == 0 {
		w.since = time.Now()
	}
	if w.open += by; w.open == 0 {
		w.total += time.Since(w.since)
	}
}

// busy returns for how long requests were under way.
func (w *watcher) busy() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.total
}
