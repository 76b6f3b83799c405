// What a column holds once a value was written to it, as SQLite converts it (1.1), and how
// SQL compares it.

package database

import (
	"cmp"
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// Convert returns what a column of kind k holds once v was written to it. ok is false
// when the database refuses the value, which fails the whole request.
func Convert(k Kind, v any) (stored any, ok bool) {
	if v == nil {
		return nil, true
	}
	if _, big := v.(json.Number); big && k != KindDict && k != KindList && k != KindJSON {
		return nil, false
	}
	if f, is := v.(float64); is && math.IsNaN(f) && (k == KindText || k == KindInt || k == KindFloat) {
		return nil, true // as SQLite binds it
	}
	switch k {
	case KindText, KindSecret:
		return convertText(v)
	case KindInt:
		return convertInt(v)
	case KindFloat:
		return convertFloat(v)
	default:
		return v, true
	}
}

func convertText(v any) (any, bool) {
	switch v := v.(type) {
	case string:
		return v, python.CheckEncodable(v) == nil
	case bool:
		if v {
			return "1", true
		}
		return "0", true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		if math.IsInf(v, 0) {
			return map[bool]string{true: "Inf", false: "-Inf"}[v > 0], true
		}
		return python.FloatRepr(v), true
	default:
		return nil, false
	}
}

func convertInt(v any) (any, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return int64(1), true
		}
		return int64(0), true
	case int64:
		return v, true
	case float64:
		return integral(v), true
	case string:
		if n, ok := numeric(v); ok {
			return n, true
		}
		return v, true
	default:
		return nil, false
	}
}

func convertFloat(v any) (any, bool) {
	n, ok := convertInt(v)
	if !ok {
		return nil, false
	}
	switch n := n.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	default:
		return nil, false
	}
}

// integral returns a float as an INTEGER column keeps it.
func integral(f float64) any {
	if f == math.Trunc(f) && math.Abs(f) < 1<<63 {
		return int64(f)
	}
	return f
}

// numeric reads a string as SQLite's numeric affinity does.
func numeric(s string) (any, bool) {
	s = strings.TrimSpace(s)
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	if s == "" || strings.ContainsAny(s, "xXpPnN_") { // Go reads more notations than SQLite
		return nil, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return nil, false
	}
	return integral(f), true
}

// CompareCells orders values as SQLite does: NULL, numbers, strings.
func CompareCells(a, b any) int {
	rank := func(v any) int {
		switch v.(type) {
		case nil:
			return 0
		case string:
			return 2
		default:
			return 1
		}
	}
	if byRank := cmp.Compare(rank(a), rank(b)); byRank != 0 {
		return byRank
	}
	switch a := a.(type) {
	case nil:
		return 0
	case string:
		return strings.Compare(a, b.(string))
	default:
		return cmp.Compare(toFloat(a), toFloat(b))
	}
}

func toFloat(v any) float64 {
	f, _ := convertFloat(v)
	n, _ := f.(float64)
	return n
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

var numberAtStart = regexp.MustCompile(`^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?`)

func leadingNumber(text string) float64 {
	n, _ := strconv.ParseFloat(strings.TrimSpace(numberAtStart.FindString(text)), 64)
	return n
}
