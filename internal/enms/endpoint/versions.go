// What other versions of eNMS answer otherwise than 4.7 (enms-rest.md 8). A
// version is never asked for, because no endpoint tells it: each difference is
// learned from the answer in which it shows.
//
// Other differences are known where they matter: nodetype.go (no type node), write.go in
// package enms (names that are ignored), rest/pace.go (429), and kind/outcome.go (fields that
// are missing).

package endpoint

import (
	"sync"
	"sync/atomic"
)

// variant is what is known of the eNMS at the other end. The zero value is 4.7.
type variant struct {
	// allowNone: a query without a match answers 403 unless it says that there
	// may be none, as before June 2023.
	allowNone atomic.Bool
	// noNode: there is no type "node", as before 4.2 and from 5.0 on.
	noNode atomic.Bool

	comparing  sync.Mutex // held while the comparison is asked for
	comparison *Comparison
}

// Comparison is what a database ignores when it compares names.
type Comparison struct {
	Case, Accents, TrailingBlanks bool
}

// nodeType is the type within which the names of devices and networks differ;
// deviceType stands for it where it is not known.
const (
	nodeType   = "node"
	deviceType = "device"
)

// likeVersion4 sets in a row of eNMS 5 the type that version 4 would give it: what
// was a device is called a generic_device there.
func likeVersion4(row map[string]any) {
	if row["type"] == "generic_device" {
		row["type"] = deviceType
	}
}

// softDeleted is the property of what was deleted in the Workflow Builder of
// eNMS 5: the row stays, and so does its name.
const softDeleted = "soft_deleted"

// Deleted reports whether a row is only left of something that was deleted.
func Deleted(row map[string]any) bool { return row[softDeleted] == true }
