// This file declares the lines of eNMS, and what eNMS 5 calls and stores differently.

package object

import (
	"encoding/json"
	"strings"
)

// The lines of eNMS. Line5 begins with 5.2: earlier versions count as 4.
const (
	Line4 = 4
	Line5 = 5
)

// LineField is a field that every instance of eNMS 5 has, whatever its type, and no instance of 4.7.
const LineField = "creation_time"

// Words say how eNMS 5 names and stores what eNMS 4.7 has, too. They come from the tables of instance
// types (kind.Words). With the zero value, nothing differs.
type Words struct {
	// Renamed has the names on eNMS 5 of fields and of inverse relations, by type and by their names in 4.7.
	Renamed map[string]map[string]string
	// Inverses has, by type, the names on eNMS 5 in Renamed of inverse relations. They are in use as well: some
	// are the names of other relations in 4.7, and properties of eNMS 5 name all of them.
	Inverses map[string][]string
	// Texts has, by type, the fields that hold an object on eNMS 4, and the JSON of the object as a string on eNMS 5.
	Texts map[string][]string
	// References has the types to which fields may refer, by the namespace of the field's type and by the field.
	References map[string]map[string]string
	// Unreferred are the types to which no relation leads, so that deleting an instance changes no other one.
	Unreferred map[string]bool
}

// Text returns the JSON of an object, as the string that eNMS 5 stores: "" for an empty object, or for one that JSON
// cannot express.
func Text(members map[string]any) string {
	if len(members) == 0 {
		return ""
	}
	text, err := json.Marshal(members)
	if err != nil {
		return ""
	}
	return string(text)
}

// InText returns the object whose JSON a string is, or nil if the string is not the JSON of an object.
func InText(text string) map[string]any {
	if text == "" {
		return map[string]any{}
	}
	var members map[string]any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if !strings.HasPrefix(text, "{") || decoder.Decode(&members) != nil || decoder.More() {
		return nil
	}
	return members
}
