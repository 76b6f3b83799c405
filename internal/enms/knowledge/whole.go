// Types: the instances of types that were queried as a whole.

package knowledge

import (
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// Types holds the instances of types that were queried as a whole, without their relations.
type Types struct {
	mu    *sync.Mutex
	known map[string]*wholeType
}

// wholeType is what is known of a type.
type wholeType struct {
	asked   int                        // instances that callers wanted
	queried bool                       // successfully or not
	rows    map[string]endpoint.Object // by name
}

func (t *Types) of(typ string) *wholeType {
	if t.known[typ] == nil {
		t.known[typ] = &wholeType{}
	}
	return t.known[typ]
}

// Ask counts instances that callers want. many reports whether they are worth a query of the
// type, queried whether that has been made.
func (t *Types) Ask(typ string, instances int) (many, queried bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.of(typ)
	of.asked += instances
	return of.asked >= ManyReaders, of.queried
}

// Learn notes the instances that a query of a type has returned, or with nil that it failed.
func (t *Types) Learn(typ string, rows []endpoint.Object) {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.of(typ)
	of.queried, of.rows = true, endpoint.RowsBy("name", rows, nil)
}

func (t *Types) row(typ, name string) endpoint.Object {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.of(typ).rows[name]
}
