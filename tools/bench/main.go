// Command bench measures what the provider costs: requests and time of the real
// Terraform (or OpenTofu) against a simulated eNMS that is as slow as a real one,
// beside what a generic provider and Terraform itself cost. It prints Markdown, and fails when a promise is not kept.
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
	only := flag.String("only", "", "measure one promise alone: creations, exported, inventory, limited, memory, peers, planning, relations or speed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	b := &bench{out: os.Stdout, progress: os.Stderr, only: *only}
	err := b.run(ctx, *root, !*verdicts && *only == "")
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run builds what is needed and measures everything.
func (b *bench) run(ctx context.Context, root string, table bool) (err error) {
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
	if table {
		if err := b.table(ctx); err != nil {
			return err
		}
	}
	return b.verdicts(ctx)
}
