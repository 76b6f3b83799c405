// SQLite: any column keeps any value, nothing is refused but what has no form in
// SQL (1.1).

package database

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"

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
		bind:    anyText,
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
