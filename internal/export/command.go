// This file is the command export: its output and its exit status.

package export

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

// Exit statuses of the command.
const (
	exitOK      = 0
	exitFailed  = 1
	exitChanges = 2 // with -check: the directory would change
)

// Main runs the command and returns its exit status. Help and changes of existing code are written to output,
// everything else to messages. configure returns the provider for the server to export, and warnings about its settings.
// version is the version of the provider.
func Main(ctx context.Context, args []string, version string, output, messages io.Writer,
	configure func() (*resources.Provider, []string, error)) int {
	o, err := parse(args, output)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		fmt.Fprintf(messages, "Error: %s\nterraform-provider-enms export -h explains the command.\n", err)
		return exitFailed
	}
	o.version = version
	start := time.Now()
	var logMu sync.Mutex
	log := func(s string) {
		logMu.Lock()
		defer logMu.Unlock()
		fmt.Fprintln(messages, s)
	}
	r, err := export(ctx, o, log, configure)
	if err != nil {
		fmt.Fprintf(messages, "Error: %s\nNothing was written to %s.\n", err, o.directory)
		return exitFailed
	}
	for _, change := range r.changes {
		fmt.Fprintln(output, change)
	}
	if !o.check {
		fmt.Fprint(messages, r.summary(o.directory, time.Since(start)))
		return exitOK
	}
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		fmt.Fprintf(messages, "%s would change\n", name)
	}
	if len(r.files) > 0 {
		return exitChanges
	}
	fmt.Fprintf(messages, "%s is up to date\n", o.directory)
	return exitOK
}

// export exports into the directory of the options. With -check, it writes nothing.
func export(ctx context.Context, o options, log func(string), configure func() (*resources.Provider, []string, error)) (*result, error) {
	root, err := openDirectory(o.directory)
	if err != nil {
		return nil, err
	}
	o.root = root
	if root != nil {
		defer func() { _ = root.Close() }()
	}
	code, err := holdsCode(root)
	if err != nil {
		return nil, err
	}
	p, warnings, err := configure()
	for _, warning := range warnings {
		log("Warning: " + warning)
	}
	if err != nil {
		return nil, err
	}
	defer p.Client.Close()
	p.Client.OnWait(func(pause time.Duration) {
		log("The server limits requests: waiting for " + max(pause.Round(time.Second), time.Second).String())
	})
	r, err := run(ctx, p, o, code, log)
	switch {
	case ctx.Err() != nil:
		return nil, errors.New("interrupted")
	case err != nil:
		return nil, err
	case o.check || len(r.files) == 0:
		return r, nil
	}
	return r, r.write(o.directory, root)
}

// counted returns a number with a noun.
func counted(n int, noun string) string { return fmt.Sprintf("%d %s", n, plural(n, noun)) }

// plural returns a noun in its form for n things. Without a noun (""), it returns "".
func plural(n int, noun string) string {
	if n == 1 || noun == "" {
		return noun
	}
	return noun + "s"
}

// summary returns the last message of the command.
func (made *result) summary(directory string, took time.Duration) string {
	r, objects := made.report, 0
	for _, n := range r.Objects {
		objects += n
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s of configuration in %s, after %s\n", counted(objects, "object"), counted(r.Lines, "line"), directory, took.Round(time.Second/10))
	if made.hasCode {
		fmt.Fprintf(&b, "%s of the code in %s\n", counted(len(made.changes), "change"), counted(len(made.files), "file"))
	}
	if names := r.Names.References + r.Names.InTables + r.Names.InCircles + r.Names.NotExported; names > 0 {
		fmt.Fprintf(&b, "%d of %d names of objects are references\n", r.Names.References, names)
	}
	for _, c := range []struct {
		n          int
		noun, what string
	}{
		{len(r.LeftOut), "object", " left out"}, {len(r.Omitted), "value", " left out"}, {len(r.Kept), "thing", " that another server must have"},
		{len(r.Expected), "name", " of objects that were not exported"}, {len(r.Circles), "circular reference", " broken"},
		{len(r.Secrets), "secret", " that another server needs"}, {len(r.Check), "", "to be checked"},
		{len(r.Unclear), "object", " of the last export not identified"},
		{len(r.NotUpdated), "", "not compared or not changed"}, {len(r.Ahead), "", "where the code differs from the server, which has not changed"},
	} {
		if c.n > 0 {
			fmt.Fprintf(&b, "%6d %s%s (see %s)\n", c.n, plural(c.n, c.noun), c.what, fileReport)
		}
	}
	return b.String()
}
