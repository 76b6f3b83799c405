// PostgreSQL: columns accept only values of their type and length, and only values of the same type can be
// compared. Strings are compared byte by byte.

package database

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

func postgresql() *dialect {
	return &dialect{
		equal:     unchanged,
		contained: unchanged,
		before:    nullsLast,
		keep:      keepPostgreSQL,
		operand:   operandPostgreSQL,
		likable:   func(f *Field) bool { return !f.number() && f.Kind != KindJSON },
		bind: func(text string) error {
			if strings.Contains(text, "\x00") {
				return python.Raise("ValueError", "A string literal cannot contain NUL (0x00) characters.")
			}
			return python.CheckEncodable(text)
		},
		bindAll: true,
		pattern: func(value any) (string, bool) {
			pattern, ok := value.(string)
			return fromPostgreSQL(pattern), ok
		},
		compilesFirst: true,
		strict:        true,
		duplicate: func(table, column, value string) *python.Error {
			return refusedBy("IntegrityError", "gkpj", "(psycopg2.errors.UniqueViolation) duplicate key value violates unique constraint \"%s_%s_key\"\nDETAIL:  Key (%s)=(%s) already exists.", table, column, column, value)
		},
		dangling: func(table string) *python.Error {
			return refusedBy("IntegrityError", "gkpj", "(psycopg2.errors.ForeignKeyViolation) insert, update or delete on table \"%s\" violates foreign key constraint", table)
		},
		unfit: func(string) *python.Error {
			return refusedBy("DataError", "9h9h", "(psycopg2.errors.StringDataRightTruncation) value too long or not of the column's type")
		},
	}
}

// nullsLast is dialect.before.
func nullsLast(a, b any) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	default:
		return CompareCells(a, b)
	}
}

// keepPostgreSQL is dialect.keep.
func keepPostgreSQL(f *Field, v any) (any, bool) {
	switch {
	case v == nil:
		return nil, true
	case f.Kind == KindInt:
		return integerPostgreSQL(v)
	case f.Kind == KindFloat:
		if _, isFlag := v.(bool); isFlag {
			return nil, false
		}
		return convertFloat(v)
	case f.Kind == KindText:
		text, ok := textPostgreSQL(v)
		if !ok || strings.Contains(text, "\x00") {
			return nil, false
		}
		return fitted(f, text)
	case f.Kind == KindSecret:
		return keepSecret(f, v)
	case f.Kind == KindJSON:
		return v, python.IsJSON(v)
	default:
		return Convert(f.Kind, v)
	}
}

// textPostgreSQL converts a value to a string: Booleans to words, and lists of strings to arrays.
func textPostgreSQL(v any) (string, bool) {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		if !python.Finite(v) {
			return python.FloatJSON(v), true
		}
		return python.FloatRepr(v), true
	case []any:
		texts := make([]string, len(v))
		for i := range v {
			text, ok := v[i].(string)
			if !ok {
				return "", false
			}
			texts[i] = text
		}
		return "{" + strings.Join(texts, ",") + "}", true
	default:
		text, ok := convertText(v)
		s, _ := text.(string)
		return s, ok
	}
}

// integerPostgreSQL converts a value to an integer. It accepts strings that are whole numbers, and rounds
// numbers.
func integerPostgreSQL(v any) (any, bool) {
	switch v := v.(type) {
	case int64:
		return in32Bits(v)
	case float64:
		if !python.Finite(v) || math.Abs(math.Round(v)) > math.MaxInt32 {
			return nil, false
		}
		return in32Bits(int64(math.Round(v)))
	case string:
		n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 32)
		return n, err == nil
	default:
		return nil, false
	}
}

func in32Bits(n int64) (any, bool) { return n, n >= math.MinInt32 && n <= math.MaxInt32 }

// fitted returns a string as a column of limited length stores it: spaces beyond the limit are removed, and
// longer strings are refused.
func fitted(f *Field, text string) (any, bool) {
	if f.Limit == 0 {
		return text, true
	}
	for utf8.RuneCountInString(text) > f.Limit {
		shorter, ok := strings.CutSuffix(text, " ")
		if !ok {
			return nil, false
		}
		text = shorter
	}
	return text, true
}

// keepSecret refuses a secret that is too long for its column, which stores it in Base64.
func keepSecret(f *Field, v any) (any, bool) {
	text, ok := v.(string)
	if !ok || f.Limit > 0 && (len(text)+2)/3*4 > f.Limit {
		return nil, false
	}
	return text, true
}

// operandPostgreSQL is dialect.operand. Columns of numbers and Booleans read strings. Any other value must be of the
// column's type.
func operandPostgreSQL(f *Field, v any) (want any, ok bool) {
	text, isText := v.(string)
	flag, isFlag := v.(bool)
	switch {
	case f.Kind == KindJSON:
		return nil, false
	case f.Kind == KindBool && isText:
		return flagPostgreSQL(text)
	case f.Kind == KindBool && isFlag:
		return convertInt(flag)
	case f.Kind == KindInt && isText:
		return integerPostgreSQL(text)
	case f.Kind == KindBool, f.number() && isFlag:
		return nil, false
	case f.number():
		return convertFloat(v)
	default:
		return text, isText
	}
}

// flagPostgreSQL reads the words that PostgreSQL accepts for Booleans, and their unambiguous beginnings.
func flagPostgreSQL(text string) (any, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" || text == "o" {
		return nil, false
	}
	for flag, words := range [][]string{{"false", "no", "off", "0"}, {"true", "yes", "on", "1"}} {
		if slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, text) }) {
			return int64(flag), true
		}
	}
	return nil, false
}
