// Command bench measures requests and time of the real Terraform (or OpenTofu) with this provider,
// against a simulated eNMS that is as slow as a real one. It compares them with a generic provider and
// with Terraform's own resources. It prints Markdown, and fails if a promise is broken.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

func main() {
	root := flag.String("root", "..", "the provider's source tree")
	verdicts := flag.Bool("verdicts", false, "print the promises only, not the table")
	peers := flag.Bool("peers", false, "compare with generic providers only")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	b := &bench{out: os.Stdout, progress: os.Stderr, onlyPeers: *peers}
	err := b.run(ctx, *root, !*verdicts && !*peers)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run builds the programs and measures. withTable adds the table of instances to the promises.
func (b *bench) run(ctx context.Context, root string, withTable bool) (err error) {
	if b.shop, err = workshop.New(ctx, root); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.shop.Close()) }()
	if b.simulator, err = b.shop.BuildSimulator(ctx); err != nil {
		return err
	}
	machine, err := b.machine(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(b.out, "%s\n\n", machine)
	if withTable {
		if err := b.table(ctx); err != nil {
			return err
		}
	}
	return b.verdicts(ctx)
}
