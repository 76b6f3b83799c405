// MariaDB in strict mode, with the collation utf8mb4_general_ci.

package database

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

func mariadb() *dialect {
	return &dialect{
		equal:     func(s string) string { return generalCI(strings.TrimRight(s, " ")) },
		contained: generalCI,
		before:    beforeMariaDB,
		keep:      keepMariaDB,
		operand:   operandMariaDB,
		likable:   anyColumn,
		bind:      python.CheckEncodable,
		pattern:   patternMariaDB,
		// PCRE compiles a constant pattern before it looks at rows.
		compilesFirst:  true,
		lenientEnd:     true,
		strict:         true,
		groupsSubtypes: true,
		joins:          61,
		duplicate: func(_, column, value string) *python.Error {
			return refusedBy("IntegrityError", "gkpj", "(MySQLdb._exceptions.IntegrityError) (1062, \"Duplicate entry '%s' for key '%s'\")", value, column)
		},
		dangling: func(table string) *python.Error {
			return refusedBy("IntegrityError", "gkpj", "(MySQLdb._exceptions.IntegrityError) (1451, 'Cannot delete or update a parent row, or add or update a child row: a foreign key constraint fails (`%s`)')", table)
		},
		unfit: func(column string) *python.Error {
			return refusedBy("DataError", "9h9h", "(MySQLdb._exceptions.DataError) (1406, \"Data too long for column '%s', out of its range, or not of its type\")", column)
		},
	}
}

// mariadbUTF8 returns MariaDB with utf8, which neither stores nor compares characters of four bytes.
func mariadbUTF8() *dialect {
	d := mariadb()
	d.bind = func(text string) error {
		if fourBytes(text) {
			return refusedBy("OperationalError", "e3q8", "(MySQLdb._exceptions.OperationalError) (1267, \"Illegal mix of collations (utf8mb3_general_ci,IMPLICIT) and (utf8mb4_general_ci,COERCIBLE) for operation '='\")")
		}
		return python.CheckEncodable(text)
	}
	d.keep = func(f *Field, v any) (any, bool) {
		if text, ok := v.(string); ok && f.Kind == KindText && fourBytes(text) {
			return nil, false
		}
		return keepMariaDB(f, v)
	}
	return d
}

// fourBytes reports whether a text has a character that takes four bytes in UTF-8.
func fourBytes(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r > 0xffff })
}

// beforeMariaDB is dialect.before.
func beforeMariaDB(a, b any) int {
	x, isText := a.(string)
	if y, isToo := b.(string); isText && isToo {
		return strings.Compare(generalCI(x), generalCI(y))
	}
	return CompareCells(a, b)
}

// keepMariaDB is dialect.keep.
func keepMariaDB(f *Field, v any) (any, bool) {
	number, isFloat := v.(float64)
	switch {
	case v == nil:
		return nil, true
	case f.Kind == KindJSON:
		return v, python.IsJSON(v)
	case isFloat && !python.Finite(number) && (f.Kind == KindInt || f.Kind == KindFloat || f.Kind == KindText):
		return nil, false
	case f.Kind == KindInt:
		return integerMariaDB(v)
	case f.Kind == KindFloat:
		return sixDigits(v)
	case f.Kind == KindText:
		text, ok := textMariaDB(v)
		if !ok {
			return nil, false
		}
		return fitted(f, text)
	case f.Kind == KindSecret:
		return keepSecret(f, v)
	default:
		return Convert(f.Kind, v)
	}
}

// integerMariaDB rounds numbers to the nearest integer. Of two that are equally near, it takes the even
// one for a number, and the one away from zero for a string.
func integerMariaDB(v any) (any, bool) {
	switch v := v.(type) {
	case bool:
		return convertInt(v)
	case int64:
		return in32Bits(v)
	case float64:
		if math.Abs(v) > math.MaxInt32+1 {
			return nil, false
		}
		return in32Bits(int64(math.RoundToEven(v)))
	case string:
		f, err := strconv.ParseFloat(strings.TrimSpace(v), 64) // which also reads 0x1p4, 1_000, inf and nan
		if err != nil || math.Abs(f) > math.MaxInt32+1 || strings.ContainsAny(v, "xXpPnN_") {
			return nil, false
		}
		return in32Bits(int64(math.Round(f)))
	default:
		return nil, false
	}
}

// sixDigits returns what a FLOAT column, of 32 bits, shows of a number.
func sixDigits(v any) (any, bool) {
	n, ok := convertFloat(v)
	if !ok || math.Abs(n.(float64)) > math.MaxFloat32 {
		return nil, false
	}
	shown, err := strconv.ParseFloat(strconv.FormatFloat(n.(float64), 'g', 6, 32), 64)
	return shown, err == nil
}

// textMariaDB converts a value to a string: a number without a needless fraction, a list of one member
// in brackets that SQL does not see, and an object as Python prints it.
func textMariaDB(v any) (string, bool) {
	if number, ok := v.(float64); ok {
		return strings.Replace(strconv.FormatFloat(number, 'g', -1, 64), "e+", "e", 1), true
	}
	if list, ok := v.([]any); ok && len(list) == 1 {
		return textMariaDB(list[0])
	}
	if object, ok := v.(*python.Dict); ok {
		return python.Repr(object), true
	}
	text, ok := convertText(v)
	s, _ := text.(string)
	return s, ok
}

