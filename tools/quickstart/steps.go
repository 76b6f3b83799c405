// This file has the steps of the quickstart.

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// Names in examples/quickstart, and the values that the steps give.
const (
	device      = "DALLAS"
	workflow    = "Site Check"
	newWorkflow = "Nightly Site Check"
	// otherAddress is the address that another user gives the device.
	otherAddress = "192.0.2.99"
)

// The exit codes of plan -detailed-exitcode.
const (
	noChanges = 0
	changes   = 2
)

// run is a run of the quickstart.
type run struct {
	root string
	out  io.Writer
	shop *workshop.Workshop
	// program is the path of the simulator's program.
	program string
	sim     *simulator
	// dir is a copy of the example.
	dir string
	// before is what eNMS has before the first apply.
	before inventory
	// taken is the number of the present step.
	taken int
	// requests counts those of the provider in the present step.
	requests int64
}

// step is a step: do returns what it proved.
type step struct {
	what string
	do   func(context.Context) (proof string, err error)
}

// steps returns all steps in their order.
func (r *run) steps() []step {
	return []step{
		{"build the provider and the simulator", r.build},
		{"start the simulator on a free port", r.start},
		{"terraform apply", r.create},
		{"terraform plan", r.planAgain},
		{"terraform plan, after somebody else has changed " + device, r.drift},
		{"terraform apply", r.repair},
		{"terraform plan", r.planAgain},
		{fmt.Sprintf("terraform apply, with %q renamed to %q", workflow, newWorkflow), r.rename},
		{"terraform plan", r.planRenamed},
		{"terraform destroy", r.destroy},
	}
}

