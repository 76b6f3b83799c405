// Command docs makes docs/ from the provider's schema, templates/ and examples/.
// It formats the examples, fails when something is not documented or has no
// example, and when an example does not fit the schema. It needs Terraform or
// OpenTofu on the PATH and no network.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

func main() {
	root := flag.String("root", "..", "the provider's source tree")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := generate(ctx, *root)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

func generate(ctx context.Context, root string) (err error) {
	w, err := workshop.New(ctx, root)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := renderMocks(ctx, w); err != nil {
		return err
	}
	if err := format(ctx, w); err != nil {
		return err
	}
	schema, err := readSchema(ctx, w)
	if err != nil {
		return err
	}
	if err := errors.Join(schema.check(w.Root)...); err != nil {
		return err
	}
	if err := validateExamples(ctx, w); err != nil {
		return err
	}
	if err := render(ctx, w, schema); err != nil {
		return err
	}
	if err := divide(ctx, w); err != nil {
		return err
	}
	if err := renderServiceTypes(ctx, w); err != nil {
		return err
	}
	if err := drawDiagrams(w); err != nil {
		return err
	}
	return navigate(w)
}

func format(ctx context.Context, w *workshop.Workshop) error {
	result, err := w.Run(ctx, w.Root, nil, "fmt", "-recursive", "examples")
	if err == nil && result.Code != 0 {
		err = fmt.Errorf("%s fmt: %s", w.Name(), result.Output())
	}
	return err
}

// renderServiceTypes has the provider's own tables written as a page, which are no
// part of the schema.
func renderServiceTypes(ctx context.Context, w *workshop.Workshop) error {
	page, err := own(ctx, w, "service-types")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(w.Root, "docs", "guides", "service-types.md"), page, 0o644)
}

// renderMocks has the provider's own tables written as mock data for terraform test.
func renderMocks(ctx context.Context, w *workshop.Workshop) error {
	mocks, err := own(ctx, w, "mocks")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(w.Root, "examples", "mocks", "enms.tfmock.hcl"), mocks, 0o644)
}

// render has tfplugindocs write the pages. It is given the schema, because it
// would fetch a Terraform of its own otherwise.
func render(ctx context.Context, w *workshop.Workshop, s *providerSchema) error {
	file := filepath.Join(w.Dir, "schema.json")
	if err := os.WriteFile(file, s.file, 0o600); err != nil {
		return err
	}
	cmd := workshop.Command(ctx, "go", "tool", "tfplugindocs", "generate",
		"--provider-dir", w.Root, "--provider-name", "terraform-provider-"+provider, "--rendered-provider-name", "eNMS",
		"--providers-schema", file)
	cmd.Dir = filepath.Join(w.Root, "tools")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("tfplugindocs: %w\n%s", err, out)
	}
	return nil
}
