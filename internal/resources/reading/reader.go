// This file declares the reader.

package reading

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Reader reads the instances of a kind in the eNMS of a provider. Most methods are about one instance; calls that are
// under way at the same time share requests.
type Reader struct {
	Kind     *kind.Kind
	Provider *resources.Provider
	InMany   bool   // the instances are entries of enms_instances
	part     string // what the resource manages of an instance, such as "layout"; "" for all of it
}

// New returns the reader of instances that are resources of their own.
func New(k *kind.Kind, p *resources.Provider) *Reader { return &Reader{Kind: k, Provider: p} }

// ByType returns the reader of the instances of a type such as "workflow" for a resource that manages only a part of
// them, such as "layout".
func ByType(typ string, p *resources.Provider, part string) *Reader {
	return &Reader{Kind: kind.Named(p.Kinds, typ), Provider: p, part: part}
}

// Failed is failures.Subject.Failed for an instance of the reader.
func (r *Reader) Failed(verb, name string, values kind.Values, err error) diag.Diagnostics {
	return failures.Subject{Kind: r.Kind, Entry: r.InMany}.Failed(verb, name, values, err)
}

// Of returns a reader like r. If the kind is of AnyType, the new reader is limited to the type in values (kind.Kind.For).
func (r *Reader) Of(values kind.Values) *Reader {
	of := *r
	of.Kind = r.Kind.For(values)
	return &of
}

// Defaults returns the provider's defaults for the instances of the kind.
func (r *Reader) Defaults() kind.Values {
	return r.Provider.Defaults[r.Kind.Resource()]
}

// NameOf returns the name of an instance, as a run knows it.
func (r *Reader) NameOf(values kind.Values) applying.Name {
	return applying.Name{Namespace: r.Kind.Namespace, Text: value.Text(values[kind.RowName])}
}

// NamespaceOf returns the type within which the names of a type are unique.
func (r *Reader) NamespaceOf(typ string) string {
	return kind.Named(r.Provider.Kinds, typ).Namespace
}
