// Package layout is the resources enms_workflow_layout and enms_network_layout: where services
// and nodes stand in eNMS's builders, and the labels of workflows (enms-rest.md 1.16, 1.17).
//
//	builder.go    the two builders
//	position.go   a position;  label.go  the labels of a workflow
//	layout.go     what eNMS draws: found, read and written
//	record.go     what the private state holds
//	held.go       all that a server holds
//	model.go      the schema, configuration and state
//	list.go       the list resource
//	resource.go   the resource as Terraform calls it
package layout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// positions are those of members, by their full names.
type positions map[string]position

// errNotThere tells that what is drawn does not exist.
var errNotThere = errors.New("there is none with that name that this user may read")

// notMemberError tells that what is to be moved is not drawn.
type notMemberError struct{ names []string }

// Error tells it in one line.
func (e *notMemberError) Error() string { return fmt.Sprintf("%q are not in it", e.names) }

// member is what eNMS holds of a member.
type member struct {
	id, typ string
	at      *position // nil when it has none
}

// canvas is a workflow or network, as eNMS draws it.
type canvas struct {
	name, id string
	labels   labels
	members  map[string]member
}

// finder is enms.Client.Find or FindNow.
type finder func(ctx context.Context, typ, name string, columns []string) (enms.Object, error)

// find finds what had a name and an id, which is empty when it is not known: under the name
// that it has now, if somebody has renamed it. The name comes first, because a restore gives
// the id to another (enms-rest.md 0.6).
func (b Builder) find(ctx context.Context, client *enms.Client, by finder, name, id string) (canvas, error) {
	var columns []string
	if b.labelled {
		columns = []string{labelsField}
	}
	row, err := by(ctx, b.search, name, columns)
	if err != nil && !errors.Is(err, enms.ErrNotFound) {
		return canvas{}, err
	}
	if err == nil && row[typeField] == b.typ {
		return canvasOf(row), nil
	}
	if id != "" {
		renamed, err := client.FindByID(ctx, b.typ, id)
		if err == nil {
			return canvasOf(renamed), nil
		} else if !errors.Is(err, enms.ErrNotFound) {
			return canvas{}, err
		}
	}
	if err := client.ProveGone(ctx, b.typ, b.names, name, id); err != nil {
		return canvas{}, err
	}
	return canvas{}, errNotThere
}

// canvasOf returns what an answer holds.
func canvasOf(row enms.Object) canvas {
	name, _ := row["name"].(string)
	return canvas{name: name, id: fmt.Sprint(row["id"]), labels: labelsOf(row[labelsField])}
}

// read finds a workflow or network, and its members, as membersOf does. One search answers all
// (enms-rest.md 1.16).
func (b Builder) read(ctx context.Context, client *enms.Client, name, id string, others bool) (canvas, error) {
	found, err := b.find(ctx, client, client.Find, name, id)
	if err != nil {
		return found, err
	}
	rows, err := b.membersOf(ctx, client, found.name, others)
	found.add(rows)
	return found, err
}

// readToWrite is read for what is written next: the labels are read last, because eNMS replaces
// all labels of a workflow at once. Without labels, what this client has read of the workflow is enough.
func (b Builder) readToWrite(ctx context.Context, client *enms.Client, name string, others, labels bool) (found canvas, err error) {
	rows, err := b.membersOf(ctx, client, name, others)
	if err != nil {
		return canvas{}, err
	}
	if row := client.Known(b.typ, name); row != nil && !labels {
		found = canvasOf(row)
	} else {
		found, err = b.find(ctx, client, client.FindNow, name, "")
	}
	found.add(rows)
	return found, err
}

// membersOf returns the members of a workflow or network. With others, there may be members of
// others: the search is shared with those of layouts that are read, written or removed at the same
// time. PostgreSQL refuses some such searches (enms-rest.md 10.6).
func (b Builder) membersOf(ctx context.Context, client *enms.Client, name string, others bool) ([]enms.Object, error) {
	if others {
		rows, err := client.RelatedToAny(ctx, b.members, b.relation, name, []string{positionsField})
		if !enms.InternalServerError(err) {
			return rows, err
		}
	}
	return client.Search(ctx, b.members, []string{positionsField}, map[string]any{b.relation: []string{name}})
}

// add adds the members that a search has answered.
func (c *canvas) add(rows []enms.Object) {
	c.members = map[string]member{}
	for _, row := range rows {
		m := member{id: fmt.Sprint(row["id"])}
		name, _ := row["name"].(string)
		m.typ, _ = row[typeField].(string)
		stored, _ := row[positionsField].(map[string]any)
		if p, ok := positionOf(stored[c.name]); ok {
			m.at = &p
		}
		c.members[name] = m
	}
}

// missing returns the names among those wanted that are no members.
func (c canvas) missing(wanted positions) *notMemberError {
	missing := &notMemberError{}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if _, is := c.members[name]; !is {
			missing.names = append(missing.names, name)
		}
	}
	if len(missing.names) == 0 {
		return nil
	}
	return missing
}

// move moves members to where they are wanted, in one list for each type. Nothing is sent for
// those that stand there already.
func (b Builder) move(ctx context.Context, client *enms.Client, c canvas, wanted positions) error {
	return b.moveAll(ctx, client, c, wanted, func(enms.Object, member) {})
}

// moveBack is move for members that may be deleted at the same time: by its id, eNMS creates
// none that is gone (enms-rest.md 0.2).
func (b Builder) moveBack(ctx context.Context, client *enms.Client, c canvas, wanted positions) error {
	err := b.moveAll(ctx, client, c, wanted, func(payload enms.Object, m member) { payload["id"] = json.Number(m.id) })
	if refused, is := errors.AsType[*enms.RefusedError](err); is && refused.Missing != nil {
		return nil
	}
	return err
}

// moveAll moves members; add adds to the payload of each.
func (b Builder) moveAll(ctx context.Context, client *enms.Client, c canvas, wanted positions, add func(enms.Object, member)) error {
	moves, ctx := errgroup.WithContext(ctx)
	for name, p := range wanted {
		m := c.members[name]
		if m.at != nil && m.at.equal(p) {
			continue
		}
		moves.Go(func() error {
			payload := enms.Object{"name": name, positionsField: map[string]any{c.name: p.payload()}}
			add(payload, m)
			return client.Upsert(ctx, enms.Type{Name: b.writtenAs(m.typ)}, payload)
		})
	}
	return moves.Wait()
}

// draw draws labels and removes others. eNMS replaces all labels of a workflow at once, so they
// are to be found immediately before.
func (b Builder) draw(ctx context.Context, client *enms.Client, c canvas, drawn map[string]label, removed []string) error {
	all, changed := c.labels.with(drawn, removed)
	if !changed {
		return nil
	}
	return client.Upsert(ctx, enms.Type{Name: b.typ}, enms.Object{"name": c.name, labelsField: map[string]any(all)})
}
