// This file finds out which line of eNMS this is, from the rows that it returns (enms-rest.md 11.1).

package endpoint

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// line is what is known of the line of eNMS, and the words in which eNMS 5 differs.
type line struct {
	words  object.Words
	number atomic.Int32 // 0 until it is known

	asking sync.Mutex // held while eNMS is asked
	asked  bool       // eNMS was asked for the user
	self   Object     // the user; nil if eNMS did not return it

	service Object // one that every eNMS has; nil until it is asked for
}

// dated are types whose instances all have LineField on eNMS 5: without it, this is 4.7.
var dated = []string{"user", deviceType, linkType, "service", "pool", "task", "credential", "group"}

// learn learns the line from rows that would have LineField.
func (l *line) learn(typ string, rows ...Object) {
	for _, row := range rows {
		if _, has := row[object.LineField]; has {
			l.number.Store(object.Line5)
		} else if _, has := row["name"]; has && slices.Contains(dated, typ) {
			l.number.CompareAndSwap(0, object.Line4)
		}
	}
}
