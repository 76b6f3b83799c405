// This file reads and writes the private state of a layout: which workflow or network it belongs to, and the
// positions before the layout moved members.

package layout

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/reading"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
)

// The keys in the private state beside record.Key.
const (
	idKey     = "workflow_id"
	beforeKey = "before"
	afterKey  = "after"
)

// layoutRecord has the content of the private state.
type layoutRecord struct {
	known // which workflow or network it is
	// before has the positions of members before the layout moved them, by the ids of the members, because
	// their names may change. The value is nil for a member that had no position.
	before map[string]any
	// after has the positions to which the layout has moved members, by their ids. Unlike the state, a read
	// does not change it.
	after map[string]any
}

// recordOf returns the record of the private state, without the parts of it that are damaged. It is empty if
// private is nil, as at a creation.
func recordOf(ctx context.Context, private record.Private) (r layoutRecord) {
	if private == nil {
		return r
	}
	r.Record, _ = record.Read(ctx, private)
	raw, _ := private.GetKey(ctx, idKey)
	_ = json.Unmarshal(raw, &r.id)
	for key, into := range r.documents() {
		raw, _ = private.GetKey(ctx, key)
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.UseNumber()
		_ = decoder.Decode(into)
	}
	return r
}

// documents returns the positions of the record by their keys in the private state.
func (r *layoutRecord) documents() map[string]*map[string]any {
	return map[string]*map[string]any{beforeKey: &r.before, afterKey: &r.after}
}

// untold returns the error of a workflow or network whose identity is untold, or nil.
func (r layoutRecord) untold() error {
	if r.Untold == "" {
		return nil
	}
	return &failures.Untold{Why: r.Untold}
}

// write writes the record to the private state.
func (r layoutRecord) write(ctx context.Context, private record.Private) diag.Diagnostics {
	diags := r.Write(ctx, private) // the record of the workflow or network
	diags.Append(private.SetKey(ctx, idKey, fmt.Appendf(nil, "%q", r.id))...)
	for key, positions := range r.documents() {
		if *positions == nil {
			*positions = map[string]any{}
		}
		if document, err := json.Marshal(*positions); err == nil {
			diags.Append(private.SetKey(ctx, key, document)...)
		}
	}
	return diags
}

// setFound records which workflow or network a read has found. It returns a warning if eNMS does not tell.
func (r *layoutRecord) setFound(ctx context.Context, reader *reading.Reader, c canvas) diag.Diagnostics {
	origin := reader.OriginAfterRead(ctx, r.Record, c.identity, r.id, c.row)
	r.Record = record.Record{Origin: origin, Untold: c.identity.Untold}
	if r.Untold != "" {
		return reader.WarnOfUntold(c.name, r.Untold)
	}
	r.id = c.id
	return nil
}

// addMoved records the positions of members before they are moved for the first time, and those to which
// they are moved. It forgets those of former members.
func (r *layoutRecord) addMoved(c canvas, wanted positions) {
	before, after := map[string]any{}, map[string]any{}
	for name, m := range c.members {
		was, recorded := r.before[m.id]
		p, isWanted := wanted[name]
		if isWanted {
			after[m.id] = p.payload()
		}
		switch {
		case recorded: // the first position counts
			before[m.id] = was
		case isWanted && m.at == nil:
			before[m.id] = nil
		case isWanted && !m.at.equal(p):
			before[m.id] = m.at.payload()
		}
	}
	r.before, r.after = before, after
}

// isWherePut reports whether a member is still where the layout has moved it. If somebody else has moved it since,
// such as another layout of the same workflow, it must stay there.
func (r *layoutRecord) isWherePut(m member) bool {
	at, is := positionOf(r.after[m.id])
	return is && m.at != nil && m.at.equal(at)
}

// formerPositions returns the positions to which released members are moved back, if the layout has moved
// them. A member that had no position gets that of a new member.
func (r *layoutRecord) formerPositions(b Builder, c canvas, released []string) positions {
	back := positions{}
	for _, name := range released {
		was, recorded := r.before[c.members[name].id]
		if !recorded {
			continue
		}
		back[name] = b.startsAt(name)
		if p, had := positionOf(was); had {
			back[name] = p
		}
	}
	return back
}

// forget removes the positions to which members were moved back.
func (r *layoutRecord) forget(c canvas, back positions) {
	for name := range back {
		delete(r.before, c.members[name].id)
	}
}
