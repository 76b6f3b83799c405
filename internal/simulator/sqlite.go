// SQLite: any column keeps any value, nothing is refused but what has no form in
// SQL (1.1).

package simulator

func sqlite() *dialect {
	return &dialect{
		equal:     unchanged,
		contained: lowerASCII,
		before:    compareCells,
		keep:      func(f *field, v any) (any, bool) { return convert(f.kind, v) },
		operand: func(f *field, v any) (any, bool) {
			if f.number() {
				return convert(kindInt, v)
			}
			return convert(kindText, v)
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
		duplicate: func(table, column, _ string) *pyError {
			return refusedBy("IntegrityError", "gkpj", "(sqlite3.IntegrityError) UNIQUE constraint failed: %s.%s", table, column)
		},
		dangling: func(string) *pyError {
			return refusedBy("IntegrityError", "gkpj", "(sqlite3.IntegrityError) FOREIGN KEY constraint failed")
		},
		unfit: func(string) *pyError {
			return refusedBy("InterfaceError", "rvf5", "(sqlite3.InterfaceError) Error binding parameter - probably unsupported type.")
		},
	}
}
