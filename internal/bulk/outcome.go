// This file calls a function for each of many entries, several at the same time, and logs the
// progress. It also makes the next state from the outcomes of the entries, after a read or an
// apply.

package bulk

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

const (
	// mostTogether is how many instances are read or written at the same time: enough for the
	// client to fill its lists and searches.
	mostTogether = 2000
	// mostDeleted is how many instances are deleted at the same time. Each deletion is a request,
	// and those that wait for their turn in eNMS must not run into the timeout.
	mostDeleted = 50
	// tellEvery is how often the progress is logged.
	tellEvery = 5 * time.Second
)

// each calls do for each of the items, up to atATime at once, and logs the progress.
func each[T any](ctx context.Context, doing, typ string, items []T, atATime int, do func(T)) {
	if len(items) == 0 {
		return
	}
	var done atomic.Int64
	finished := make(chan struct{})
	go tell(ctx, doing, typ, &done, len(items), finished)
	defer close(finished)
	var workers sync.WaitGroup
	queue := make(chan T)
	for range min(atATime, len(items)) {
		workers.Go(func() {
			for item := range queue {
				do(item)
				done.Add(1)
			}
		})
	}
	for _, item := range items {
		queue <- item
	}
	close(queue)
	workers.Wait()
}

// tell logs the progress until all is finished.
func tell(ctx context.Context, doing, typ string, done *atomic.Int64, total int, finished <-chan struct{}) {
	ticker := time.NewTicker(tellEvery)
	defer ticker.Stop()
	for {
		select {
		case <-finished:
			return
		case <-ticker.C:
			tflog.Info(ctx, "enms_instances: "+doing, map[string]any{"type": typ, "done": done.Load(), "of": total})
		}
	}
}

// outcome is the result of a read or an apply for one entry. Its entry is nil if it is not in the
// next state.
type outcome struct {
	key     string // its key in the next state; empty if it is the key in the configuration
	entry   entry
	record  record
	adopted bool // its creation adopted an existing instance
	diags   diag.Diagnostics
}

// outcomes collects the outcomes of all entries, which arrive in any order.
type outcomes struct {
	mu sync.Mutex
	of map[string]outcome // by the keys in the configuration, or else in the state
}

func (o *outcomes) set(i *item, result outcome) { o.setNamed(i.name, result) }

func (o *outcomes) setNamed(name string, result outcome) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.of == nil {
		o.of = map[string]outcome{}
	}
	o.of[name] = result
}

// all returns the entries and records of the next state, and the diagnostics, in the order of
// the names. If two entries claim one key, the configured one keeps it.
func (o *outcomes) all() (entries map[string]entry, records map[string]record, diags diag.Diagnostics) {
	entries, records = map[string]entry{}, map[string]record{}
	var moved []string
	for _, name := range sorted(o.of) {
		result := o.of[name]
		diags.Append(ofEntry(name, result.diags)...)
		switch {
		case result.entry == nil:
		case result.key != "" && result.key != name:
			moved = append(moved, name)
		default:
			entries[name], records[name] = result.entry, result.record
		}
	}
	for _, name := range moved {
		result, key := o.of[name], o.of[name].key
		if _, taken := entries[key]; taken {
			result.entry = maps.Clone(result.entry)
			result.entry[kind.RowName] = tftypes.NewValue(tftypes.String, key)
			key = name
		}
		entries[key], records[key] = result.entry, result.record
	}
	return entries, records, diags
}

// withoutAdopted removes adopted instances from the next state. If a part of a creation failed,
// Terraform will destroy the instances in the state, and these existed before. The next apply
// adopts them again.
func (o *outcomes) withoutAdopted(release func(name, id string)) {
	for name, result := range o.of {
		if result.adopted {
			release(name, result.record.ID)
			result.entry = nil
			o.of[name] = result
		}
	}
}

func (o *outcomes) failed() bool {
	for _, result := range o.of {
		if result.diags.HasError() {
			return true
		}
	}
	return false
}

// renamed returns the renames that have been applied, before or now: the new key is in the next
// state, and the instance has not kept its old key.
func (o *outcomes) renamed(renames, before map[string]string, entries map[string]entry, items []*item) map[string]string {
	done := maps.Clone(renames)
	maps.DeleteFunc(done, func(old, to string) bool {
		_, has := entries[to]
		return before[old] != to && !has
	})
	for _, i := range items {
		if result := o.of[i.name]; i.prior != nil && result.key != "" && result.key == i.prior.name {
			delete(done, i.prior.name)
		}
	}
	return done
}
