// This file writes devices and links as YAML files, which the module yaml of the examples reads (package yamldir).

package export

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/entries"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/yamldir"
)

// The call of the module, and the directory that it reads.
const (
	yamlModule    = "module.enms"
	yamlSource    = "github.com/terraform-provider-enms/terraform-provider-enms//examples/modules/yaml"
	yamlDirectory = "enms"
	yamlFile      = "inventory.tf"
)

// inYAML reports whether the object is a file of the directory.
func (o *object) inYAML() bool { return o.table == yamlModule }

// chooseYAML makes devices and links files of the directory, but for those with secrets, which become variables of
// blocks, and those that refer to these: the module must not depend on a block that may depend on it.
func chooseYAML(objects []*object, exported index) {
	var chosen []*object
	for _, o := range objects {
		if slices.Contains(inventoryKinds, o.kind.Name) && len(o.usedSecrets())+len(o.returnedSecrets) == 0 {
			o.table = yamlModule
			chosen = append(chosen, o)
		}
	}
	for again := true; again; {
		again = false
		for _, o := range chosen {
			if o.inYAML() && o.refersToBlock(exported) {
				o.table, again = "", true
			}
		}
	}
}

// refersToBlock reports whether the object refers to a device or link that is a block.
func (o *object) refersToBlock(exported index) (does bool) {
	o.attributes(func(_, typ, name string) any {
		to := exported.target(typ, name)
		does = does || to != nil && slices.Contains(inventoryKinds, to.kind.Name) && to.table == ""
		return name
	})
	return does
}

// yamlInventory is what an export writes of the directory.
type yamlInventory struct {
	files   map[string][]byte
	call    []attribute // the attributes of the call of the module
	imports []yamlImport
}

// yamlImport is an import block: an address in the module, and the id.
type yamlImport struct {
	address string
	id      source
}

// yamlOf returns the directory with the objects that chooseYAML has chosen.
func yamlOf(objects []*object, refs *references) yamlInventory {
	y, depends := yamlInventory{files: map[string][]byte{}}, map[string]bool{}
	for _, f := range yamldir.Folders {
		var inFolder []*object
		var namings []naming
		byType := map[string][]any{}
		for _, o := range objects {
			if o.inYAML() && o.kind.Name == f.Kind {
				inFolder, namings = append(inFolder, o), append(namings, naming{name: o.name, short: o.name})
				byType[o.typ] = append(byType[o.typ], o.name)
			}
		}
		for i, label := range labels(namings) {
			o := inFolder[i]
			y.files[yamlDirectory+"/"+f.Name+"/"+label+".yaml"] = o.yaml(refs.in(o, depends))
		}
		for _, typ := range slices.Sorted(maps.Keys(byType)) {
			y.addImports(f.Resource(typ), typ, byType[typ])
		}
	}
	y.call = withDepends([]attribute{{"source", yamlSource}, {"directory", source(`"${path.module}/` + yamlDirectory + `"`)}, {"update_pools", false}}, depends)
	return y
}

// addImports adds the import blocks of objects of a type, which are in a resource of the module.
func (y *yamlInventory) addImports(in yamldir.Resource, typ string, names []any) {
	add := func(address string, names []any) {
		id := source("jsonencode({ type = " + exportmerge.Quote(typ) + ", names = " + expression(names, step) + " })")
		y.imports = append(y.imports, yamlImport{yamlModule + "." + entries.TypeName + "." + address, id})
	}
	if !in.Each {
		add(in.Address, names)
		return
	}
	for _, name := range names {
		add(in.Address+"["+exportmerge.Quote(name.(string))+"]", []any{name})
	}
}

// yaml returns the content of the object's file: its name, its type if that is not the usual one, and its attributes and
// properties.
func (o *object) yaml(names namer) []byte {
	var b strings.Builder
	write := func(key string, x any) { fmt.Fprintf(&b, "%s: %s\n", yamlText(key), yamlValue(x)) }
	write(kind.RowName, o.name)
	if o.typ != o.kind.Name {
		write(o.kind.SubtypeRow(), o.typ)
	}
	for _, a := range o.attributes(names) {
		fields, is := a.value.(map[string]any)
		switch {
		case a.name == kind.RowName || a.name == o.kind.SubtypeRow():
		case is && a.name == kind.RowProperties:
			for _, field := range slices.Sorted(maps.Keys(fields)) {
				write(field, fields[field])
			}
		default:
			write(a.name, a.value)
		}
	}
	return []byte(b.String())
}

// yamlValue returns a value of a key at the beginning of a line. Strings of several lines are blocks, if that keeps them.
func yamlValue(x any) string {
	s, is := x.(string)
	if !is || !yamlBlock.MatchString(s) {
		return yamlFlow(x)
	}
	header := "|"
	if !strings.HasSuffix(s, "\n") {
		header = "|-"
	}
	var b strings.Builder
	b.WriteString(header)
	for line := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		b.WriteString("\n")
		if line != "" {
			b.WriteString("  " + line)
		}
	}
	return b.String()
}

// yamlBlock matches strings of several lines that a block keeps: without blanks at the beginning and at the end, and with
// characters that need no escape. Their last line may have an end.
var yamlBlock = regexp.MustCompile(`^[[:graph:]](?:[[:print:]]|\pL|\n)*\n(?:[[:print:]]|\pL|\n)*[[:graph:]]\n?$`)

// yamlFlow returns a value on one line.
func yamlFlow(x any) string {
	switch x := x.(type) {
	case nil:
		return "null"
	case string:
		return yamlText(x)
	case json.Number:
		return x.String()
	case []any:
		all := make([]string, len(x))
		for i, member := range x {
			all[i] = yamlFlow(member)
		}
		return "[" + strings.Join(all, ", ") + "]"
	case map[string]any:
		var all []string
		for _, key := range slices.Sorted(maps.Keys(x)) {
			all = append(all, yamlText(key)+": "+yamlFlow(x[key]))
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	return fmt.Sprint(x)
}

// yamlPlain matches strings that YAML reads as they are without quotes, but for yamlWords.
var yamlPlain = regexp.MustCompile(`^[A-Za-z](?:[A-Za-z0-9_./ -]*[A-Za-z0-9_.])?$`)

// yamlWords are strings that some version of YAML reads as another value.
var yamlWords = []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}

// yamlText returns a string, in quotes if YAML needs them.
func yamlText(s string) string {
	if yamlPlain.MatchString(s) && !slices.Contains(yamlWords, strings.ToLower(s)) {
		return s
	}
	return strconv.Quote(s) // YAML knows the escapes of Go
}
