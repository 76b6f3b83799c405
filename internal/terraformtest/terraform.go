// A working directory: a state, and what plan and apply do to it.

package terraformtest

import (
	"cmp"
	"context"
	"maps"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
)

// parallelism is how many operations Terraform does at a time.
const parallelism = 10

// Terraform is a working directory.
type Terraform struct {
	Provider *Provider
	State    map[string]*Object // by addresses such as "enms_device.a[0]" and "data.enms_device.d"
	Outputs  map[string]cty.Value
	// Parallelism is how many operations are done at a time; 0 stands for 10.
	Parallelism int
}

// command is a run of a command: a provider process, and what was found so far.
type command struct {
	*Process
	config *Config
	slots  chan struct{}

	mu    sync.Mutex
	found Found
}

// start starts a provider for a command. The caller must call stop.
func (t *Terraform) start(c *Config) *command {
	server, err := t.Provider.start()
	if err != nil {
		panic(err)
	}
	p, err := t.Provider.Started(server)
	if err != nil {
		panic(err)
	}
	return &command{Process: p, config: c, slots: make(chan struct{}, cmp.Or(t.Parallelism, parallelism)), found: Found{}}
}

// operation waits for one of the slots, and does something at an address.
func (c *command) operation(address string, do func() Problems) (succeeded bool) {
	c.slots <- struct{}{}
	diags := do()
	<-c.slots
	return c.add(address, diags)
}

// add adds diagnostics to those of an address. It reports whether none of the new ones is an error.
func (c *command) add(address string, diags Problems) (succeeded bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(diags) > 0 {
		c.found[address] = append(c.found[address], diags...)
	}
	return !diags.Failed()
}

// configure configures the provider, as Terraform does before each walk.
func (c *command) configure(ctx context.Context) (succeeded bool) {
	block, diags := scope{config: c.config}.object(c.config.provider, c.Schema.Provider)
	if !diags.Failed() {
		diags = c.Configure(ctx, block)
	}
	return c.add("provider", diags)
}

// Import brings an instance into the state, as `terraform import` does.
func (t *Terraform) Import(ctx context.Context, c *Config, address, id string) Found {
	w := t.start(c)
	defer w.stop()
	if !w.configure(ctx) {
		return w.found
	}
	o, diags := w.ImportAndRead(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: TypeOf(address), ID: id})
	if w.add(address, diags) {
		state := map[string]*Object{address: o}
		maps.Copy(state, t.State)
		t.State = state
	}
	return w.found
}

// each does something at each of some addresses, several at a time. It reports whether all succeeded.
func (c *command) each(addresses []string, do func(address string) Problems) (succeeded bool) {
	var all sync.WaitGroup
	failed := make(chan bool, len(addresses))
	for _, address := range addresses {
		all.Go(func() {
			if !c.operation(address, func() Problems { return do(address) }) {
				failed <- true
			}
		})
	}
	all.Wait()
	return len(failed) == 0
}
