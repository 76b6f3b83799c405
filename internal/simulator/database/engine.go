// The databases that eNMS runs on, and SQLite, which stores any value in any column, and refuses only
// values that have no form in SQL (1.1).

package database

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// Engine is the database in which a server stores its instances.
type Engine int

const (
	// SQLite stores any value, and distinguishes upper and lower case.
	SQLite Engine = iota
	// PostgreSQL stores only values that fit the column, compares only values of the same type, cannot
	// store NUL, and refuses GROUP BY over the tables of a subtype.
	PostgreSQL
	// MariaDB (or MySQL) with utf8mb4 stores only values that fit the column. Comparisons ignore case, accents and
	// spaces at the end, and treat any two characters outside the Basic Multilingual Plane as equal.
	MariaDB
	// MariaDBUTF8 is MariaDB with the old character set utf8, which has no
	// characters outside the Basic Multilingual Plane.
	MariaDBUTF8
)

var databaseNames = []string{"sqlite", "postgresql", "mariadb", "mariadb-utf8"}

// String returns the name of a database on the command line.
func (d Engine) String() string { return databaseNames[d] }

// ParseEngine returns the database with a name: sqlite, postgresql, mariadb or mariadb-utf8.
func ParseEngine(name string) (Engine, error) {
	at := slices.Index(databaseNames, name)
	if at < 0 {
		return SQLite, fmt.Errorf("there is no database %q, only %s", name, strings.Join(databaseNames, ", "))
	}
	return Engine(at), nil
}

var dialects = [...]*dialect{SQLite: sqlite(), PostgreSQL: postgresql(), MariaDB: mariadb(), MariaDBUTF8: mariadbUTF8()}

func sqlite() *dialect {
	return &dialect{
		equal:     unchanged,
		contained: lowerASCII,
		before:    CompareCells,
		keep:      func(f *Field, v any) (any, bool) { return Convert(f.Kind, v) },
		operand: func(f *Field, v any) (any, bool) {
			if f.number() {
				return Convert(KindInt, v)
			}
			return Convert(KindText, v)
		},
		likable: anyColumn,
		bind:    python.CheckEncodable,
		pattern: func(value any) (string, bool) {
			pattern, ok := value.(string)
			return fromPython(pattern), ok
		},
		lenientEnd:     true,
		groupsSubtypes: true,
		joins:          64,
		joinsParents:   true,
		duplicate: func(table, column, _ string) *python.Error {
			return refusedBy("IntegrityError", "gkpj", "(sqlite3.IntegrityError) UNIQUE constraint failed: %s.%s", table, column)
		},
		dangling: func(string) *python.Error {
			return refusedBy("IntegrityError", "gkpj", "(sqlite3.IntegrityError) FOREIGN KEY constraint failed")
		},
		unfit: func(string) *python.Error {
			return refusedBy("InterfaceError", "rvf5", "(sqlite3.InterfaceError) Error binding parameter - probably unsupported type.")
		},
	}
}
