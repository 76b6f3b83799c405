// This file declares what a creation and an update have in common.

package instance

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// write is the creation or the update of an instance, while it is applied.
type write struct {
	i      *Instances // those of the kind
	kind   *kind.Kind
	client *enms.Client
	run    *applying.Run

	config  kind.Values   // as configured, with the provider's defaults
	planned kind.Values   // as planned; a creation may complete it (setName)
	prior   kind.Values   // the state before an update, or before an adoption; nil for a creation
	private record.Record // the record before an update
	existed bool          // whether eNMS had the instance before what was written last
}

// write returns the write of an instance.
func (r *Instances) write(config, planned, prior kind.Values, private record.Record) *write {
	return &write{r, r.Kind, r.Provider.Client, &r.Provider.Run, config, planned, prior, private, prior != nil}
}

// name returns the planned name.
func (w *write) name() string { return value.Text(w.planned[kind.RowName]) }

// nameBefore returns the name in the state before an update, or "".
func (w *write) nameBefore() string { return value.Text(w.prior[kind.RowName]) }

// idBefore returns the id in the state before an update, or "".
func (w *write) idBefore() string { return value.Text(w.prior[kind.RowID]) }

// verb returns what the write does, for errors.
func (w *write) verb() string {
	if w.prior == nil {
		return failures.Create
	}
	return failures.Update
}

// clientType returns the type of the instance for the client's writes.
func (w *write) clientType() enms.Type { return w.i.clientType(w.planned) }
