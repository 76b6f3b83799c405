// The databases that eNMS runs on, and in what they differ: what they compare,
// refuse and keep. Everything else of the simulator asks here.

package simulator

import (
	"fmt"
	"slices"
	"strings"
)

// Database is what a server keeps its instances in.
type Database int

const (
	// SQLite keeps whatever it is given and tells upper case from lower case.
	SQLite Database = iota
	// PostgreSQL keeps what fits its columns, compares only like with like, cannot
	// hold NUL, and refuses GROUP BY over the tables of a subtype.
	PostgreSQL
	// MariaDB (or MySQL) with utf8mb4 keeps what fits its columns. Texts are equal
	// without regard to case, accents, spaces at the end, and any two characters
	// outside the Basic Multilingual Plane.
	MariaDB
	// MariaDBUTF8 is MariaDB with the old character set utf8, which has no
	// characters outside the Basic Multilingual Plane.
	MariaDBUTF8
)

var databaseNames = []string{"sqlite", "postgresql", "mariadb", "mariadb-utf8"}

// String is the name by which the command knows a database.
func (d Database) String() string { return databaseNames[d] }

// ParseDatabase is the database of a name: sqlite, postgresql, mariadb or
// mariadb-utf8.
func ParseDatabase(name string) (Database, error) {
	at := slices.Index(databaseNames, name)
	if at < 0 {
		return SQLite, fmt.Errorf("there is no database %q, only %s", name, strings.Join(databaseNames, ", "))
	}
	return Database(at), nil
}

// dialect is one database as the rest of the simulator sees it.
type dialect struct {
	// equal brings texts that the database holds for equal into one form.
	equal func(string) string
	// contained brings texts into the form in which LIKE looks for one in another.
	contained func(string) string
	// before compares two cells as ORDER BY does.
	before func(a, b any) int
	// keep is what a column holds once a value was written to it; ok is false when
	// the database refuses the value, which fails the whole request.
	keep func(f *field, v any) (stored any, ok bool)
	// operand is the value of a condition as it is compared with a column; ok is
	// false when the two cannot be compared, which breaks the request.
	operand func(f *field, v any) (want any, ok bool)
	// likable says whether LIKE can look into a column.
	likable func(f *field) bool
	// bind refuses a text that the database cannot even compare with texts.
	bind func(text string) error
	// bindAll says that bind goes for numbers, too.
	bindAll bool
	// pattern is a regular expression of the database in the notation of Go; ok is
	// false when the database cannot compile it.
	pattern func(value any) (expression string, ok bool)
	// compilesFirst databases look at a pattern even when there is no row to try.
	compilesFirst bool
	// lenientEnd: the $ of a pattern also stands before a line feed at the end.
	lenientEnd bool
	// strict databases enforce foreign keys, count ids up without ever going back,
	// and know no negative limits.
	strict bool
	// groupsSubtypes says that a search by union works for subtypes, whose columns
	// are in several tables.
	groupsSubtypes bool
	// joins is how many tables one search takes, 0 for any number.
	joins int
	// joinsParents says that the tables of the parents of what is joined count.
	joinsParents bool
	// The words in which a commit is refused (0.1), for a table and a name.
	duplicate func(table, column, value string) *pyError
	dangling  func(table string) *pyError
	unfit     func(column string) *pyError
}

var dialects = [...]*dialect{SQLite: sqlite(), PostgreSQL: postgresql(), MariaDB: mariadb(), MariaDBUTF8: mariadbUTF8()}

// same says whether a cell equals the value of a condition.
func (d *dialect) same(have, want any) bool {
	if a, ok := have.(string); ok {
		switch b := want.(type) {
		case string:
			return a == b || d.equal(a) == d.equal(b)
		case float64: // MariaDB: a text column and a number
			return leadingNumber(a) == b
		}
	}
	return have != nil && want != nil && compareCells(have, want) == 0
}

// sameText says whether two texts are equal.
func (d *dialect) sameText(a, b string) bool { return a == b || d.equal(a) == d.equal(b) }

// admits says whether a value of a condition on a column can be sent at all.
func (d *dialect) admits(f *field, value any) bool {
	text, ok := value.(string)
	return !ok || d.bind(text) == nil || !d.bindAll && f.number()
}

// number says whether a column holds numbers.
func (f *field) number() bool { return f.kind == kindInt || f.kind == kindFloat || f.kind == kindBool }

func unchanged(s string) string { return s }

func anyText(text string) error { return encodable(text) }

func anyColumn(*field) bool { return true }
