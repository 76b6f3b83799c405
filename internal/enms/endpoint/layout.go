// This file reads the positions of services in workflows, and of devices in networks, and takes them out of payloads. eNMS 4.7
// stores the positions of a member with the member, by the names of its containers. eNMS 5 stores the positions of all members
// with their container, and replaces all of them at once (enms-rest.md 11.3). Callers use the form of 4.7.

package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
)

// containerType is a type that contains members with positions: workflow or network. relation is the relation
// of the members to their containers.
type containerType struct{ typ, relation string }

// containerOf returns the type that contains the instances of a type.
func containerOf(typ string) containerType {
	if slices.Contains([]string{nodeType, deviceType, "gateway", "router", networkType}, typ) {
		return containerType{networkType, "networks"}
	}
	return containerType{"workflow", "workflows"}
}

// containers returns the rows, with positions, of the named containers of a type, or of all containers of the type if
// names is nil. Containers that do not exist are absent.
func (c *Client) containers(ctx context.Context, typ string, names []string) (rows []Object, err error) {
	parts := Chunks(names)
	if names == nil {
		parts = [][]string{nil}
	}
	for _, part := range parts {
		s := Search{Type: typ, Columns: []string{positionsField}, Limit: allRows, Names: len(part)}
		if part != nil {
			s.Criteria = map[string]any{"name": Pattern(part), "name_filter": "regex"}
		}
		found, err := c.search(ctx, s)
		if err != nil {
			return nil, err
		}
		rows = append(rows, found...)
	}
	return rows, nil
}

// membersIn returns the positions of the members of a container.
func membersIn(row Object) map[string]any {
	members, _ := row[positionsField].(map[string]any)
	return members
}

// addPositions gives the rows of a search their positions, in the form of 4.7. If the search is for the members
// of containers, it gives them their positions in these containers only.
func (c *Client) addPositions(ctx context.Context, s Search, rows []Object) error {
	of := containerOf(s.Type)
	names, _ := s.Criteria[of.relation].([]string)
	containers, err := c.containers(ctx, of.typ, names)
	if err != nil {
		return err
	}
	for _, row := range rows {
		at := map[string]any{}
		for _, container := range containers {
			if position, has := membersIn(container)[String(row, "name")]; has {
				at[String(container, "name")] = position
			}
		}
		row[positionsField] = at
	}
	return nil
}

// movesMembers reports whether payloads may have positions. It does not decode them.
func movesMembers(bodies [][]byte) bool {
	return slices.ContainsFunc(bodies, func(body []byte) bool { return bytes.Contains(body, []byte(`"`+positionsField+`"`)) })
}

// placed is a payload whose positions were taken out.
type placed struct {
	name      string
	body      []byte         // without the positions
	more      bool           // has more than the name and the id
	positions map[string]any // by the names of the containers
}

// splitPositions takes the positions out of payloads.
func splitPositions(bodies [][]byte) []placed {
	all := make([]placed, len(bodies))
	for i, body := range bodies {
		payload, positions := withoutPositions(body)
		if positions != nil {
			body, _ = json.Marshal(payload) // it was just decoded
		}
		name := String(payload, "name")
		delete(payload, "name") // what only says which instance it is
		delete(payload, "id")
		all[i] = placed{name: name, body: body, more: positions == nil || len(payload) > 0, positions: positions}
	}
	return all
}

// withoutPositions returns a payload without its positions, and the positions, which are nil if it has none.
func withoutPositions(body []byte) (payload Object, positions map[string]any) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if decoder.Decode(&payload) != nil {
		return nil, nil
	}
	positions, _ = payload[positionsField].(map[string]any)
	if positions != nil {
		delete(payload, positionsField)
	}
	return payload, positions
}
