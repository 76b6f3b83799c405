// This file makes the rows of further fields: a function for each sort of column.

package kinds

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"

// text is a text of at most 255 characters, empty by default.
func text(name, doc string) kind.Attribute {
	return textOf(name, "", doc)
}

// textOf is a text with a default.
func textOf(name, byDefault, doc string) kind.Attribute {
	return kind.Attribute{Name: name, Default: byDefault, Doc: doc}
}

// longText is a text of any length, empty by default.
func longText(name, doc string) kind.Attribute {
	return kind.Attribute{Name: name, Default: "", MaxLength: kind.Unbounded, Doc: doc}
}

// choice is a text of which only some work; eNMS's default may be none of them.
func choice(name, byDefault, doc string, of ...string) kind.Attribute {
	return kind.Attribute{Name: name, Default: byDefault, OneOf: of, Doc: doc}
}

// flag is true or false.
func flag(name string, byDefault bool, doc string) kind.Attribute {
	return kind.Attribute{Name: name, Type: kind.Flag, Default: byDefault, Doc: doc}
}

// number is a whole number.
func number(name string, byDefault int, doc string) kind.Attribute {
	return kind.Attribute{Name: name, Type: kind.Number, Default: byDefault, Doc: doc}
}

// decimal is a number that may have a fraction.
func decimal(name string, byDefault float64, doc string) kind.Attribute {
	return kind.Attribute{Name: name, Type: kind.Decimal, Default: byDefault, Doc: doc}
}

// list is a list, empty by default.
func list(name, doc string) kind.Attribute {
	return kind.Attribute{Name: name, Type: kind.List, Doc: doc}
}

// object is an object, empty by default.
func object(name, doc string) kind.Attribute {
	return kind.Attribute{Name: name, Type: kind.JSON, Doc: doc}
}

// sample is a custom property of eNMS's sample configuration.
func sample(a kind.Attribute) kind.Attribute {
	a.Sample = true
	return a
}
