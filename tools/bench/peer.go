// This file plays a provider for REST interfaces in general, such as Mastercard/restapi and
// magodo/restful: one request each to create, read, update and delete, and a read after each
// creation and update, which both send by default. Before it creates, it asks whether the name is
// free, as restful does if it is told to; restapi, and restful by default, overwrite what has the
// name.

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// parallelism is how many resources Terraform works on at a time unless it is told otherwise.
const parallelism = 10

// peer makes the requests of a generic provider in Terraform's order. Without Terraform and a
// provider's process around them, they take no longer than with any such provider.
type peer struct {
	sim      *workshop.Simulator
	count    int // of devices
	requests atomic.Int64
}

// peerCreate and peerOverwrite are the creations with and without the question whether the name
// is free.
const (
	peerCreate    = "create"
	peerOverwrite = "overwrite"
)

// run makes the requests of a step.
func (p *peer) run(ctx context.Context, step string) error {
	switch step {
	case peerCreate:
		return p.each(ctx, p.isFree, p.write("first"), p.read)
	case peerOverwrite:
		return p.each(ctx, p.write("first"), p.read)
	case "plan":
		return p.each(ctx, p.read)
	case "update":
		return errors.Join(p.each(ctx, p.read), p.each(ctx, p.write("second"), p.read))
	case "destroy":
		return errors.Join(p.each(ctx, p.read), p.each(ctx, p.remove))
	}
	return fmt.Errorf("there is no step %q", step)
}

// runPeer returns what a step costs a generic provider, without Terraform.
func runPeer(ctx context.Context, sim *workshop.Simulator, count int, step string) (sample, error) {
	p, begin := &peer{sim: sim, count: count}, time.Now()
	err := p.run(ctx, step)
	return sample{requests: p.requests.Load(), time: time.Since(begin)}, err
}

// each makes the requests of all devices: those of a device one after the other, and those of as
// many devices as Terraform works on at a time.
func (p *peer) each(ctx context.Context, requests ...func(ctx context.Context, i int) error) error {
	errs, turn := make([]error, p.count), make(chan struct{}, parallelism)
	var all sync.WaitGroup
	for i := range p.count {
		all.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			for _, request := range requests {
				if errs[i] == nil {
					errs[i] = request(ctx, i)
				}
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

func (p *peer) write(description string) func(ctx context.Context, i int) error {
	return func(ctx context.Context, i int) error {
		p.requests.Add(1)
		var answer any
		device := map[string]any{"name": deviceName(i), "ip_address": deviceAddress(i), "description": description}
		return p.sim.Ask(ctx, http.MethodPost, "/rest/instance/device", device, &answer)
	}
}

// isFree asks for a device that does not exist, which eNMS answers with 403.
func (p *peer) isFree(ctx context.Context, i int) error {
	if p.read(ctx, i) == nil {
		return fmt.Errorf("%s exists already", deviceName(i))
	}
	return ctx.Err()
}

func (p *peer) read(ctx context.Context, i int) error   { return p.ask(ctx, http.MethodGet, i) }
func (p *peer) remove(ctx context.Context, i int) error { return p.ask(ctx, http.MethodDelete, i) }

func (p *peer) ask(ctx context.Context, method string, i int) error {
	p.requests.Add(1)
	var answer any
	return p.sim.Ask(ctx, method, "/rest/instance/device/"+deviceName(i), nil, &answer)
}
