// This file declares the methods of a kind that follow from its table: the types of its instances, the
// rows that identify an instance, and what eNMS computes.

package kind

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Path returns the instance type in the path of the request: the subtype if there is one,
// because the relations of a subtype can be set in no other way (enms-rest.md 1.5).
func (k *Kind) Path(values Values) string {
	return cmp.Or(value.Text(values[k.SubtypeRow()]), k.Name)
}

// For returns the kind of an instance: for AnyType, a kind whose Name is the type of the instance, made once for each type.
func (k *Kind) For(values Values) *Kind {
	typ := value.Text(values[k.SubtypeRow()])
	if k.AnyType == nil || typ == "" {
		return k
	}
	like := &Kind{Namespace: typ}
	if k.AnyType.Like != nil {
		like = cmp.Or(k.AnyType.Like(typ), like)
	}
	made, _ := k.types.LoadOrStore(typ, &Kind{
		Name: typ, resource: k.Name,
		Namespace: like.Namespace, Line: like.Line, Scope: like.Scope, BuiltIn: like.BuiltIn,
		AnyType: k.AnyType, Summary: k.Summary, Attributes: k.Attributes,
		Unwatched: k.Unwatched, NeverSent: k.NeverSent, NoTimestamps: k.NoTimestamps, Rules: k.Rules,
	})
	return made.(*Kind)
}

// IsBuiltIn reports whether every eNMS of a line has an instance with a name; of line 0, whether that of each line has.
func (k *Kind) IsBuiltIn(name string, line int) bool {
	return slices.ContainsFunc(k.BuiltIn, func(b BuiltIn) bool { return b.Name == name && (b.Line == 0 || b.Line == line) })
}

// OnLine reports whether a line of eNMS has the type.
func (k *Kind) OnLine(line int) bool { return k.Line == 0 || k.Line == line }

// LineNote returns " Only eNMS 5 has secrets." for a type that only one line of eNMS has, otherwise "".
func (k *Kind) LineNote() string {
	if k.Line == 0 {
		return ""
	}
	return fmt.Sprintf(" Only eNMS %d has %s.", k.Line, k.Several())
}

// Resource returns the end of the kind's Terraform type: "device" of enms_device.
func (k *Kind) Resource() string { return cmp.Or(k.resource, k.Name) }

// TypeName returns the kind's type in Terraform, "enms_device".
func (k *Kind) TypeName() string { return "enms_" + k.Resource() }

// HasSubtypes reports whether the kind has subtypes.
func (k *Kind) HasSubtypes() bool { return k.SubtypeRow() != "" }

// KnownTypes returns the types of the kind's instances that every eNMS has, sorted.
func (k *Kind) KnownTypes() []string {
	known := append([]string{k.Name}, k.Table().Subtype.OneOf...)
	if k.AnyType != nil {
		known = slices.Clone(k.AnyType.Common)
	}
	for _, table := range k.Subtypes {
		known = append(known, table.Name)
	}
	slices.Sort(known)
	return slices.Compact(known)
}

// SubtypeRow returns the attribute that holds the subtype, or "" if there is none.
func (k *Kind) SubtypeRow() string { return k.Table().Subtype.Name }

// Takes reports whether instances with a type, as eNMS returns it, are of the kind. If it returned none (""), they are.
func (k *Kind) Takes(foundType string) bool {
	if foundType == "" || foundType == k.Name {
		return true
	}
	choices := k.Table().Subtype.OneOf
	return k.HasSubtypes() && (len(choices) == 0 || slices.Contains(choices, foundType))
}

// Selects reports whether the criteria of the kind are about instances of another kind.
func (k *Kind) Selects(other *Kind) bool {
	return slices.ContainsFunc(k.Table().Criteria, func(a Attribute) bool { return a.Compares == other.Name })
}

// NeedsRecompute reports whether a write has changed attributes that a computation of eNMS depends on.
// prior is nil for a creation.
func (k *Kind) NeedsRecompute(planned, prior Values) bool {
	return k.Recomputes(planned) && slices.ContainsFunc(k.Recompute.Attributes, func(name string) bool {
		if prior == nil {
			return planned[name].IsKnown() && !planned[name].IsNull()
		}
		return !value.Same(planned[name], prior[name])
	})
}

// Recomputes reports whether the kind has a computation that its setting does not disable.
func (k *Kind) Recomputes(planned Values) bool {
	return k.Recompute != nil && !planned[k.Recompute.Setting].Equal(tftypes.NewValue(tftypes.Bool, false))
}

// FieldError returns a *object.FieldError about a field of an answer.
func (k *Kind) FieldError(answer value.Object, field, reason string) error {
	name, _ := answer["name"].(string)
	return &object.FieldError{Type: k.Name, Name: name, Field: field, Reason: reason}
}

// RowOfField returns the attribute that holds a field of an answer, or "" if there is none.
func (k *Kind) RowOfField(values Values, field string) string {
	for _, a := range k.Table().Resource {
		if a.AnswerField() == field || a.OwnsCriterion(nil, field) {
			return a.Name
		}
	}
	if _, is := value.Members(values[RowProperties])[field]; is {
		return RowProperties
	}
	return ""
}

// IdentityRows returns the rows of the identity: the name, and the type if there are several.
func (k *Kind) IdentityRows() []Attribute {
	rows := []Attribute{k.Row(RowName)}
	if k.HasSubtypes() {
		rows = append(rows, k.Table().Subtype)
	}
	return rows
}

// IsSecret reports whether eNMS never returns a field.
func (k *Kind) IsSecret(field string) bool {
	return slices.Contains(k.Secrets, field) ||
		field != "" && slices.ContainsFunc(k.Table().Secrets, func(a Attribute) bool { return a.SentAs == field })
}

// Defaultable returns the attributes for which the provider block can set a default.
func (k *Kind) Defaultable() []Attribute {
	return slices.DeleteFunc(slices.Clone(k.Table().Resource), func(a Attribute) bool { return !a.Defaultable })
}

// Named returns the kind of a type such as "device" or "gateway", or nil. The kind with AnyType is the
// kind of all types without one of their own.
func Named(kinds []*Kind, typ string) *Kind {
	var anyType *Kind
	for _, k := range kinds {
		_, ofSubtype := k.Table().Properties.Subtypes[typ]
		switch {
		case k.AnyType != nil:
			anyType = k
		case k.Name == typ, ofSubtype, slices.Contains(k.Table().Subtype.OneOf, typ):
			return k
		}
	}
	if anyType == nil {
		return nil
	}
	return anyType.For(Values{anyType.SubtypeRow(): tftypes.NewValue(tftypes.String, typ)})
}

// Plural returns the end of the Terraform type of the kind's list: "devices" of enms_devices.
func (k *Kind) Plural() string { return k.Resource() + "s" }

// Several returns the plural in words: Plural with spaces in place of underscores.
func (k *Kind) Several() string { return strings.ReplaceAll(k.Plural(), "_", " ") }
