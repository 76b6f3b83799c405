// Command quickstart shows the provider at work: it starts a simulated eNMS and
// has the real Terraform (or OpenTofu) apply, check, repair, rename and destroy
// what examples/quickstart describes. Every step is announced with what it
// proves; a step that does not is an error. It runs in a temporary directory
// and leaves nothing behind, but for the picture of its run that -picture asks
// for.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/terminal"
	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// longest is when something must be wrong, building included.
const longest = 10 * time.Minute

func main() {
	root := flag.String("root", "..", "the provider's source tree")
	file := flag.String("picture", "", "the file to draw the run into, as an SVG")
	flag.Parse()
	interrupted, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(interrupted, longest)
	var transcript bytes.Buffer
	err := play(ctx, *root, io.MultiWriter(os.Stdout, &transcript))
	if err == nil && *file != "" {
		err = draw(*file, transcript.String())
	}
	cancel()
	wasInterrupted := interrupted.Err() != nil
	stop()
	switch {
	case wasInterrupted:
		fmt.Fprintln(os.Stderr, "\nquickstart: interrupted; all that was started is stopped and removed")
		os.Exit(130)
	case err != nil:
		fmt.Fprintln(os.Stderr, "\nquickstart:", err)
		os.Exit(1)
	}
}

// draw writes the picture of a run.
func draw(file, transcript string) error {
	svg, err := terminal.Picture("make quickstart, in a terminal", drawn(transcript), classes)
	if err != nil {
		return fmt.Errorf("drawing %s: %w", file, err)
	}
	return os.WriteFile(file, []byte(svg), 0o644)
}

// play builds what is needed and plays the story.
func play(ctx context.Context, root string, out io.Writer) (err error) {
	s := &story{out: out}
	start := time.Now()
	var program string
	err = s.step("build the provider and the simulator", func() (_ string, err error) {
		if s.shop, err = workshop.New(ctx, root); err != nil {
			return "", err
		}
		program, err = s.shop.BuildSimulator(ctx)
		return "in " + s.shop.Dir, err
	})
	if s.shop != nil {
		defer func() { err = errors.Join(err, s.shop.Close()) }()
	}
	if err != nil {
		return err
	}
	err = s.step("start the simulator on a free port", func() (_ string, err error) {
		started, err := workshop.StartSimulator(ctx, program)
		if err != nil {
			return "", err
		}
		s.sim = &simulator{started}
		return s.sim.URL + ", user admin, password admin", nil
	})
	if s.sim != nil {
		defer func() { err = errors.Join(err, s.sim.Stop()) }()
	}
	if err != nil {
		return err
	}
	s.dir = filepath.Join(s.shop.Dir, "quickstart")
	if err := os.CopyFS(s.dir, os.DirFS(filepath.Join(s.shop.Root, "examples", "quickstart"))); err != nil {
		return err
	}
	if err := s.play(ctx); err != nil {
		return err
	}
	fmt.Fprintf(out, "All of it held, in %s. The configuration is in examples/quickstart.\n", seconds(time.Since(start)))
	return nil
}
