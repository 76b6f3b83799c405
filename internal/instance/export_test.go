// This file opens the package to tests that need the kinds, which import it.

package instance

import (
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// StateOf is stateOf.
func (k *Kind) StateOf(answer enms.Object, before Values) (Values, error) {
	return k.stateOf(answer, before)
}

// DataOf is what the data source makes of an answer.
func (k *Kind) DataOf(answer enms.Object) (Values, error) {
	return (&instanceDataSource{kind: k}).values(answer)
}

// UpdatePayload is updatePayload.
func (k *Kind) UpdatePayload(planned, prior Values) enms.Object {
	return k.updatePayload(planned, prior)
}

// Unknown is the attribute before anything is known of it.
func (a Attribute) Unknown() tftypes.Value { return a.unknown() }

// Label, Quoted, and Property are label, quoted and property.
var (
	Label    = label
	Quoted   = quoted
	Property = Attribute.property
)
