// Command terraform prints the path of Terraform, or else of OpenTofu. Where neither is
// on the PATH, it fetches Terraform into the user's cache first.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	path, err := workshop.Find(ctx, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "terraform:", err)
		os.Exit(1)
	}
	fmt.Println(path)
}
