// This file reads the provider's schema from Terraform and tells what in it is
// not documented.

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// provider is the provider's name in configurations.
const provider = "enms"

// notImported are the resources without an import: the schema does not tell.
var notImported = []string{provider + "_pools_update", provider + "_service_run"}

// configuration makes Terraform load the provider and nothing else.
const configuration = `terraform {
  required_providers {
    enms = {
      source = "terraform-provider-enms/enms"
    }
  }
}
`

// providerSchema is the part of Terraform's schema that has to be documented.
type providerSchema struct {
	Provider    object              `json:"provider"`
	Resources   map[string]object   `json:"resource_schemas"`
	DataSources map[string]object   `json:"data_source_schemas"`
	Ephemeral   map[string]object   `json:"ephemeral_resource_schemas"`
	Functions   map[string]callable `json:"functions"`
	Actions     map[string]object   `json:"action_schemas"`
	Lists       map[string]object   `json:"list_resource_schemas"`
	Identities  map[string]struct{} `json:"resource_identity_schemas"`

	// file is the schema as tfplugindocs wants it: under the provider's bare
	// name, whichever registry Terraform thinks of.
	file []byte
}

type object struct {
	Block block `json:"block"`
}

// callable is a function of the provider.
type callable struct {
	Summary     string     `json:"summary"`
	Description string     `json:"description"`
	Parameters  []argument `json:"parameters"`
	Variadic    *argument  `json:"variadic_parameter"`
}

type argument struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

type block struct {
	Description string               `json:"description"`
	Attributes  map[string]attribute `json:"attributes"`
	Blocks      map[string]object    `json:"block_types"`
}

type attribute struct {
	Description string `json:"description"`
	Nested      *block `json:"nested_type"`
}

// readSchema asks Terraform for the schema of the provider as it is built, and the
// provider itself for what only newer versions of Terraform tell of: the pages are the
// same whichever makes them.
func readSchema(ctx context.Context, w *workshop.Workshop) (*providerSchema, error) {
	dir := filepath.Join(w.Dir, "schema")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(configuration), 0o600); err != nil {
		return nil, err
	}
	result, err := w.Run(ctx, dir, nil, "providers", "schema", "-json")
	if err != nil {
		return nil, err
	}
	if result.Code != 0 {
		return nil, fmt.Errorf("%s providers schema: %s", w.Name(), result.Output())
	}
	newer, err := own(ctx, w, "schema")
	if err != nil {
		return nil, err
	}
	return parseSchema([]byte(result.Stdout), newer)
}

// own returns a part of the documentation that the provider's own command writes.
func own(ctx context.Context, w *workshop.Workshop, part string) ([]byte, error) {
	cmd := workshop.Command(ctx, "go", "run", "./internal/provider/cmd/docs", part)
	cmd.Dir, cmd.Stderr = w.Root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("internal/provider/cmd/docs %s: %w", part, err)
	}
	return out, nil
}

// parseSchema reads the schemas that Terraform told of; newer are further parts of the
// provider's.
func parseSchema(document, newer []byte) (*providerSchema, error) {
	var all struct {
		Version string                                `json:"format_version"`
		Schemas map[string]map[string]json.RawMessage `json:"provider_schemas"`
	}
	if err := json.Unmarshal(document, &all); err != nil {
		return nil, fmt.Errorf("reading the schema: %w", err)
	}
	for address, parts := range all.Schemas {
		if path.Base(address) != provider {
			continue
		}
		if err := json.Unmarshal(newer, &parts); err != nil {
			return nil, fmt.Errorf("reading the newer schemas: %w", err)
		}
		raw, err := json.Marshal(parts)
		if err != nil {
			return nil, err
		}
		file, err := json.Marshal(map[string]any{"format_version": all.Version, "provider_schemas": map[string]any{provider: json.RawMessage(raw)}})
		if err != nil {
			return nil, err
		}
		s := &providerSchema{file: file}
		return s, json.Unmarshal(raw, s)
	}
	return nil, fmt.Errorf("the schema holds no provider %s", provider)
}

// check lists what is not documented and which examples are missing, in a fixed
// order.
func (s *providerSchema) check(root string) []error {
	problems := s.Provider.Block.undocumented("the provider block")
	examples := []string{"provider/provider.tf"}
	for _, name := range slices.Sorted(maps.Keys(s.Resources)) {
		problems = append(problems, s.Resources[name].Block.undocumented("resource "+name)...)
		files := []string{"resource.tf", "import.sh", byID}
		if slices.Contains(notImported, name) {
			files = files[:1]
		}
		if _, has := s.Identities[name]; has {
			files = append(files, byIdentity)
		}
		for _, file := range files {
			examples = append(examples, "resources/"+name+"/"+file)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.DataSources)) {
		problems = append(problems, s.DataSources[name].Block.undocumented("data source "+name)...)
		examples = append(examples, "data-sources/"+name+"/data-source.tf")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Ephemeral)) {
		problems = append(problems, s.Ephemeral[name].Block.undocumented("ephemeral resource "+name)...)
		examples = append(examples, "ephemeral-resources/"+name+"/ephemeral-resource.tf")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Functions)) {
		problems = append(problems, s.Functions[name].undocumented("function "+name)...)
		examples = append(examples, "functions/"+name+"/function.tf")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Actions)) {
		problems = append(problems, s.Actions[name].Block.undocumented("action "+name)...)
		examples = append(examples, "actions/"+name+"/action.tf")
	}
	for _, name := range slices.Sorted(maps.Keys(s.Lists)) {
		problems = append(problems, s.Lists[name].Block.undocumented("list resource "+name)...)
		examples = append(examples, "list-resources/"+name+"/list-resource.tfquery.hcl")
	}
	return append(problems, missing(root, examples)...)
}

// missing tells which of the examples are not there.
func missing(root string, examples []string) []error {
	var problems []error
	for _, example := range examples {
		content, err := os.ReadFile(filepath.Join(root, "examples", filepath.FromSlash(example)))
		if err != nil || strings.TrimSpace(string(content)) == "" {
			problems = append(problems, fmt.Errorf("the example examples/%s is missing or empty", example))
		}
	}
	return problems
}

// undocumented lists what in a block has no description; where says what the
// block is.
func (b block) undocumented(where string) []error {
	var problems []error
	if b.Description == "" {
		problems = append(problems, fmt.Errorf("%s has no description", where))
	}
	for _, name := range slices.Sorted(maps.Keys(b.Attributes)) {
		a := b.Attributes[name]
		inner := block{Description: a.Description}
		if a.Nested != nil {
			inner.Attributes = a.Nested.Attributes
		}
		problems = append(problems, inner.undocumented(where+", "+name)...)
	}
	for _, name := range slices.Sorted(maps.Keys(b.Blocks)) {
		problems = append(problems, b.Blocks[name].Block.undocumented(where+", "+name)...)
	}
	return problems
}

// undocumented lists what of a function has no description; where says which
// function it is.
func (c callable) undocumented(where string) []error {
	var problems []error
	if c.Summary == "" || c.Description == "" {
		problems = append(problems, fmt.Errorf("%s has no summary or no description", where))
	}
	arguments := c.Parameters
	if c.Variadic != nil {
		arguments = append(arguments, *c.Variadic)
	}
	for _, a := range arguments {
		if a.Description == "" {
			problems = append(problems, fmt.Errorf("%s, %s has no description", where, a.Name))
		}
	}
	return problems
}
