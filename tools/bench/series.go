// This file runs one series: create, plan, update, destroy.

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

// mode is how a series is run.
type mode int

const (
	together mode = iota // as users have it
	bare                 // terraform_data instead of instances of eNMS
	process              // the same, and a process of the provider that sends nothing
)

var modeNames = map[mode]string{together: "together", bare: "terraform_data", process: "terraform_data and a process"}

// startProcess has Terraform start the provider, for a function that sends no requests.
const startProcess = `
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

// series runs the steps on a new simulator that answers one request at a time, and gives what
// each cost.
func (b *bench) series(ctx context.Context, s subject, m mode, steps []step) (samples []sample, err error) {
	return b.seriesOn(ctx, s, m, steps, serial)
}

// seriesOn is series with other options of the simulator.
func (b *bench) seriesOn(ctx context.Context, s subject, m mode, steps []step, options []string) (samples []sample, err error) {
	sim, err := workshop.StartSimulator(ctx, b.simulator, options...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, sim.Stop()) }()
	if s.needs != nil && m == together {
		if err := s.needs(ctx, sim); err != nil {
			return nil, err
		}
	}
	configuration := s.configuration()
	switch m {
	case bare:
		configuration = s.bare()
	case process:
		configuration = s.bare() + startProcess
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
		fmt.Fprintf(b.progress, "%d %s, %s, %s: %d requests, %s\n", s.count, s.name, modeNames[m], step.name, cost.requests, seconds(cost.time))
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

// measure runs one command, which must succeed, and a plan must be empty.
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
