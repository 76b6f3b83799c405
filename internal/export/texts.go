// This file moves long strings from the configuration to files of their own, in the directory code/.

package export

import (
	"path"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

// longText is the number of lines from which a string becomes a file.
const longText = 12

// mainText is the field whose file is named like the object. The files of other fields have the name of the
// field behind a dot, which no label has: "check.preprocessing.py" is no file of another object.
const mainText = "source_code"

// textFiles moves the long strings in the attributes of an object to files, which it returns. The names of the files
// begin with base, a path that ends in the label of the object.
func textFiles(o *object, attributes []attribute, base string) map[string][]byte {
	files := map[string][]byte{}
	docs := map[string]string{}
	for _, row := range o.propertyRows() {
		docs[row.Name] = row.Doc
	}
	for _, row := range o.kind.Rows() {
		docs[row.Name] = row.Doc
	}
	for _, table := range o.kind.Subtypes {
		if table.Name == o.typ {
			docs[mainText] += table.Doc // the type names the language of its code
		}
	}
	take := func(field string, x any) any {
		s, _ := x.(string)
		if strings.Count(strings.TrimRight(s, "\r\n"), "\n")+1 < longText {
			return x
		}
		name := base
		if field != mainText {
			name += "." + identifier(field)
		}
		name += extension(docs[field])
		files[name] = []byte(s)
		return textFile(name)
	}
	for n, a := range attributes {
		if a.name == kind.RowProperties {
			fields, _ := a.value.(map[string]any)
			for field, x := range fields {
				fields[field] = take(field, x)
			}
			continue
		}
		attributes[n].value = take(a.name, a.value)
	}
	return files
}

// extension returns the extension of the file of a field, for the language that the documentation of the field names.
func extension(doc string) string {
	switch {
	case strings.Contains(doc, "Python"):
		return ".py"
	case strings.Contains(doc, "HTML"):
		return ".html"
	case strings.Contains(doc, "shell"):
		return ".sh"
	}
	return ".txt"
}

// textBases returns for each object the path with which the names of its files begin (base): that of the last export or of
// the code, or a new one that no object has. It is relative to the module of the object.
func (d *decided) textBases(objects []*object) map[*object]string {
	type directory struct {
		module *module
		path   string
	}
	bases := map[*object]string{}
	without := map[directory][]*object{}
	for _, o := range objects {
		if base := d.textsOf(o); base != "" && d.take(o.module.dir()+path.Dir(base), path.Base(base)) {
			bases[o] = base
			continue
		}
		in := directory{o.module, path.Join("code", o.textDirectory(objects))}
		without[in] = append(without[in], o)
	}
	for in, all := range without {
		var namings []naming
		for _, o := range all {
			namings = append(namings, naming{name: o.String(), short: ownName(o.name)})
		}
		for i, label := range labels(namings) {
			bases[all[i]] = path.Join(in.path, d.free(in.module.dir()+in.path, namings[i], label))
		}
	}
	return bases
}

// textsOf returns the base of the object's files at the last export, or in the code if the record does not have the
// object. It returns "" if there were none.
func (d *decided) textsOf(o *object) string {
	if o.match.Before != nil {
		return o.match.Before.Texts
	}
	return d.Texts(o.match.At)
}

// textDirectory returns the directory below code/ for the object's files: that of its workflow, of shared
// services, or of its kind. In a module, it is "" for all but the services of nested workflows.
func (o *object) textDirectory(objects []*object) string {
	if !inWorkflows(o.kind) {
		return o.kind.Plural()
	}
	for _, other := range objects {
		if other.kind == o.kind && other.isWorkflow() && (other == o || other.name == o.container()) {
			if other.module != nil && other.module.workflow == other.name {
				return ""
			}
			return other.label
		}
	}
	if o.module != nil {
		return ""
	}
	if workflow, _ := servicename.Split(o.name); workflow == servicename.Shared {
		return "shared"
	}
	if o.container() != "" {
		return identifier(ownName(o.container()))
	}
	return o.kind.Plural()
}
