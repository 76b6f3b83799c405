// This file reads and writes the positions of services in workflows, and of devices in networks. eNMS 4.7 stores the
// positions of a member with the member, by the names of its containers. eNMS 5 stores the positions of all members
// with their container, and replaces all of them at once (enms-rest.md 11.3). Callers use the form of 4.7.

package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
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

// memberPositions has the positions of members, by the names of their containers and by their own names.
type memberPositions map[string]map[string]any

// positionsIn returns the positions in the named containers of a type, or in all containers of the type if
// names is nil. Containers that do not exist are absent.
func (c *Client) positionsIn(ctx context.Context, typ string, names []string) (memberPositions, error) {
	found := memberPositions{}
	parts := Chunks(names)
	if names == nil {
		parts = [][]string{nil}
	}
	for _, part := range parts {
		s := Search{Type: typ, Columns: []string{positionsField}, Limit: allRows, Names: len(part)}
		if part != nil {
			s.Criteria = map[string]any{"name": Pattern(part), "name_filter": "regex"}
		}
		rows, err := c.search(ctx, s)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			members, _ := row[positionsField].(map[string]any)
			found[String(row, "name")] = members
		}
	}
	return found, nil
}

// addPositions gives the rows of a search their positions, in the form of 4.7. If the search is for the members
// of containers, it gives them their positions in these containers only.
func (c *Client) addPositions(ctx context.Context, s Search, rows []Object) error {
	of := containerOf(s.Type)
	names, _ := s.Criteria[of.relation].([]string)
	all, err := c.positionsIn(ctx, of.typ, names)
	if err != nil {
		return err
	}
	for _, row := range rows {
		at := map[string]any{}
		for container, members := range all {
			if position, has := members[String(row, "name")]; has {
				at[container] = position
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

// splitPositions takes the positions out of payloads. others are the payloads without them, or nil if the
// payloads have nothing else. containers are the payloads of the containers that store these positions, with
// the positions that their other members have there already.
func (c *Client) splitPositions(ctx context.Context, typ string, bodies [][]byte) (others, containers [][]byte, err error) {
	moved := memberPositions{}
	onlyPositions := true
	for _, body := range bodies {
		payload, positions := withoutPositions(body)
		name := String(payload, "name")
		for container, position := range positions {
			if moved[container] == nil {
				moved[container] = map[string]any{}
			}
			moved[container][name] = position
		}
		if positions != nil {
			body, _ = json.Marshal(payload) // it was just decoded
		}
		others = append(others, body)
		delete(payload, "name") // what only says which instance it is
		delete(payload, "id")
		onlyPositions = onlyPositions && len(payload) == 0 && positions != nil
	}
	if onlyPositions {
		others = nil
	}
	if len(moved) == 0 {
		return others, nil, nil
	}
	of := containerOf(typ).typ
	there, err := c.positionsIn(ctx, of, slices.Sorted(maps.Keys(moved)))
	for _, name := range slices.Sorted(maps.Keys(there)) {
		all := map[string]any{}
		maps.Copy(all, there[name])
		maps.Copy(all, moved[name])
		body, _ := json.Marshal(c.line.like5(of, Object{"name": name, positionsField: all}, false)) // decoded numbers and lists
		containers = append(containers, body)
	}
	return others, containers, err
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
