// This file is the command.

package export

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
)

const usage = `Usage: terraform-provider-enms export [options] DIR

Writes what eNMS holds as Terraform configuration into DIR: resources that refer to
each other, long texts as files below code/, and imports.tf, with which the first plan
imports every object and changes none. Without imports.tf, an apply builds another
server. report.json and README.md say what was exported, what was left out and why,
and which secrets are missing.

If DIR holds configuration already, only what has changed on the server since the last
export is changed in it: values, new objects, objects that are gone, names. All else
stays: comments, order, formatting, and what cannot be evaluated without a plan, which
report.json lists. Each change is printed. .enms-export.json is compared with the server.

The server and the user come from the environment variables of the provider:
ENMS_BASE_URL, ENMS_USERNAME, ENMS_PASSWORD, ENMS_CA_CERT_FILE and so on.

Options:
  -type TYPE,...         only these: device, link, network, pool, credential, user,
                         group, service, task, workflow_edge
  -match REGEX           only objects whose names match (RE2, anywhere in the name)
  -workflow NAME         only this workflow, by its full name, with its services,
                         edges, layout, nested workflows and shared services; may
                         be repeated, and -type adds objects of other types
  -follow TYPE,...|all   with the options above: also what the selected objects
                         refer to, if it is of these types
  -inventory blocks|csv  devices and links as a block each, or as CSV files that
                         enms_instances reads. Default: blocks, and csv from 200
                         devices and links on
  -modules               a module for each workflow, with variables for what differs
                         between servers, and one for shared services; with
                         -workflow, also the tasks that run the workflows
  -gone removed|delete|keep
                         what to do with the block of an object that eNMS has no
                         more: replace it by a removed block, with which Terraform
                         forgets it and deletes nothing (the default; Terraform 1.7
                         or newer); delete it; or keep it
  -check                 write nothing; exit with 2 if DIR would change

Exit status: 0, or 1 after an error; with -check, 2 if DIR would change.

Examples:
  terraform-provider-enms export network
  terraform-provider-enms export -workflow "Site check" -follow credential,pool site-check
  terraform-provider-enms export -check network
  terraform-provider-enms export -modules -workflow "Site check" site-check
`

// commas reads a list that is separated by commas.
func commas(to *[]string) func(string) error {
	return func(s string) error {
		for part := range strings.SplitSeq(s, ",") {
			if part = strings.TrimSpace(part); part != "" {
				*to = append(*to, part)
			}
		}
		return nil
	}
}

// parse reads the arguments of the command.
func parse(args []string, output io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("export", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Func("type", "", commas(&o.selection.types))
	flags.Func("follow", "", commas(&o.selection.follow))
	flags.Func("workflow", "", func(name string) error { o.selection.workflows = append(o.selection.workflows, name); return nil })
	flags.Func("match", "", func(expression string) (err error) { o.selection.match, err = regexp.Compile(expression); return err })
	flags.BoolVar(&o.modules, "modules", false, "")
	flags.Func("inventory", "", func(s string) error {
		if o.inventory = s; s != inventoryBlocks && s != inventoryCSV {
			return fmt.Errorf("it is %s or %s", inventoryBlocks, inventoryCSV)
		}
		return nil
	})
	flags.Func("gone", "", func(s string) error {
		if o.gone = s; s != goneRemoved && s != goneDelete && s != goneKeep {
			return fmt.Errorf("it is %s, %s or %s", goneRemoved, goneDelete, goneKeep)
		}
		return nil
	})
	flags.BoolVar(&o.check, "check", false, "")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(output, usage)
		}
		return o, err
	}
	o.selection.tasks = o.modules
	switch flags.NArg() {
	case 1:
		o.directory = flags.Arg(0)
		return o, nil
	case 0:
		return o, errors.New("the directory is missing")
	}
	return o, fmt.Errorf("one directory is wanted, and options come before it: %q", flags.Args())
}

// Exit statuses of the command.
const (
	exitOK      = 0
	exitFailed  = 1
	exitChanges = 2 // with -check: the directory would change
)

// Main runs the command and returns its exit status. Help is written to output, everything else
// to messages. configure returns the provider for the server to export. version is the version of
// the provider.
func Main(ctx context.Context, args []string, version string, output, messages io.Writer,
	configure func(context.Context) (*lifecycle.Provider, []string, error)) int {
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
	tell := func(s string) { fmt.Fprintln(messages, s) }
	r, err := export(ctx, o, tell, configure)
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
	fmt.Fprintf(messages, "%s is as the server\n", o.directory)
	return exitOK
}

// export exports into the directory.
func export(ctx context.Context, o options, tell func(string), configure func(context.Context) (*lifecycle.Provider, []string, error)) (*result, error) {
	if restored, err := recoverDirectory(o.directory); err != nil {
		return nil, err
	} else if restored {
		tell("An export into " + o.directory + " was killed: the directory is as it was before.")
	}
	if _, err := holdsCode(o.directory); err != nil {
		return nil, err
	}
	p, warnings, err := configure(ctx)
	for _, warning := range warnings {
		tell("Warning: " + warning)
	}
	if err != nil {
		return nil, err
	}
	defer p.Client.Close()
	r, err := run(ctx, p, o, tell)
	switch {
	case ctx.Err() != nil:
		return nil, errors.New("interrupted")
	case err != nil:
		return nil, err
	case o.check || len(r.files) == 0:
		return r, nil
	case r.code:
		return r, changeFiles(o.directory, r.files)
	}
	return r, writeDirectory(o.directory, r.files)
}

// summary returns the last message of the command.
func (made *result) summary(directory string, took time.Duration) string {
	r, objects := made.report, 0
	for _, n := range r.Objects {
		objects += n
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d objects, %d lines of configuration in %s, after %s\n", objects, r.Lines, directory, took.Round(time.Second/10))
	if made.code {
		fmt.Fprintf(&b, "%d changes of the code in %d files\n", len(made.changes), len(made.files))
	}
	if names := r.Names.References + r.Names.InCircles + r.Names.NotExported; names > 0 {
		fmt.Fprintf(&b, "%d of %d names of objects are references\n", r.Names.References, names)
	}
	for _, c := range []struct {
		n    int
		what string
	}{
		{len(r.LeftOut), "left out"}, {len(r.Kept), "for another server to bring along"}, {len(r.Expected), "named but not exported"},
		{len(r.Circles), "circles broken"}, {len(r.Secrets), "secrets that another server needs"}, {len(r.Check), "to be checked"},
		{len(r.NotUpdated), "not compared or not changed"}, {len(r.Ahead), "where the code differs from the server, which has not changed"},
	} {
		if c.n > 0 {
			fmt.Fprintf(&b, "%6d %s (see %s)\n", c.n, c.what, fileReport)
		}
	}
	return b.String()
}
