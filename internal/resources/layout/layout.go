// Package layout implements the resources enms_workflow_layout and enms_network_layout: the positions of
// services and nodes in eNMS's builders, and the labels of workflows (enms-rest.md 1.16, 1.17).
//
//	builder.go    the two builders
//	position.go   a position;  label.go  the labels of a workflow
//	layout.go     finds, reads and writes a layout
//	record.go     the record in the private state
//	stored.go     all layouts of a server
//	model.go      the schema, configuration and state
//	list.go       the list resource
//	resource.go   the resource
package layout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/sync/errgroup"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/reading"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
)

// positions are positions of members, by their full names.
type positions map[string]position

// errNotThere means that the workflow or network does not exist.
var errNotThere = errors.New("there is none with that name that this user may read")

// member is a member in eNMS.
type member struct {
	id, typ string
	at      *position // nil if it has none
}

// canvas is a workflow or network with its members and labels.
type canvas struct {
	name, id string
	labels   labels
	members  map[string]member
	row      enms.Object
	identity reading.Identity
}

// finder is enms.Client.Find, or FindNow, which does not use earlier answers.
type finder func(ctx context.Context, typ, name string, columns []string) (enms.Object, error)

// known is what a state knows of its workflow or network beside the name. The zero value is that of a configuration,
// for which the name decides.
type known struct {
	id string
	record.Record
}

// values returns the attributes of a workflow or network that tell which one it is.
func (k known) values(name string) map[string]tftypes.Value {
	return map[string]tftypes.Value{"name": tftypes.NewValue(tftypes.String, name), "id": tftypes.NewValue(tftypes.String, k.id)}
}

// reader returns the reader of the workflows or networks.
func (b Builder) reader(p *resources.Provider) *reading.Reader {
	return reading.ByType(b.typ, p, "layout")
}

// find finds the workflow or network of a state, without its members. If somebody has renamed it, the canvas has its
// new name. The error is errNotThere if it does not exist or, for a write, *failures.Replaced if another one has its
// name. If eNMS does not tell which one it is, it is what has the name, except for a write: then the error is
// *failures.Untold.
func (b Builder) find(ctx context.Context, p *resources.Provider, ask finder, name string, state known, when reading.When) (canvas, error) {
	named, err := b.named(ctx, ask, name)
	if err != nil {
		return canvas{}, err
	}
	if when == reading.Now && named != nil {
		if own := p.Run.Owners.Find(b.namespace, name, fmt.Sprint(named["id"])); own != nil && own.Status == applying.Owned {
			state = known{} // a resource of this run has it, and may have replaced it
		}
	}
	is, err := b.reader(p).Identify(ctx, state.values(name), state.Record, named, when)
	switch {
	case err != nil:
	case is.Gone && named != nil && when == reading.Now:
		err = &failures.Replaced{ID: fmt.Sprint(named["id"])}
	case is.Gone && named != nil: // it was replaced: the layout is that of what has the name
		is = reading.Identity{Row: named, Unmarked: true}
	case is.Gone:
		err = errNotThere
	case is.Untold != "" && (named == nil || when == reading.Now):
		err = &failures.Untold{Why: is.Untold, Missing: named == nil}
	case is.Untold == "" && is.Name() != name:
		named, err = ask(ctx, b.searchType, is.Name(), b.columns())
	}
	if err != nil {
		return canvas{}, err
	}
	found := canvasOf(named)
	found.identity = is
	return found, nil
}

// named returns the row of the workflow or network with a name, or nil.
func (b Builder) named(ctx context.Context, ask finder, name string) (enms.Object, error) {
	row, err := ask(ctx, b.searchType, name, b.columns())
	if errors.Is(err, enms.ErrNotFound) || err == nil && row[typeField] != b.typ {
		return nil, nil
	}
	return row, err
}

// columns returns the columns of a workflow or network that a layout needs.
func (b Builder) columns() []string {
	if b.labelled {
		return []string{LabelsField}
	}
	return nil
}

// canvasOf returns the canvas in an answer, without members.
func canvasOf(row enms.Object) canvas {
	name, _ := row["name"].(string)
	return canvas{name: name, id: fmt.Sprint(row["id"]), labels: labelsOf(row[LabelsField]), row: row}
}

// sharing says whether a search for members is shared with the searches of other layouts that are written or removed at
// the same time.
type sharing bool

const (
	alone  sharing = false
	shared sharing = true
)

// read finds the workflow or network of a state, and its members. If the listed ones are known to be members, it finds
// them by their names, which shares requests with whoever reads services. Otherwise, or if nothing is listed, it searches
// for all members.
func (b Builder) read(ctx context.Context, p *resources.Provider, name string, state known, listed map[string]bool) (canvas, error) {
	found, err := b.find(ctx, p, p.Client.Find, name, state, reading.Earlier)
	if err != nil {
		return found, err
	}
	var rows []enms.Object
	if names := slices.Collect(maps.Keys(follow(b, listed, name, found.name))); listed != nil && b.areMembers(p.Client, found.name, names) {
		rows, err = b.findMembers(ctx, p.Client, names)
	} else {
		rows, err = b.membersOf(ctx, p.Client, found.name, alone)
	}
	found.setMembers(rows)
	return found, err
}

// areMembers reports whether it is known, without a request, that all names are members of a workflow or network: by
// the names themselves, or from what was read of the members or of their container.
func (b Builder) areMembers(client *enms.Client, container string, names []string) bool {
	relation := enms.Relation{Name: b.relation, Of: b.searchType, Inverse: b.members}
	return enms.All(names, func(name string) bool {
		return b.isMemberByName(container, name) || client.KnowsMember(b.memberType, name, relation, container)
	})
}

