// This file makes the rows of properties: a function for each type of value, and the rows that several
// types of services share.

package kinds

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// text returns the row of a string of at most 255 characters, whose default is empty.
func text(name, doc string) kind.Attribute {
	return textOf(name, "", doc)
}

// textOf returns the row of a string with another default.
func textOf(name, byDefault, doc string) kind.Attribute {
	return kind.Attribute{Name: name, Default: byDefault, Doc: doc}
}

// longText returns the row of a string of any length, whose default is empty.
func longText(name, doc string) kind.Attribute {
	return kind.Attribute{Name: name, Default: "", MaxLength: kind.Unbounded, Doc: doc}
}

// choice returns the row of a string for which eNMS offers some values. The default need not be one of
// them.
func choice(name, byDefault, doc string, of ...string) kind.Attribute {
	return kind.Attribute{Name: name, Default: byDefault, OneOf: of, Doc: doc}
}

// driver returns the row of the driver in a service that uses a library.
func driver(library string, drivers []string, more string) kind.Attribute {
	return kind.Attribute{Name: "driver", Default: "", Suggest: append([]string{"device"}, drivers...),
		Doubt: needed("Without a driver, every run fails. Write driver = \"device\" in properties, for the " + library + " driver of each device, or the name of a driver."),
		Doc:   "The " + library + " driver, or `device` for the driver of each device." + more}
}

// closed returns a row with choices: with any other value, eNMS fails.
func closed(a kind.Attribute) kind.Attribute {
	a.Closed = true
	return a
}

// short returns the row of a text whose column holds kind.ShortLength characters.
func short(a kind.Attribute) kind.Attribute {
	a.MaxLength = kind.ShortLength
	return a
}

// flag returns the row of a Boolean.
func flag(name string, byDefault bool, doc string) kind.Attribute {
	return kind.Attribute{Name: name, Type: kind.Flag, Default: byDefault, Doc: doc}
}

// number returns the row of a whole number from 0.
func number(name string, byDefault int, doc string) kind.Attribute {
	return kind.Attribute{Name: name, Type: kind.Number, Default: byDefault, Range: kind.NotNegative, Doc: doc}
}

// decimal returns the row of a number from 0 that may have a fraction.
func decimal(name string, byDefault float64, doc string) kind.Attribute {
	return kind.Attribute{Name: name, Type: kind.Decimal, Default: byDefault, Range: kind.NotNegative, Doc: doc}
}

// list returns the row of a list, whose default is empty.
func list(name, doc string) kind.Attribute {
	return kind.Attribute{Name: name, Type: kind.List, Doc: doc}
}

// object returns the row of an object, whose default is empty.
func object(name, doc string) kind.Attribute {
	return kind.Attribute{Name: name, Type: kind.JSON, Doc: doc}
}

// sample returns the row of a custom property of eNMS's sample configuration.
func sample(a kind.Attribute) kind.Attribute {
	a.Sample = true
	return a
}

// on5 returns the rows of fields that only eNMS 5 has.
func on5(rows ...kind.Attribute) []kind.Attribute {
	on := slices.Clone(rows)
	for i := range on {
		on[i].Line = 5
	}
	return on
}

// on4 returns the row of a field that only eNMS 4 has.
func on4(a kind.Attribute) kind.Attribute {
	a.Line = 4
	return a
}

// onlyWith returns a row that has no effect while another field is at its default.
func onlyWith(other string, a kind.Attribute) kind.Attribute {
	a.OnlyWith = other
	return a
}

// connectionFields are the fields of the types that connect to devices.
var connectionFields = slices.Concat([]kind.Attribute{credentialsOf("device")}, credentialFields, []kind.Attribute{
	flag("start_new_connection", false, "Whether a new connection is opened even if one to the device exists."),
	textOf("connection_name", "default", "The name of the connection: services with the same name share one."),
	flag("close_connection", false, "Whether the connection is closed after the run."),
})

// credentialsOf returns the row that selects the credentials, with a default.
func credentialsOf(byDefault string) kind.Attribute {
	return choice("credentials", byDefault,
		"The credentials to use: those for the device, the one in the attribute `named_credential`, or `custom_username` and `custom_password`.", "device", "object", "custom")
}

var credentialFields = []kind.Attribute{
	text("custom_username", "The user for `credentials = \"custom\"`."),
	text("custom_password", "The password for `credentials = \"custom\"`."),
}

// connecting returns the rows of a type of services that connects to devices.
func connecting(rows ...[]kind.Attribute) []kind.Attribute {
	return append(slices.Concat(rows...), connectionFields...)
}
