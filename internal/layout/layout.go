// Package layout is the resource enms_workflow_layout: where the services of a
// workflow stand in eNMS's Workflow Builder (enms-rest.md 1.16).
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
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// The types and fields of eNMS that a layout is about.
const (
	serviceType    = "service"
	workflowType   = "workflow"
	positionsField = "positions"
	membersField   = "workflows"
)

// position is where a service stands; eNMS counts to the right and downwards.
type position struct{ x, y json.Number }

// payload returns the position as eNMS keeps it.
func (p position) payload() []any { return []any{p.x, p.y} }

// equal reports whether two positions are the same, in as many digits as eNMS keeps.
func (p position) equal(other position) bool { return value.Equal(p.payload(), other.payload()) }

// positionOf reads a position; eNMS keeps anything (enms-rest.md 1.16), so that
// what is none counts as unset.
func positionOf(x any) (position, bool) {
	pair, _ := x.([]any)
	if len(pair) != 2 {
		return position{}, false
	}
	right, ok1 := pair[0].(json.Number)
	down, ok2 := pair[1].(json.Number)
	return position{right, down}, ok1 && ok2
}

// positions are those of a workflow's services, by their full names.
type positions map[string]position

// errNoWorkflow tells that a workflow does not exist.
var errNoWorkflow = errors.New("there is no workflow with that name that this user may read")

// notMemberError tells that services are not in the workflow.
type notMemberError struct {
	workflow string
	services []string
}

// Error tells it in one line.
func (e *notMemberError) Error() string {
	return fmt.Sprintf("%q are not in the workflow %q", e.services, e.workflow)
}

// read returns the members of a workflow with their positions; a member without one is there
// with a nil position. One search answers all (enms-rest.md 1.16).
func read(ctx context.Context, client *enms.Client, workflow string) (map[string]*position, error) {
	rows, err := client.Search(ctx, serviceType, []string{positionsField}, map[string]any{membersField: []string{workflow}})
	if err != nil {
		return nil, err
	}
	members := map[string]*position{}
	for _, row := range rows {
		name, _ := row["name"].(string)
		members[name] = nil
		kept, _ := row[positionsField].(map[string]any)
		if p, ok := positionOf(kept[workflow]); ok {
			members[name] = &p
		}
	}
	return members, nil
}

// current finds a workflow that had a name and an id, which is empty when it is not known:
// the name that it has now, if somebody has renamed it, and its id. Ids are given to others
// after a deletion (enms-rest.md 0.2); of a layout that is no harm, because it is written by
// the name that is configured.
func current(ctx context.Context, client *enms.Client, name, id string) (nameNow, idNow string, err error) {
	row, err := client.Find(ctx, serviceType, name, nil)
	if err != nil && !errors.Is(err, enms.ErrNotFound) {
		return "", "", err
	}
	isThere := err == nil && row["type"] == workflowType
	if idNow = fmt.Sprint(row["id"]); isThere && (id == "" || id == idNow) {
		return name, idNow, nil
	}
	if id != "" {
		renamed, err := client.FindByID(ctx, workflowType, id)
		if err == nil {
			nameNow, _ = renamed["name"].(string)
			return nameNow, id, nil
		} else if !errors.Is(err, enms.ErrNotFound) {
			return "", "", err
		}
	}
	if !isThere {
		return "", "", errNoWorkflow
	}
	return name, idNow, nil
}

// follow returns positions under the names that the services have after their workflow was
// renamed (enms-rest.md 1.5).
func follow[P any](all map[string]P, from, to string) map[string]P {
	if all == nil || from == to {
		return all
	}
	followed := make(map[string]P, len(all))
	for name, p := range all {
		if workflow, own := servicename.Split(name); workflow == from {
			name = servicename.Join(to, own)
		}
		followed[name] = p
	}
	return followed
}

// write moves the services to where they are wanted, in one list. Nothing is sent
// for those that stand there already, and nothing at all when one is not in the
// workflow: eNMS would create what it does not know.
func write(ctx context.Context, client *enms.Client, workflow string, wanted positions) error {
	members, err := read(ctx, client, workflow)
	if err == nil && len(members) == 0 { // A workflow has Start and End, unless somebody took them out of it.
		_, _, err = current(ctx, client, workflow, "")
	}
	if err != nil {
		return err
	}
	missing := &notMemberError{workflow: workflow}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if _, is := members[name]; !is {
			missing.services = append(missing.services, name)
		}
	}
	if len(missing.services) > 0 {
		return missing
	}
	moves, ctx := errgroup.WithContext(ctx)
	for name, p := range wanted {
		if have := members[name]; have == nil || !have.equal(p) {
			moves.Go(func() error {
				return client.Upsert(ctx, enms.Type{Name: serviceType}, enms.Object{"name": name, positionsField: map[string]any{workflow: p.payload()}})
			})
		}
	}
	return moves.Wait()
}
