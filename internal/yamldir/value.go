// This file makes the JSON Schema of a value from its row.

package yamldir

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/schemas"
)

// schema is a JSON Schema.
type schema = map[string]any

// namePattern matches names without the characters that eNMS refuses (kind.WrongCharacters).
const namePattern = `^[^/\\'"\n\x00]*$`

// name returns the schema of a name.
func name(description string) schema {
	return schema{"description": description, "type": "string", "minLength": 1, "maxLength": kind.CommonLength, "pattern": namePattern}
}

// names returns the schema of a list of names.
func names(description string) schema {
	return schema{"description": description, "type": "array", "uniqueItems": true,
		"items": schema{"type": "string", "minLength": 1, "maxLength": kind.CommonLength, "pattern": namePattern}}
}

// links matches links in Markdown, whose targets are pages that no editor finds.
var links = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// describe returns the documentation of a row.
func describe(a kind.Attribute) string { return links.ReplaceAllString(schemas.Markdown(a), "$1") }

// valueOf returns the schema of an attribute's value. null is allowed, too: it replaces a default of the folder by none.
func valueOf(a kind.Attribute) schema {
	s := schema{"description": describe(a)}
	if a.Sample { // a site may have declared it differently
		return s
	}
	typ := ""
	switch a.Type {
	case kind.Text:
		typ = "string"
		if longest := cmp.Or(a.MaxLength, kind.CommonLength); longest != kind.Unbounded {
			s["maxLength"] = longest
		}
		if len(a.Suggest) > 0 {
			s["examples"] = a.Suggest
		}
	case kind.One:
		s, typ = name(describe(a)), "string"
	case kind.Number, kind.Decimal:
		typ = "number"
		bounds := cmp.Or(a.Range, kind.AnyNumber)
		if a.Type == kind.Number {
			typ = "integer"
		}
		s["minimum"], s["maximum"] = bounds.Min, bounds.Max
	case kind.Flag:
		typ = "boolean"
	case kind.Many:
		s, typ = names(describe(a)), "array"
		if !a.IsRelation() {
			s["items"] = schema{"type": "string"}
		}
	case kind.List:
		typ = "array"
	case kind.JSON, kind.Properties:
		typ = "object"
	case kind.Criteria:
		typ, s["additionalProperties"] = "object", criterion()
	case kind.Anything:
		return s
	}
	s["type"] = []any{typ, "null"}
	if len(a.OneOf) > 0 {
		s = choices(a, s)
	}
	return s
}

// choices returns the schema of a row with choices. eNMS's default is allowed, too (checks.NotAmong).
func choices(a kind.Attribute, s schema) schema {
	all := slices.Clone(a.OneOf)
	if byDefault, is := a.Default.(string); is && !slices.Contains(all, byDefault) {
		all = append(all, byDefault)
	}
	values := []any{}
	for _, choice := range all {
		values = append(values, choice)
	}
	if a.Type == kind.Text {
		s["enum"] = append(values, nil)
	} else {
		s["items"] = schema{"enum": values}
	}
	return s
}

// criterion returns the schema of a condition on a property.
func criterion() schema {
	return schema{"type": "object", "additionalProperties": false, "properties": schema{
		kind.CriterionValue:  schema{"type": "string", "description": "The value to compare the property with, as a string, even for numbers."},
		kind.CriterionMatch:  schema{"enum": kind.Matches, "description": "How to compare. Default: inclusion."},
		kind.CriterionInvert: schema{"type": "boolean", "description": "Whether to negate the condition."},
	}}
}

// secret returns the schema of a key that no file may have.
func secret(a kind.Attribute) schema {
	return schema{"not": schema{}, "description": a.Doc + " A secret: it is not allowed in these files. Set it in eNMS, or write the object as a resource."}
}

// isSecret reports whether a row of a kind holds a secret, also one that eNMS returns.
func isSecret(k *kind.Kind, a kind.Attribute) bool {
	return a.Role == kind.Secret || slices.Contains(k.Secrets, a.Name) || a.Type == kind.Text && checks.IsSecretName(a.Name)
}
