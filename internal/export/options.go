// This file declares the options of an export, and the names of its fixed files.

package export

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
)

// options are the options of the command, and with what it works.
type options struct {
	selection     selection
	inventory     string
	directory     string
	gone          string   // what to do with code whose object is no longer on the server
	check         bool     // write nothing
	identifyBy    string   // what objects are recognized by; "" for the recorded one, or else their ids
	anotherServer bool     // the address may be another one than at the last export
	recorded      []string // the arguments of the command that the record stores, such as -inventory=csv

	root    *os.Root // the directory; nil if there is none yet
	version string   // of the provider
	server  string   // the address of the server that is exported
}

// The files whose names do not depend on a kind.
const (
	fileVersions  = "versions.tf"
	fileVariables = "variables.tf"
	fileImports   = "imports.tf"
	fileAccess    = "access.tf"
	fileShared    = "services_shared.tf"
	fileMain      = "main.tf"
	fileOutputs   = "outputs.tf"
	fileReport    = "report.json"
	fileReadme    = "README.md"
	fileGit       = ".gitattributes"
)

const usage = `Usage: terraform-provider-enms export [options] DIR

Writes what eNMS holds as Terraform configuration into DIR: resources that refer to
each other, long strings as files below code/, and imports.tf, with which the first plan
imports every object and changes none. Without imports.tf, an apply builds another
server. report.json and README.md say what was exported, what was left out and why,
and which secrets are missing.

If DIR holds configuration already, only what has changed on the server since the last
export is changed in it: values, new objects, objects that are gone, names. All else
stays: comments, order, formatting, and what cannot be evaluated without a plan, which
report.json lists. Each change is printed. .enms-export.json is compared with the server;
it also has the options of the first export, which are used again if none are given.
Others select what is added.

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
  -inventory blocks|csv|yaml
                         devices and links as a block each, or as CSV files that
                         enms_instances reads; or these, pools, credentials,
                         services, workflows and tasks as YAML files that the
                         module yaml reads, only into a new directory. Default:
                         blocks, and csv from 200 devices and links on
  -modules               a module for each workflow, with variables for what differs
                         between servers, and one for shared services; with
                         -workflow, also the tasks that run the workflows
  -gone removed|delete|keep
                         what to do with the block of an object that eNMS no longer
                         has: replace it by a removed block, with which Terraform
                         forgets it and deletes nothing (the default; Terraform 1.7
                         or newer); delete it; or keep it
  -identify-by id|name   what an object of the last export is now: what has its id,
                         also under another name (the default), or what has its name,
                         as for a new version of a workflow, or once after a restore
  -another-server        DIR was exported from a server with another address: it has
                         moved, or this one is a copy of it
  -check                 write nothing; exit with 2 if DIR would change

Exit status: 0, or 1 after an error; with -check, 2 if DIR would change.

Examples:
  terraform-provider-enms export network
  terraform-provider-enms export -workflow "Site check" -follow credential,pool site-check
  terraform-provider-enms export -check network
  terraform-provider-enms export -modules -workflow "Site check" site-check
`

// commas returns a parser that appends the parts of a text, which commas separate, to a list.
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

// oneOf returns a parser that sets a string to one of these values, and refuses all others.
func oneOf(to *string, values ...string) func(string) error {
	return func(s string) error {
		*to = s
		if slices.Contains(values, s) {
			return nil
		}
		last := len(values) - 1
		return fmt.Errorf("it is %s or %s", strings.Join(values[:last], ", "), values[last])
	}
}

// parse reads the arguments of the command. If they ask for help, it writes usage to output and returns flag.ErrHelp.
func parse(args []string, output io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("export", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	recorded := func(name string, read func(string) error) {
		flags.Func(name, "", func(s string) error {
			o.recorded = append(o.recorded, "-"+name+"="+s)
			return read(s)
		})
	}
	recorded("type", commas(&o.selection.types))
	recorded("follow", commas(&o.selection.follow))
	recorded("workflow", func(name string) error { o.selection.workflows = append(o.selection.workflows, name); return nil })
	recorded("match", func(expression string) (err error) { o.selection.match, err = regexp.Compile(expression); return err })
	recorded("inventory", oneOf(&o.inventory, inventoryBlocks, inventoryCSV, inventoryYAML))
	flags.BoolFunc("modules", "", func(string) error {
		o.selection.modules, o.recorded = true, append(o.recorded, "-modules")
		return nil
	})
	flags.Func("gone", "", oneOf(&o.gone, goneRemoved, goneDelete, goneKeep))
	flags.Func("identify-by", "", oneOf(&o.identifyBy, identifyByID, identifyByName))
	flags.BoolVar(&o.check, "check", false, "")
	flags.BoolVar(&o.anotherServer, "another-server", false, "")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(output, usage)
		}
		return o, err
	}
	switch flags.NArg() {
	case 1:
		o.directory = flags.Arg(0)
		return o, nil
	case 0:
		return o, errors.New("the directory is missing")
	}
	return o, fmt.Errorf("one directory is wanted, and options come before it: %q", flags.Args())
}

// The values of -identify-by.
const (
	identifyByID   = "id"
	identifyByName = "name"
)

// What to do with code whose object is no longer on the server: the values of -gone.
const (
	goneRemoved = "removed"
	goneDelete  = "delete"
	goneKeep    = "keep"
)