// operandMariaDB compares strings with numbers as numbers. A string counts as the number with which it
// begins, or as 0.
func operandMariaDB(f *Field, v any) (any, bool) {
	switch v := v.(type) {
	case string:
		if f.number() {
			return leadingNumber(v), true
		}
		return v, true
	case bool, int64, float64:
		return convertFloat(v)
	default:
		return nil, false
	}
}

// largestPattern is the largest compiled regular expression that PCRE accepts, in bytes.
const largestPattern = 65529

// patternMariaDB translates a pattern: MariaDB ignores case, and refuses a pattern that is too large when
// compiled.
func patternMariaDB(value any) (string, bool) {
	pattern, ok := textMariaDB(value)
	if !ok || compiledSize(pattern) > largestPattern {
		return "", false
	}
	return "(?i)" + pattern, true
}

// compiledSize returns about how many bytes PCRE compiles a pattern to, ignoring case: two for a character,
// three for K and S, which have a third form each, and three for operators.
func compiledSize(pattern string) int {
	size, escaped := 0, false
	for _, r := range pattern {
		switch {
		case r == '\\' && !escaped:
			escaped = true
			continue
		case !escaped && strings.ContainsRune("|()*+?{}[]", r) || strings.ContainsRune("ksKS", r):
			size += 3
		default:
			size += 1 + len(string(r))
		}
		escaped = false
	}
	return size
}

// generalCI returns the same string for all strings that differ only in case or accents. Each character becomes
// exactly one: ß becomes S, and a separate accent remains. All characters outside the Basic Multilingual Plane
// become the same one.
func generalCI(s string) string { return strings.Map(weight, s) }

// weight returns the character as which generalCI compares a character.
func weight(r rune) rune {
	if r > 0xffff {
		return unicode.ReplacementChar
	}
	upper := unicode.ToUpper(r)
	if plain, ok := plainLetters[upper]; ok {
		return plain
	}
	return upper
}

// plainLetters are the letters with an accent and what they count as.
var plainLetters = func() map[rune]rune {
	letters := map[rune]rune{}
	for word := range strings.FieldsSeq(weights) {
		plain, _ := utf8.DecodeRuneInString(word)
		for _, accented := range word {
			letters[accented] = plain
		}
	}
	return letters
}()

// weights are taken from MariaDB 10.11: upper case letters of Latin, Greek and Cyrillic, each
// with those that are compared like it.
const weights = `
AÀÁÂÃÄÅĀĂĄǍǞǠǺȀȂȦḀẠẢẤẦẨẪẬẮẰẲẴẶ BḂḄḆ CÇĆĈĊČḈ DĎḊḌḎḐḒ EÈÉÊËĒĔĖĘĚȄȆȨḔḖḘḚḜẸẺẼẾỀỂỄỆ FḞ
GĜĞĠĢǦǴḠ HĤȞḢḤḦḨḪẖ IÌÍÎÏĨĪĬĮİǏȈȊḬḮỈỊ JĴǰ KĶǨḰḲḴ LĹĻĽḶḸḺḼ MḾṀṂ NÑŃŅŇǸṄṆṈṊ
OÒÓÔÕÖŌŎŐƠǑǪǬȌȎȪȬȮȰṌṎṐṒỌỎỐỒỔỖỘỚỜỞỠỢ PṔṖ RŔŖŘȐȒṘṚṜṞ SßŚŜŞŠȘṠṢṤṦṨ TŢŤȚṪṬṮṰẗ
UÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛȔȖṲṴṶṸṺỤỦỨỪỬỮỰ VṼṾ WŴẀẂẄẆẈẘ XẊẌ YÝŸŶȲẎẙỲỴỶỸ ZŹŻŽẐẒẔ ÆǢǼ ØǾ
ΑΆἈἉἊἋἌἍἎἏᾺᾀᾁᾂᾃᾄᾅᾆᾇᾈᾉᾊᾋᾌᾍᾎᾏᾸᾹᾲᾳᾴᾶᾷᾼ ΕΈἘἙἚἛἜἝῈ ΗΉἨἩἪἫἬἭἮἯῊᾐᾑᾒᾓᾔᾕᾖᾗᾘᾙᾚᾛᾜᾝᾞᾟῂῃῄῆῇῌ
ΙΊΐΪἸἹἺἻἼἽἾἿῚῘῙῒῖῗ ΟΌὈὉὊὋὌὍῸ ΡῤῬ ΣϹ ΥΎΫΰὐὙὒὛὔὝὖὟῪῨῩῢῦῧ ΩΏὨὩὪὫὬὭὮὯῺᾠᾡᾢᾣᾤᾥᾦᾧᾨᾩᾪᾫᾬᾭᾮᾯῲῳῴῶῷῼ
ІЇ АӐӒ ГЃ ЕЀЁӖ ЖӁӜ ЗӞ ИЍӢӤ КЌ ОӦ УЎӮӰӲ ЧӴ ЫӸ ЭӬ`
