// What other versions of eNMS answer otherwise than 4.7 (enms-rest.md 8). A
// version is never asked for, because no endpoint tells it: each difference is
// learned from the answer in which it shows.

package enms

import (
	"regexp"
	"sync/atomic"
)

// variant is what is known of the eNMS at the other end. The zero value is 4.7.
type variant struct {
	// allowNone: a query without a match answers 403 unless it says that there
	// may be none, as before June 2023.
	allowNone atomic.Bool
	// noNode: there is no type "node", as before 4.2 and from 5.0 on.
	noNode atomic.Bool
	// noUnion holds the types that the database refuses to search by several names of
	// a relation (enms-rest.md 10.6).
	noUnion nameSet
}

// nodeType is the type within which the names of devices and networks differ;
// deviceType stands for it where it is not known.
const (
	nodeType   = "node"
	deviceType = "device"
)

// likeVersion4 gives a row of eNMS 5 the type that version 4 would give it: what
// was a device is called a generic_device there.
func likeVersion4(row map[string]any) {
	if row["type"] == "generic_device" {
		row["type"] = deviceType
	}
}

// softDeleted is the property of what was deleted in the Workflow Builder of
// eNMS 5: the row stays, and so does its name.
const softDeleted = "soft_deleted"

// deleted tells that a row is only left of something that was deleted.
func deleted(row map[string]any) bool { return row[softDeleted] == true }

// uniqueViolation matches the reason of a failure in which the database refused
// a name that is taken. Version 4 answers 500 instead.
var uniqueViolation = regexp.MustCompile(`(?i)UNIQUE constraint failed|duplicate key value violates unique|Duplicate entry`)

// databaseError matches the message of a failure that the database caused: eNMS
// has then undone what it did for the earlier entries of the list, although it
// answers success for them (enms-rest.md 10).
var databaseError = regexp.MustCompile(`sqlalchemy|psycopg|MySQLdb|pymysql|NUL \(0x00\)`)
