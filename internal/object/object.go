// Package object declares the types about instances of eNMS that the client and the tables of
// instance types share.
package object

import "fmt"

// Relation is a relation to many of an instance, and what is expected of it.
type Relation struct {
	Name    string   // the field, such as "gateways"
	Of      string   // the type of the members, such as "gateway"
	Inverse string   // the relation of the members to the instance, such as "devices"; "" if it is not known
	Members []string // the names that are expected, in any order
	AtLeast bool     // the relation may have further members

	// Only is the name of the only member that matters, or "" if all do. Members then has this name or is empty.
	Only string
	// Subtype is the subtype that has the relation, if not every subtype has it: instances with Only are searched among
	// its instances. It may be empty.
	Subtype string
}

// Dependents are instances that eNMS deletes together with the instance that they refer to,
// and how they refer to it: by Column or by Property.
type Dependents struct {
	Type     string // of the dependents, such as "link"
	Column   string // if they refer to one: their column with its id, such as "source_id"
	Property string // if they refer to many: their relation that contains its name
	Except   string // dependents whose names have this prefix stay; may be empty
}

// Field returns the field of the dependents by which they refer to the instance.
func (d Dependents) Field() string { return d.Column + d.Property }

// Key returns the name or id of the instance, whichever its dependents refer to it by.
func (d Dependents) Key(name, id string) string {
	if d.Column != "" {
		return id
	}
	return name
}

// Names returns the names in a relation of an answer or a payload. isList is false if the relation is no list.
func Names(relation any) (names []string, isList bool) {
	switch relation := relation.(type) {
	case []string:
		return relation, true
	case []any:
		for _, x := range relation {
			if name, is := x.(string); is {
				names = append(names, name)
			}
		}
		return names, true
	}
	return nil, false
}

// FieldError is the error of an instance in an answer that lacks a field, or has a wrong
// value in it.
type FieldError struct {
	Type, Name string // the instance, as far as it is known
	Field      string
	Reason     string
}

// Error returns the error in one line.
func (e *FieldError) Error() string {
	return fmt.Sprintf("field %q of %s %s", e.Field, Describe(e.Type, e.Name), e.Reason)
}

// Describe returns how an error names an instance: by its type alone if it has no name.
func Describe(typ, name string) string {
	if name == "" {
		return typ
	}
	return fmt.Sprintf("%s %q", typ, name)
}
