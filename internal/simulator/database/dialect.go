// How the databases differ: which strings they treat as equal, what they refuse, and what they store.

package database

import (
	"strconv"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

type dialect struct {
	// equal returns the same string for all strings that the database treats as equal.
	equal func(string) string
	// contained returns a string in the form in which LIKE looks for it in another string.
	contained func(string) string
	// before compares two cells as ORDER BY does.
	before func(a, b any) int
	// keep returns what a column contains after a value was written to it. ok is false if the
	// database refuses the value, and with it the whole request.
	keep func(f *Field, v any) (stored any, ok bool)
	// operand returns the value of a condition as it is compared with a column. ok is false
	// if the database cannot compare the value with the column, which fails the request.
	operand func(f *Field, v any) (want any, ok bool)
	// likable reports whether LIKE can look into a column.
	likable func(f *Field) bool
	// bind returns the error for a string that cannot be sent to the database at all, such as one with a
	// NUL on PostgreSQL.
	bind func(text string) error
	// bindAll is set if such a string is an error in a condition on a number column, too.
	bindAll bool
	// pattern translates a regular expression of the database to the notation of Go. ok is
	// false if the database cannot compile it.
	pattern func(value any) (expression string, ok bool)
	// compilesFirst is set if the database compiles a pattern even when it compares no row with it.
	compilesFirst bool
	// lenientEnd is set if the $ of a pattern also matches before a line feed at the end.
	lenientEnd bool
	// strict is set if the database enforces foreign keys, never uses an id twice, and refuses negative limits.
	strict bool
	// groupsSubtypes is set if a search by union works for subtypes, whose columns are in several tables.
	groupsSubtypes bool
	// joins is how many tables one search may join, 0 for any number.
	joins int
	// joinsParents is set if the tables of the parents of a joined type count, too.
	joinsParents bool
	// The errors of a refused commit (0.1).
	duplicate func(table, column, value string) *python.Error
	dangling  func(table string) *python.Error
	unfit     func(column string) *python.Error
}

// refusedBy returns an error of the database as SQLAlchemy words it. The message of the database is not in
// the last line.
func refusedBy(class, code, format string, args ...any) *python.Error {
	return python.Raise("sqlalchemy.exc."+class, format+"\n[SQL: ...]\n(Background on this error at: https://sqlalche.me/e/14/"+code+")", args...)
}

// same reports whether a cell equals the value of a condition.
func (d *dialect) same(have, want any) bool {
	if a, ok := have.(string); ok {
		switch b := want.(type) {
		case string:
			return d.SameText(a, b)
		case float64: // MariaDB: a string column and a number
			return leadingNumber(a) == b
		}
	}
	return have != nil && want != nil && CompareCells(have, want) == 0
}

// SameText reports whether the database treats two strings as equal.
func (d *dialect) SameText(a, b string) bool { return a == b || d.equal(a) == d.equal(b) }

// placeOf returns the values of Type.Unique of an object as one string, or "" if it has none.
func (d *dialect) placeOf(o *Object) string {
	place := ""
	for _, name := range o.Type.Unique {
		if o.Type.Relations[name] == nil {
			place += d.equal(o.Text(name))
		} else if target := o.ones[name]; target != nil {
			place += strconv.FormatInt(target.ID, 10) + " "
		} else {
			return ""
		}
	}
	return place
}

// admits reports whether a value of a condition on a column can be sent at all.
func (d *dialect) admits(f *Field, value any) bool {
	text, ok := value.(string)
	return !ok || d.bind(text) == nil || !d.bindAll && f.number()
}

func unchanged(s string) string { return s }

func anyColumn(*Field) bool { return true }
