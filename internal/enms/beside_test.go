// Tests of requests that are under way at the same time.

package enms

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// latency is what a request takes in these tests.
const latency = 60 * time.Millisecond

// serverOf starts a server in memory, whose requests take latency by the clock of package synctest.
func serverOf(t *testing.T, opts simulator.Options, change ...func(*rest.Config)) (*server, *Client) {
	t.Helper()
	opts.Latency = latency
	s, dial := testserver.NewInMemory(t, opts)
	f := &server{s}
	return f, f.client(t, append(change, dial)...)
}

// createAndRead creates devices as Terraform does, ten at a time, and reads each back.
func createAndRead(t *testing.T, c *Client, devices int) {
	t.Helper()
	turns := make(chan bool, 10)
	var all sync.WaitGroup
	for i := range devices {
		all.Go(func() {
			turns <- true
			defer func() { <-turns }()
			time.Sleep(time.Duration(i%10/5) * latency / 3) // Terraform does not start all of them together
			name := testserver.Device(i)
			if err := create(t.Context(), c, "device", Object{"name": name, "port": i}); err != nil {
				t.Error(err)
				return
			}
			row, err := c.Find(t.Context(), "device", name, []string{"port"})
			if err != nil || row["name"] != name {
				t.Errorf("%s: %v, %v", name, row["name"], err)
			}
		})
	}
	all.Wait()
}

// Callers that write and callers that read back become one group, whether the server answers one
// request at a time or many.
func TestWritesAndReadsShareRequests(t *testing.T) {
	t.Parallel()
	for _, serial := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			f, c := serverOf(t, simulator.Options{Serial: serial})
			createAndRead(t, c, 100)
			if posts, searches := f.Count("POST /rest/instance/device"), f.Count("POST /rest/search"); posts > 12 || searches > 12 {
				t.Errorf("serial %t: %d lists, %d searches", serial, posts, searches)
			}
		})
	}
}

// What was read beside a write is not known after it.
func TestReadBesideWriteIsForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, c := serverOf(t, simulator.Options{})
		createAndRead(t, c, 50)
		name := testserver.Device(7)
		for round, port := range []int{1000, 2000, 3000} {
			var all sync.WaitGroup
			all.Go(func() {
				if err := c.Upsert(t.Context(), Type{Name: "device", Namespace: "node"}, Object{"name": name, "port": port}); err != nil {
					t.Error(err)
				}
			})
			for i := range 20 { // enough for pages
				all.Go(func() {
					time.Sleep(time.Duration(i) * latency / 20)
					if _, err := c.Find(t.Context(), "device", testserver.Device(i), []string{"port"}); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			row, err := c.Find(t.Context(), "device", name, []string{"port"})
			if err != nil || fmt.Sprint(row["port"]) != fmt.Sprint(port) {
				t.Errorf("round %d: port %v after %d was written: %v", round, row["port"], port, err)
			}
		}
	})
}

// However many want to delete, so many deletions are sent at a time, and whoever leaves while
// waiting for them deletes nothing.
func TestDelete_atATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, c := serverOf(t, simulator.Options{})
		const devices = 60
		f.addDevices(t, devices)
		var all sync.WaitGroup
		for i := range devices - 1 {
			all.Go(func() {
				if _, err := c.Delete(t.Context(), "device", testserver.Device(i)); err != nil {
					t.Error(err)
				}
			})
		}
		time.Sleep(latency / 2)
		ctx, cancel := context.WithTimeout(t.Context(), latency)
		defer cancel()
		if _, err := c.Delete(ctx, "device", testserver.Device(devices-1)); !Unacted(err) {
			t.Error(err)
		}
		all.Wait()
		if got := f.Most(); got != MostDeletions {
			t.Errorf("%d deletions at a time, want %d", got, MostDeletions)
		}
		if left := f.Names(t, "device"); len(left) != 4 { // it and three gateways
			t.Errorf("%q are left", left)
		}
	})
}

// The setting bounds the requests of all kinds together.
func TestLimitOfRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, c := serverOf(t, simulator.Options{}, func(cfg *rest.Config) { cfg.MaxConcurrentRequests = 2 })
		createAndRead(t, c, 30)
		for i, err := range testserver.Together(30, func(i int) error {
			_, err := c.Delete(t.Context(), "device", testserver.Device(i))
			return err
		}) {
			if err != nil {
				t.Errorf("%d: %v", i, err)
			}
		}
		if got := f.Most(); got != 2 {
			t.Errorf("%d requests at a time, want 2", got)
		}
	})
}
