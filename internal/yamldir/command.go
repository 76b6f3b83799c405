// This file is the command json-schema.

package yamldir

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

const usage = `Usage: terraform-provider-enms json-schema [options] FOLDER

Prints the JSON Schema (draft 2020-12) of the files in a folder of the module yaml, for
editors and CI: devices, links, pools, credentials, services, workflows or tasks.

Options:
  -defaults          that of _defaults.yaml in the folder, and in folders below it
  -property NAME,... custom properties of your eNMS; any value is allowed
  -type NAME,...     types that your eNMS has in addition; any property is allowed

Example:
  terraform-provider-enms json-schema -property site,rack devices > schemas/devices.json
`

// Main runs the command and returns its exit status. The schema and help are written to output, errors to messages.
func Main(args []string, kinds []*kind.Kind, output, messages io.Writer) int {
	f, o, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(output, usage)
		return 0
	case err != nil:
		fmt.Fprintf(messages, "Error: %s\nterraform-provider-enms json-schema -h explains the command.\n", err)
		return 1
	}
	encoder := json.NewEncoder(output)
	encoder.SetIndent("", " ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(Schema(kinds, f, o)); err != nil {
		fmt.Fprintf(messages, "Error: %s\n", err)
		return 1
	}
	return 0
}

// parse reads the arguments of the command.
func parse(args []string) (f Folder, o Options, err error) {
	flags := flag.NewFlagSet("json-schema", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	list := func(to *[]string) func(string) error {
		return func(s string) error {
			for name := range strings.SplitSeq(s, ",") {
				*to = append(*to, strings.TrimSpace(name))
			}
			return nil
		}
	}
	flags.BoolVar(&o.Defaults, "defaults", false, "")
	flags.Func("property", "", list(&o.Properties))
	flags.Func("type", "", list(&o.Types))
	if err := flags.Parse(args); err != nil {
		return f, o, err
	}
	var known []string
	for _, folder := range Folders {
		known = append(known, folder.Name)
	}
	if flags.NArg() != 1 {
		return f, o, fmt.Errorf("one folder is wanted, and options come before it: %s", strings.Join(known, ", "))
	}
	f, is := FolderNamed(flags.Arg(0))
	if !is {
		return f, o, fmt.Errorf("there is no folder %q: it is one of %s", flags.Arg(0), strings.Join(known, ", "))
	}
	return f, o, nil
}