// findMembers finds members by their names. Those that do not exist are not among the rows.
func (b Builder) findMembers(ctx context.Context, client *enms.Client, names []string) ([]enms.Object, error) {
	found, err := resources.Each(ctx, names, func(ctx context.Context, name string) (enms.Object, error) {
		row, err := client.Find(ctx, b.memberType, name, []string{PositionsField})
		if errors.Is(err, enms.ErrNotFound) {
			return nil, nil
		}
		return row, err
	})
	return slices.DeleteFunc(found, func(row enms.Object) bool { return row == nil }), err
}

// readToWrite is read for a write, which returns an error if the workflow or network has another name by now. It reads
// the labels last, because eNMS replaces all labels of a workflow at once, those of others, too. Without needsLabels, an
// earlier answer about the workflow is enough.
func (b Builder) readToWrite(ctx context.Context, p *resources.Provider, name string, state known, search sharing, needsLabels bool) (canvas, error) {
	rows, err := b.membersOf(ctx, p.Client, name, search)
	if err != nil {
		return canvas{}, err
	}
	ask := p.Client.FindNow
	if row := p.Client.Known(b.typ, name); row != nil && !needsLabels {
		ask = func(context.Context, string, string, []string) (enms.Object, error) { return row, nil }
	}
	found, err := b.find(ctx, p, ask, name, state, reading.Now)
	if err == nil && found.name != name {
		err = fmt.Errorf("somebody renamed it to %q after the plan was made. Plan again", found.name)
	}
	found.setMembers(rows)
	return found, err
}

// membersOf returns the members of a workflow or network. If the search is shared, the rows may contain members of
// others. PostgreSQL refuses some shared searches (enms-rest.md 10.6), which are then made alone.
func (b Builder) membersOf(ctx context.Context, client *enms.Client, name string, search sharing) ([]enms.Object, error) {
	if search == shared {
		rows, err := client.RelatedToAny(ctx, b.memberType, b.relation, name, []string{PositionsField})
		if !enms.InternalServerError(err) {
			return rows, err
		}
	}
	return client.Search(ctx, b.memberType, []string{PositionsField}, map[string]any{b.relation: []string{name}})
}

// setMembers sets the members to the rows of a search. If the search was shared, members of others may be among them.
func (c *canvas) setMembers(rows []enms.Object) {
	c.members = map[string]member{}
	for _, row := range rows {
		m := member{id: fmt.Sprint(row["id"])}
		name, _ := row["name"].(string)
		m.typ, _ = row[typeField].(string)
		stored, _ := row[PositionsField].(map[string]any)
		if p, ok := positionOf(stored[c.name]); ok {
			m.at = &p
		}
		c.members[name] = m
	}
}

// missing returns the wanted names that are not members.
func (c canvas) missing(wanted positions) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if _, is := c.members[name]; !is {
			names = append(names, name)
		}
	}
	return names
}

// absence says whether it is an error that somebody deletes a member before it is moved.
type absence bool

const (
	mustExist absence = false
	mayBeGone absence = true
)

// move moves members to the wanted positions, in one list for each type, unless they already have them. It sends
// their ids, too, because eNMS does not create an instance for the id of one that is gone (enms-rest.md 0.2), or that
// the user cannot edit (6.2).
func (b Builder) move(ctx context.Context, client *enms.Client, c canvas, wanted positions, gone absence) error {
	moves, ctx := errgroup.WithContext(ctx)
	for name, p := range wanted {
		m := c.members[name]
		if m.at != nil && m.at.equal(p) {
			continue
		}
		moves.Go(func() error {
			payload := enms.Object{"id": json.Number(m.id), "name": name, PositionsField: map[string]any{c.name: p.payload()}}
			err := client.Upsert(ctx, enms.Type{Name: b.writtenAs(m.typ)}, payload)
			if _, is := errors.AsType[*enms.RefusedError](err); is {
				return b.explainRefusal(ctx, client, c, name, gone, err)
			}
			return err
		})
	}
	return moves.Wait()
}

// explainRefusal explains why eNMS has refused to move a member: the user cannot edit what stores the position, or the
// member is gone. It returns nil for a member that is gone and may be (mayBeGone).
func (b Builder) explainRefusal(ctx context.Context, client *enms.Client, c canvas, name string, gone absence, refused error) error {
	typ := b.writtenAs(c.members[name].typ)
	_, err := client.FindNow(ctx, typ, name, nil)
	switch line, _ := client.Line(ctx); {
	case errors.Is(err, enms.ErrNotFound) && gone == mayBeGone:
		return nil
	case err != nil:
		return refused
	case line == object.Line5: // the workflow or network stores it
		return explainRight(ctx, client, b.typ, c.name, refused)
	}
	return explainRight(ctx, client, typ, name, refused)
}

// explainRight adds to the refusal of an id that the user may lack the right to edit the instance.
func explainRight(ctx context.Context, client *enms.Client, typ, name string, err error) error {
	if refused, is := errors.AsType[*enms.RefusedError](err); !is || !refused.UnknownID || client.IsAdministrator(ctx) {
		return err
	}
	return fmt.Errorf("%w. Perhaps this user may read the %s %q, but not edit it: then add a group of this user to its rbac_edit", err, typ, name)
}

// draw draws labels and removes others. eNMS replaces all labels of a workflow at once, so c must have been
// read immediately before.
func (b Builder) draw(ctx context.Context, client *enms.Client, c canvas, wanted map[string]label, removed []string) error {
	all, changed := c.labels.with(wanted, removed)
	if !changed {
		return nil
	}
	err := client.Upsert(ctx, enms.Type{Name: b.typ}, enms.Object{"id": json.Number(c.id), "name": c.name, LabelsField: map[string]any(all)})
	return explainRight(ctx, client, b.typ, c.name, err)
}
