// This file finds what people should check before they build another server from an export.

package export

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// secretLike matches parts of a string that look like a secret.
var secretLike = regexp.MustCompile(`(?i)-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(password|passwd|secret|api[_-]?key|token)\b["']?\s*[=:]\s*["'][^"'{}\s]{4,}["']`)

// quotedName matches strings in quotes, which may be names of objects in code.
var quotedName = regexp.MustCompile(`"([^"\n]{3,255})"|'([^'\n]{3,255})'`)

// onServer matches the names of fields with paths on the server.
var onServer = regexp.MustCompile(`(^|_)(file|files|path|folder|directory)(_|$)`)

// examine adds to the report what a person must check before another server is built from o. named describes the other
// objects, by the names that scripts may contain (namedInCode).
func (r *report) examine(o *object, named map[string]string) {
	for _, left := range o.omitted {
		r.add(&r.Omitted, o.place(), left)
	}
	r.examineSubtype(o)
	r.examineFields(o)
	for _, path := range checks.PlainSecrets(o.kind, o.config) {
		r.add(&r.Check, o.place(), fmt.Sprintf("%s is a secret by its name. eNMS returns it, so it is in the configuration.", path))
	}
	r.examineLeftOut(o)
	if value.ToJSON(o.config[readsAll]) == true {
		r.add(&r.Kept, o.place(), fmt.Sprintf("%s is true: eNMS gives the %s the right to read whatever is written on another server, although some objects here do not have it.", readsAll, o.kind.Name))
	}
	for _, row := range o.kind.Rows() {
		r.examineDefault(o, row)
		r.examineValue(o, row.Name, value.ToJSON(o.config[row.Name]), named)
	}
}

// examineSubtype finds a subtype that eNMS itself does not have.
func (r *report) examineSubtype(o *object) {
	if o.kind.HasSubtypes() && !slices.Contains(o.kind.KnownTypes(), o.typ) {
		r.add(&r.Kept, o.place(), fmt.Sprintf("The server must have the type %s.", o.typ))
		if !slices.Contains(r.types, o.typ) {
			r.types = append(r.types, o.typ)
		}
	}
}

// examineDefault finds an attribute that is left out because it has eNMS's default, and that this provider sets to
// another value at a creation.
func (r *report) examineDefault(o *object, row kind.Attribute) {
	now := value.ToJSON(o.state[row.Name])
	isLeftOut := now != nil && o.config[row.Name].IsNull()
	if isLeftOut && row.OnCreate != nil && now == row.Default && now != row.OnCreate {
		r.add(&r.Kept, o.place(), fmt.Sprintf("%s is %q here, eNMS's own default; another server gets %q.", row.Name, now, row.OnCreate))
	}
}

// examineFields finds the properties of an object that the other server must know, or that name
// files on it.
func (r *report) examineFields(o *object) {
	rows := map[string]kind.Attribute{}
	for _, row := range o.propertyRows() {
		rows[row.Name] = row
	}
	fields := value.Members(o.config[kind.RowProperties])
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		row, known := rows[name]
		if !known || row.Sample {
			r.add(&r.Kept, o.kind.TypeName(), fmt.Sprintf("The server must have the property %s of %s.", name, o.kind.Several()))
		}
		if path, is := fields[name].(string); is && known && onServer.MatchString(name) {
			r.add(&r.Kept, o.place(), fmt.Sprintf("The server must have what %s names: %q.", name, path))
		}
	}
}

// examineLeftOut reports what the configuration of an object leaves out: attributes that eNMS may have set
// by itself, such as owners, and fields that have no effect.
func (r *report) examineLeftOut(o *object) {
	for _, row := range o.kind.Rows() {
		if row.Automatic != nil && row.AfterCreate && o.config[row.Name].IsNull() {
			r.add(&r.Omitted, o.kind.TypeName(), fmt.Sprintf("%s are left out where eNMS may have set them: on another server, it sets them for the user who creates the %s.", row.Name, o.kind.Name))
		}
	}
	for _, row := range o.withoutEffect() {
		r.add(&r.Omitted, o.kind.TypeName(), fmt.Sprintf("%s is left out where it has no effect, which is without %s.", row.Name, row.OnlyWith))
	}
}

// withoutEffect returns the fields that are left out of the configuration although they do not have
// their default, because they have no effect.
func (o *object) withoutEffect() (rows []kind.Attribute) {
	add := func(row kind.Attribute, inState any, isWritten bool) {
		if row.OnlyWith != "" && inState != nil && !isWritten && !value.Equal(inState, row.Default) {
			rows = append(rows, row)
		}
	}
	for _, row := range o.kind.Rows() {
		add(row, value.ToJSON(o.state[row.Name]), !o.config[row.Name].IsNull())
	}
	fields := value.Members(o.state[kind.RowProperties])
	for _, row := range o.propertyRows() {
		add(row, fields[row.Name], o.field(row.Name) != nil)
	}
	return rows
}

// examineValue checks the strings in a value.
func (r *report) examineValue(o *object, at string, x any, named map[string]string) {
	switch x := x.(type) {
	case string:
		r.examineText(o, at, x, named)
	case []any:
		for _, member := range x {
			r.examineValue(o, at, member, named)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(x)) {
			r.examineValue(o, at+"."+name, x[name], named)
		}
	case json.Number, bool, nil:
	}
}

// examineText looks in a string for secrets, for names of other objects, and for characters that
// Terraform changes.
func (r *report) examineText(o *object, at, text string, named map[string]string) {
	if !norm.NFC.IsNormalString(text) {
		r.add(&r.Kept, o.place(), fmt.Sprintf("%s is not in the normal form of Unicode (NFC), in which Terraform keeps all strings.", at))
	}
	if secretLike.MatchString(text) {
		r.add(&r.Check, o.place(), fmt.Sprintf("%s holds what looks like a secret.", at))
	}
	if !strings.Contains(text, "\n") {
		return
	}
	for _, match := range quotedName.FindAllStringSubmatch(text, -1) {
		name := match[1] + match[2]
		if what, is := named[name]; is && name != o.name {
			r.add(&r.Check, o.place(), fmt.Sprintf("%s names the %s in its text, which does not follow when that is renamed.", at, what))
		}
	}
}

// namedInCode returns the objects by the names under which scripts may mention them.
func namedInCode(objects []*object) map[string]string {
	named := map[string]string{}
	for _, o := range objects {
		if o.kind.Place == nil {
			named[o.name] = o.kind.Name + fmt.Sprintf(" %q", o.name)
		}
	}
	return named
}
