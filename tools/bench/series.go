// This file runs a series of commands: create, plan, update, destroy.

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// mode is what the configuration of a series has.
type mode string

const (
	withProvider     mode = "eNMS"                             // the resources of the provider
	withoutProvider  mode = "terraform_data"                   // as many terraform_data instead
	withIdleProvider mode = "terraform_data and idle provider" // and a process of the provider that sends no requests
)

// idleProvider is a configuration for which Terraform starts the provider: a function needs it,
// but no eNMS.
const idleProvider = `
terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}
output "process" { value = provider::enms::service_name("", "bench") }
`

// step is one command of a series.
type step struct {
	name string
	args []string
}

// updated is the argument that changes every instance.
const updated = "-var=text=second"

// steps are the commands of a series in their order.
var steps = []step{
	{"create", []string{"apply", "-auto-approve"}},
	{"plan", []string{"plan", "-detailed-exitcode"}},
	{"update", []string{"apply", "-auto-approve", updated}},
	{"destroy", []string{"destroy", "-auto-approve", updated}},
}

// sample is what a command cost.
type sample struct {
	requests int64
	time     time.Duration
}

// serial are the options of a simulator that answers one request at a time.
var serial = []string{"-serial", "-latency", latency.String()}

// series runs the steps on a new simulator with these options.
func (b *bench) series(ctx context.Context, s subject, m mode, steps []step, options []string) (samples []sample, err error) {
	sim, err := workshop.StartSimulator(ctx, b.simulator, options...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	if s.needs != nil && m == withProvider {
		if err := s.needs(ctx, sim); err != nil {
			return nil, err
		}
	}
	configuration := s.configuration()
	switch m {
	case withoutProvider:
		configuration = s.bare()
	case withIdleProvider:
		configuration = s.bare() + idleProvider
	}
	dir, err := b.directory(configuration)
	if err != nil {
		return nil, err
	}
	for _, step := range steps {
		cost, err := b.measure(ctx, dir, sim.Environment(), sim, step.args)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(b.progress, "%d %s, %s, %s: %d requests, %s\n", s.count, s.name, m, step.name, cost.requests, seconds(cost.time))
		samples = append(samples, cost)
	}
	return samples, nil
}

// directory returns a new directory with a configuration.
func (b *bench) directory(configuration string) (string, error) {
	dir, err := os.MkdirTemp(b.shop.Dir, "run-")
	if err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, "main.tf"), []byte(configuration), 0o600)
}

// measure runs one command, which must succeed. With -detailed-exitcode, a plan succeeds only if
// it is empty.
func (b *bench) measure(ctx context.Context, dir string, environment []string, sim *workshop.Simulator, args []string) (sample, error) {
	before, begin := sim.Requests(), time.Now()
	result, err := b.shop.Run(ctx, dir, environment, append(args, "-no-color")...)
	cost := sample{requests: sim.Requests() - before, time: time.Since(begin)}
	if err == nil && result.Code != 0 {
		err = fmt.Errorf("%s %v ended with the exit code %d:\n%s", b.shop.Name(), args, result.Code, result.Output())
	}
	return cost, err
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }
