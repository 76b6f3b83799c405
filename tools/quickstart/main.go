// Command quickstart shows the provider at work: it starts a simulated eNMS and
// has the real Terraform (or OpenTofu) apply, check, repair, rename and destroy
// what examples/quickstart describes. It prints every step and what the step
// proved, and fails at the first step that does not prove it. It runs in a
// temporary directory and removes it; -picture writes a picture of the run.
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
	"syscall"
	"time"
)

// timeout is for everything, building included.
const timeout = 10 * time.Minute

func main() {
	root := flag.String("root", "..", "the provider's source tree")
	file := flag.String("picture", "", "the file to draw the run into, as an SVG")
	flag.Parse()
	interrupted, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(interrupted, timeout)
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
	svg, err := picture("make quickstart, in a terminal", pictureLines(transcript))
	if err != nil {
		return fmt.Errorf("drawing %s: %w", file, err)
	}
	return os.WriteFile(file, []byte(svg), 0o644)
}

// play builds the programs, starts the simulator and takes all steps.
func play(ctx context.Context, root string, out io.Writer) (err error) {
	r := &run{root: root, out: out}
	defer func() { err = errors.Join(err, r.close()) }()
	start := time.Now()
	for _, step := range r.steps() {
		if err := r.take(ctx, step); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "All of it held, in %s. The configuration is in examples/quickstart.\n", seconds(time.Since(start)))
	return nil
}
