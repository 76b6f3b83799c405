// This file is the story that the quickstart tells, step by step.

package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// What the story knows of examples/quickstart.
const (
	device      = "DALLAS"
	workflow    = "Site Check"
	newWorkflow = "Nightly Site Check"
	// foreign is the address that somebody else gives the device.
	foreign = "192.0.2.99"
)

// The exit codes of plan -detailed-exitcode.
const (
	noChanges = 0
	changes   = 2
)

// story is a run of the quickstart.
type story struct {
	out    io.Writer
	shop   *workshop.Workshop
	sim    *simulator
	dir    string
	number int
	// requests are those of the provider in the present step.
	requests int64
}

// step does one step and tells what it is; and in the lines below what Terraform
// changes, what the step proved, how long it took and how many requests Terraform cost.
func (s *story) step(what string, do func() (proof string, err error)) error {
	s.number++
	fmt.Fprintf(s.out, "%2d. %s\n", s.number, what)
	s.requests = 0
	start := time.Now()
	proof, err := do()
	if err != nil {
		fmt.Fprintln(s.out, "    FAILED")
		return fmt.Errorf("step %d, %s: %w", s.number, what, err)
	}
	cost := seconds(time.Since(start))
	if s.requests > 0 {
		cost += fmt.Sprintf(", %d requests", s.requests)
	}
	fmt.Fprintf(s.out, "    %s (%s)\n", proof, cost)
	return nil
}

// tell shows what a plan changes.
func (s *story) tell(plan string) {
	for _, line := range changed(plan) {
		fmt.Fprintln(s.out, "      "+line)
	}
}

// What a plan says of a resource and of an attribute that it changes.
var (
	ofResource  = regexp.MustCompile(`^ {2}(# \S.* (?:will|must) be .*)$`)
	ofAttribute = regexp.MustCompile(`^ +~ (\w+) += (.* -> .*)$`)
)

// changed returns the lines of a plan that name the resources it changes, and the values that
// become others. What is only known after the apply is none of them.
func changed(plan string) (lines []string) {
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

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// play tells the whole story.
func (s *story) play(ctx context.Context) error {
	before, err := s.sim.inventory(ctx)
	if err != nil {
		return err
	}
	unchanged := func(args ...string) func() (string, error) {
		return func() (string, error) {
			return "nothing to do, so eNMS holds what was written", s.plan(ctx, noChanges, args...)
		}
	}
	terraform := s.shop.Name()
	steps := []struct {
		what string
		do   func() (string, error)
	}{
		{terraform + " apply", func() (string, error) { return s.create(ctx, before) }},
		{terraform + " plan", unchanged()},
		{terraform + " plan, after somebody else has changed " + device, func() (string, error) { return s.drift(ctx) }},
		{terraform + " apply", func() (string, error) { return s.repair(ctx) }},
		{terraform + " plan", unchanged()},
		{fmt.Sprintf("%s apply, with %q renamed to %q", terraform, workflow, newWorkflow), func() (string, error) { return s.rename(ctx) }},
		{terraform + " plan", unchanged(renamed)},
		{terraform + " destroy", func() (string, error) { return s.destroy(ctx, before) }},
	}
	for _, step := range steps {
		if err := s.step(step.what, step.do); err != nil {
			return err
		}
	}
	return nil
}

// renamed is the variable that renames the workflow.
const renamed = "-var=workflow_name=" + newWorkflow

// create applies the example and compares Terraform's list with eNMS's.
func (s *story) create(ctx context.Context, before inventory) (string, error) {
	if _, err := s.terraform(ctx, 0, "apply", "-auto-approve"); err != nil {
		return "", err
	}
	list, err := s.terraform(ctx, 0, "state", "list")
	if err != nil {
		return "", err
	}
	managed := len(slices.DeleteFunc(strings.Fields(list), func(address string) bool { return strings.HasPrefix(address, "data.") }))
	after, err := s.sim.inventory(ctx)
	if err != nil {
		return "", err
	}
	if created := len(after) - len(before); created != managed || managed == 0 {
		return "", fmt.Errorf("there are %d resources, but %d new instances in eNMS", managed, created)
	}
	return fmt.Sprintf("%d resources, and as many new instances in eNMS", managed), nil
}

// plan plans and compares the exit code.
func (s *story) plan(ctx context.Context, code int, args ...string) error {
	_, err := s.terraform(ctx, code, append([]string{"plan", "-detailed-exitcode"}, args...)...)
	return err
}

// drift changes a device behind Terraform's back, and has the plan find it.
func (s *story) drift(ctx context.Context) (string, error) {
	if err := s.sim.setAddress(ctx, device, foreign); err != nil {
		return "", err
	}
	out, err := s.terraform(ctx, changes, "plan", "-detailed-exitcode")
	if err == nil && !strings.Contains(out, foreign) {
		err = fmt.Errorf("the plan does not show the address %s:\n%s", foreign, out)
	}
	s.tell(out)
	return fmt.Sprintf("the plan finds %s and wants it back as it was", foreign), err
}

// repair applies, and looks in eNMS whether the change is undone.
func (s *story) repair(ctx context.Context) (string, error) {
	if _, err := s.terraform(ctx, 0, "apply", "-auto-approve"); err != nil {
		return "", err
	}
	address, err := s.sim.address(ctx, device)
	if err == nil && address == foreign {
		err = fmt.Errorf("device %q still has the address %s", device, foreign)
	}
	return fmt.Sprintf("%s has %s in eNMS again", device, address), err
}

// rename changes the name of the workflow, and looks in eNMS whether every
// instance is the same one as before.
func (s *story) rename(ctx context.Context) (string, error) {
	before, err := s.sim.inventory(ctx)
	if err != nil {
		return "", err
	}
	out, err := s.terraform(ctx, 0, "apply", "-auto-approve", renamed)
	if err != nil {
		return "", err
	}
	s.tell(out)
	after, err := s.sim.inventory(ctx)
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

// destroy destroys all, and looks in eNMS whether only what was there before is
// left.
func (s *story) destroy(ctx context.Context, before inventory) (string, error) {
	if _, err := s.terraform(ctx, 0, "destroy", "-auto-approve", renamed); err != nil {
		return "", err
	}
	after, err := s.sim.inventory(ctx)
	if err == nil && !maps.Equal(before, after) {
		err = fmt.Errorf("eNMS had %v before, but has %v now", before, after)
	}
	return "eNMS holds what it held before, and nothing else", err
}

// terraform runs Terraform on the example and compares the exit code; what it
// wrote is shown only when it is another one.
func (s *story) terraform(ctx context.Context, code int, args ...string) (string, error) {
	before := s.sim.Requests()
	result, err := s.shop.Run(ctx, s.dir, append(s.sim.Environment(), "TF_CLI_ARGS=-no-color"), args...)
	s.requests += s.sim.Requests() - before
	if err == nil && result.Code != code {
		err = fmt.Errorf("%s %s ended with the exit code %d, not %d:\n%s", s.shop.Name(), strings.Join(args, " "), result.Code, code, result.Output())
	}
	return result.Stdout, err
}
