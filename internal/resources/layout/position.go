// This file reads and writes positions.

package layout

import (
	"encoding/json"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// position is a position in a builder. x increases to the right, and y downwards.
type position struct{ x, y json.Number }

// payload returns the position as eNMS stores it.
func (p position) payload() []any { return []any{p.x, p.y} }

// equal reports whether two positions are the same, in as many digits as eNMS stores.
func (p position) equal(other position) bool { return value.Equal(p.payload(), other.payload()) }

// positionOf reads a position. eNMS stores any value (enms-rest.md 1.16); ok is false if it is not a position.
func positionOf(x any) (p position, ok bool) {
	pair, _ := x.([]any)
	if len(pair) != 2 {
		return position{}, false
	}
	right, ok1 := pair[0].(json.Number)
	down, ok2 := pair[1].(json.Number)
	return position{right, down}, ok1 && ok2
}
