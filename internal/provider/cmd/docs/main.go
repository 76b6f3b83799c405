// Command docs writes a part of the documentation that the tables hold, and `terraform providers schema` of a
// supported version does not: service-types (a page), mocks (a file of mock data), or, as JSON objects, schema
// and sections.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

// run writes the part that the only argument names to standard output.
func run(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%d arguments, want schema, sections, service-types or mocks", len(args))
	}
	switch args[0] {
	case "schema":
		document, err := newerSchemas(ctx)
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(document)
	case "sections":
		return json.NewEncoder(os.Stdout).Encode(sections())
	case "service-types":
		page, err := serviceTypes()
		if err != nil {
			return err
		}
		_, err = fmt.Print(page)
		return err
	case "mocks":
		_, err := fmt.Print(mocks())
		return err
	}
	return fmt.Errorf("there is no part %q", args[0])
}
