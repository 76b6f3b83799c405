// This file lets writes wait for places: values that no two instances may share, such as the ends of
// an edge (enms-rest.md 1.13).

package applying

import (
	"context"
	"time"
)

// Places records which instances have left their places. The zero value is ready to use.
type Places struct {
	Writes Activity // the writes in progress of instances that have places

	left releases[string] // by the ids of the instances that have left their places
}

// Now returns how often any instance has left its place.
func (p *Places) Now() int { return p.left.now() }

// Leave wakes the operations that wait for an instance: it may have left its place.
func (p *Places) Leave(id string) {
	p.left.add(id)
	p.Writes.change(0, 0)
}

// Await waits until occupant has left its place after since, a value of Now, and reports whether it has. It gives up after
// patience if all other writes in progress are waiting too: Terraform begins the write of the other instance at about
// the same time. Those of the same group, if it is not nil, give up with it: for Terraform, they are one operation.
func (p *Places) Await(ctx context.Context, group any, occupant string, since int, patience time.Duration) bool {
	return p.Writes.Await(ctx, group, patience, func() bool { return p.left.since(occupant, since) })
}
