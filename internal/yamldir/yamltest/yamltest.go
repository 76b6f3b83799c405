// Package yamltest checks YAML by the JSON Schemas of package yamldir, for tests. It reads YAML as Terraform does.
package yamltest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	ctyyaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/yamldir"
)

// Schema is a JSON Schema.
type Schema struct{ compiled *jsonschema.Schema }

// Of returns the schema of the files in a folder.
func Of(t *testing.T, folder string, o yamldir.Options) Schema {
	t.Helper()
	f, is := yamldir.FolderNamed(folder)
	if !is {
		t.Fatalf("there is no folder %q", folder)
	}
	document, err := json.Marshal(yamldir.Schema(kinds.All(), f, o))
	if err != nil {
		t.Fatal(err)
	}
	return Compile(t, document)
}

// Compile returns a schema, checked against the schema of schemas.
func Compile(t *testing.T, document []byte) Schema {
	t.Helper()
	decoded, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", decoded); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return Schema{compiled}
}

// Decode returns what Terraform reads in YAML, as JSON.
func Decode(t *testing.T, document string) any {
	t.Helper()
	v, err := ctyyaml.YAMLDecodeFunc.Call([]cty.Value{cty.StringVal(document)})
	if err != nil {
		t.Fatalf("%v\n%s", err, document)
	}
	text, err := stdlib.JSONEncode(v)
	if err != nil {
		t.Fatal(err)
	}
	x, err := jsonschema.UnmarshalJSON(strings.NewReader(text.AsString()))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Problems returns the innermost errors of a document, each once: the path, a space and the keyword, such as
// "/port type".
func (s Schema) Problems(t *testing.T, document string) []string {
	t.Helper()
	all := innermost(s.compiled.Validate(Decode(t, document)))
	slices.Sort(all)
	return slices.Compact(all)
}

func innermost(err error) (all []string) {
	var e *jsonschema.ValidationError
	if !errors.As(err, &e) {
		return nil
	}
	if len(e.Causes) == 0 {
		keyword := cmp.Or(strings.Join(e.ErrorKind.KeywordPath(), "/"), "not") // the library has no path for not
		return []string{"/" + strings.Join(e.InstanceLocation, "/") + " " + keyword}
	}
	for _, cause := range e.Causes {
		all = append(all, innermost(cause)...)
	}
	return all
}