// take takes one step. It prints what the step is, what it proved, how long it took and how many
// requests Terraform sent.
func (r *run) take(ctx context.Context, s step) error {
	what := s.what
	if r.shop != nil {
		what = strings.Replace(what, "terraform ", r.shop.Name()+" ", 1)
	}
	r.taken++
	fmt.Fprintf(r.out, "%2d. %s\n", r.taken, what)
	r.requests = 0
	start := time.Now()
	proof, err := s.do(ctx)
	if err != nil {
		fmt.Fprintln(r.out, "    FAILED")
		return fmt.Errorf("step %d, %s: %w", r.taken, what, err)
	}
	cost := seconds(time.Since(start))
	if r.requests > 0 {
		cost += fmt.Sprintf(", %d requests", r.requests)
	}
	fmt.Fprintf(r.out, "    %s (%s)\n", proof, cost)
	return nil
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// build builds the programs and copies the example.
func (r *run) build(ctx context.Context) (_ string, err error) {
	r.shop, err = workshop.New(ctx, r.root)
	if err != nil {
		return "", err
	}
	r.dir = filepath.Join(r.shop.Dir, "quickstart")
	if err := os.CopyFS(r.dir, os.DirFS(filepath.Join(r.shop.Root, "examples", "quickstart"))); err != nil {
		return "", err
	}
	r.program, err = r.shop.BuildSimulator(ctx)
	return "in " + r.shop.Dir, err
}

// start starts the simulator.
func (r *run) start(ctx context.Context) (string, error) {
	started, err := workshop.StartSimulator(ctx, r.program)
	if err != nil {
		return "", err
	}
	r.sim = &simulator{started}
	r.before, err = r.sim.inventory(ctx)
	return r.sim.URL + ", user admin, password admin", err
}

// close stops the simulator and removes the directory.
func (r *run) close() (err error) {
	if r.sim != nil {
		err = r.sim.Stop()
	}
	if r.shop != nil {
		err = errors.Join(err, r.shop.Close())
	}
	return err
}

// printChanges prints what a plan changes.
func (r *run) printChanges(plan string) {
	for _, line := range changedLines(plan) {
		fmt.Fprintln(r.out, "      "+line)
	}
}

// The lines of a plan about a resource and an attribute that it changes.
var (
	ofResource  = regexp.MustCompile(`^ {2}(# \S.* (?:will|must) be .*)$`)
	ofAttribute = regexp.MustCompile(`^ +~ (\w+) += (.* -> .*)$`)
)

// changedLines returns the lines of a plan with the resources and the values that it changes,
// without values that are known only after the apply.
func changedLines(plan string) (lines []string) {
	_, actions, _ := strings.Cut(plan, "will perform the following actions:")
	for line := range strings.Lines(actions) {
		line = strings.TrimRight(line, "\r\n")
		if found := ofResource.FindStringSubmatch(line); found != nil {
			lines = append(lines, found[1])
		} else if found := ofAttribute.FindStringSubmatch(line); found != nil && !strings.Contains(line, "(known after apply)") {
			lines = append(lines, "~ "+found[1]+" = "+found[2])
		}
	}
	return lines
}

// renameWorkflow is the argument that renames the workflow.
const renameWorkflow = "-var=workflow_name=" + newWorkflow

// create applies the example. There must be one new instance in eNMS for each resource.
func (r *run) create(ctx context.Context) (string, error) {
	if _, err := r.terraform(ctx, 0, "apply", "-auto-approve"); err != nil {
		return "", err
	}
	list, err := r.terraform(ctx, 0, "state", "list")
	if err != nil {
		return "", err
	}
	managed := len(slices.DeleteFunc(strings.Fields(list), func(address string) bool { return strings.HasPrefix(address, "data.") }))
	after, err := r.sim.inventory(ctx)
	if err != nil {
		return "", err
	}
	if created := len(after) - len(r.before); created != managed || managed == 0 {
		return "", fmt.Errorf("there are %d resources, but %d new instances in eNMS", managed, created)
	}
	return fmt.Sprintf("%d resources, and as many new instances in eNMS", managed), nil
}

// nothingToDo is what an empty plan proves.
const nothingToDo = "nothing to do, so eNMS holds what was written"

// planAgain expects an empty plan.
func (r *run) planAgain(ctx context.Context) (string, error) {
	_, err := r.terraform(ctx, noChanges, "plan", "-detailed-exitcode")
	return nothingToDo, err
}

// planRenamed expects an empty plan with the new name of the workflow.
func (r *run) planRenamed(ctx context.Context) (string, error) {
	_, err := r.terraform(ctx, noChanges, "plan", "-detailed-exitcode", renameWorkflow)
	return nothingToDo, err
}

// drift changes a device without Terraform. The plan must show the change.
func (r *run) drift(ctx context.Context) (string, error) {
	if err := r.sim.setAddress(ctx, device, otherAddress); err != nil {
		return "", err
	}
	out, err := r.terraform(ctx, changes, "plan", "-detailed-exitcode")
	if err == nil && !strings.Contains(out, otherAddress) {
		err = fmt.Errorf("the plan does not show the address %s:\n%s", otherAddress, out)
	}
	r.printChanges(out)
	return fmt.Sprintf("the plan finds %s and wants it back as it was", otherAddress), err
}

// repair applies the example, which must undo the change.
func (r *run) repair(ctx context.Context) (string, error) {
	if _, err := r.terraform(ctx, 0, "apply", "-auto-approve"); err != nil {
		return "", err
	}
	address, err := r.sim.address(ctx, device)
	if err == nil && address == otherAddress {
		err = fmt.Errorf("device %q still has the address %s", device, otherAddress)
	}
	return fmt.Sprintf("%s has %s in eNMS again", device, address), err
}

// rename changes the name of the workflow. Every instance must keep its id.
func (r *run) rename(ctx context.Context) (string, error) {
	before, err := r.sim.inventory(ctx)
	if err != nil {
		return "", err
	}
	out, err := r.terraform(ctx, 0, "apply", "-auto-approve", renameWorkflow)
	if err != nil {
		return "", err
	}
	r.printChanges(out)
	after, err := r.sim.inventory(ctx)
	if err != nil {
		return "", err
	}
	want, names := inventory{}, 0
	for name, id := range before {
		newName := strings.Replace(name, workflow, newWorkflow, 1)
		if newName != name {
			names++
		}
		want[newName] = id
	}
	if names == 0 || !maps.Equal(want, after) {
		return "", fmt.Errorf("eNMS had %v, so it should have %v, but it has %v", before, want, after)
	}
	return fmt.Sprintf("%d names are new, every instance keeps its id", names), nil
}

// destroy destroys all resources. eNMS must then have what it had before the first apply.
func (r *run) destroy(ctx context.Context) (string, error) {
	if _, err := r.terraform(ctx, 0, "destroy", "-auto-approve", renameWorkflow); err != nil {
		return "", err
	}
	after, err := r.sim.inventory(ctx)
	if err == nil && !maps.Equal(r.before, after) {
		err = fmt.Errorf("eNMS had %v before, but has %v now", r.before, after)
	}
	return "eNMS holds what it held before, and nothing else", err
}

// terraform runs Terraform on the example and returns its output. Another exit code than expected
// is an error.
func (r *run) terraform(ctx context.Context, code int, args ...string) (string, error) {
	before := r.sim.Requests()
	result, err := r.shop.Run(ctx, r.dir, append(r.sim.Environment(), "TF_CLI_ARGS=-no-color"), args...)
	r.requests += r.sim.Requests() - before
	if err == nil && result.Code != code {
		err = fmt.Errorf("%s %s ended with the exit code %d, not %d:\n%s", r.shop.Name(), strings.Join(args, " "), result.Code, code, result.Output())
	}
	return result.Stdout, err
}
