// This file decodes instances in answers of eNMS. A value of the wrong type is an error that
// names the field, so that it cannot become a zero value in the state.

package endpoint

import (
	"encoding/json"
	"maps"
	"strconv"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// Object is an instance as eNMS answers it, or a payload as it is sent. Numbers in answers are json.Number.
type Object = map[string]any

// decodeMembers decodes an answer that must be an object, without checking its members. typ is
// the type for the error.
func decodeMembers(typ string, a *rest.Answer) (Object, error) {
	value, err := a.Value()
	if err != nil {
		return nil, err
	}
	members, ok := value.(map[string]any)
	if !ok {
		return nil, WrongType(typ, value, "an object")
	}
	return members, nil
}

// decodeRows decodes a list of instances without checking them.
func decodeRows(typ string, a *rest.Answer) ([]Object, error) {
	value, err := a.Value()
	if err != nil {
		return nil, err
	}
	list, ok := value.([]any)
	if !ok {
		return nil, WrongType(typ, value, "a list")
	}
	rows := make([]Object, len(list))
	for i, element := range list {
		row, ok := element.(map[string]any)
		if !ok {
			return nil, WrongType(typ, element, "an object")
		}
		rows[i] = row
	}
	return rows, nil
}

// CheckIdentity returns a *object.FieldError if the name or the type of a row is not a string, if the
// type is empty, or if the id is not a whole number. A row may lack each of them.
func CheckIdentity(typ string, row Object) error {
	name, _ := row["name"].(string)
	for _, field := range []string{"name", "type"} {
		value, has := row[field]
		if _, isString := value.(string); has && !isString {
			return &object.FieldError{Type: typ, Name: name, Field: field, Reason: "is " + rest.JSONType(value) + " where a string belongs"}
		}
	}
	if row["type"] == "" {
		return &object.FieldError{Type: typ, Name: name, Field: "type", Reason: "is empty"}
	}
	if value, has := row["id"]; has {
		if _, err := strconv.ParseInt(IDText(value), 10, 64); err != nil {
			return &object.FieldError{Type: typ, Name: name, Field: "id", Reason: "is " + rest.JSONType(value) + " where a whole number of 64 bits belongs"}
		}
	}
	return nil
}

// CheckNamed is CheckIdentity for rows of which each must have a name.
func CheckNamed(typ string, rows []Object) error {
	for _, row := range rows {
		if _, has := row["name"]; !has {
			return &object.FieldError{Type: typ, Field: "name", Reason: "is missing in the answer"}
		}
		if err := CheckIdentity(typ, row); err != nil {
			return err
		}
	}
	return nil
}

// RowsBy returns rows by their names if column is "name", and by their ids if it is "id": the rows in wanted,
// or all if wanted is nil. It leaves out rows without a name, and by id also those without an id. It leaves
// out rows that share their name or id, so that the caller asks for each of these alone.
func RowsBy(column string, rows []Object, wanted []string) map[string]Object {
	isWanted := map[string]bool{}
	for _, key := range wanted {
		isWanted[key] = true
	}
	found, times := map[string]Object{}, map[string]int{}
	for _, row := range rows {
		name, hasKey := row["name"].(string)
		key := name
		if column == "id" {
			key = IDText(row["id"])
			hasKey = hasKey && key != ""
		}
		if !hasKey || wanted != nil && !isWanted[key] {
			continue
		}
		found[key] = row
		times[key]++
	}
	maps.DeleteFunc(found, func(key string, _ Object) bool { return times[key] > 1 })
	return found
}

// IDText returns the id of a row as a string, or "" if it is not a number.
func IDText(value any) string {
	number, _ := value.(json.Number)
	return number.String()
}

// String returns a field of a row that is a string, or "" if it is not.
func String(row Object, field string) string {
	value, _ := row[field].(string)
	return value
}

// Text returns a string for display, or "" if the value is not a string.
func Text(value any) string {
	text, _ := rest.Text(value)
	return text
}

// CheckListed is CheckNamed for rows of which each must have an id, too.
func CheckListed(typ string, rows []Object) error {
	if err := CheckNamed(typ, rows); err != nil {
		return err
	}
	for _, row := range rows {
		if _, has := row["id"]; !has {
			return &object.FieldError{Type: typ, Name: String(row, "name"), Field: "id", Reason: "is missing in the answer"}
		}
	}
	return nil
}

// softDeleted is the property of instances that were deleted in the Workflow Builder of eNMS 5.
// Their rows and names remain.
const softDeleted = "soft_deleted"

// Deleted reports whether a row is the remainder of a deleted instance.
func Deleted(row map[string]any) bool { return row[softDeleted] == true }

const (
	// nodeType is the namespace of devices and networks, and a type of 4.7 alone (realType).
	nodeType    = "node"
	deviceType  = "device"
	linkType    = "link"
	networkType = "network"
)
