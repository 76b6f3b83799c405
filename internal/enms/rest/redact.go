// This file removes secrets from texts of the server, in whatever form a text quotes them. It searches the
// text as it is, and with the escapes of JSON, Python, URLs and HTML decoded, several times over, because one
// format may quote another.

package rest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	// minSecret is the length, in bytes, from which a secret is replaced wherever it occurs. A shorter one also
	// occurs within ordinary words, and could be guessed from the text around its replacement.
	minSecret = 4
	// minSecretLine is the length from which a line of a secret counts as a secret itself.
	minSecretLine = 8
	// maxRedacted bounds the text that is searched, in bytes.
	maxRedacted = 1 << 20

	redacted = "***"
	// withheld replaces a text that contains a secret which is too short to be replaced.
	withheld = "(the text is not shown, because it holds a secret)"
)

// secretSet holds the secrets. Goroutines may share it.
type secretSet struct {
	mu    sync.RWMutex
	known map[string]bool
	long  map[string][]string // those of at least minSecret bytes, by their first minSecret bytes
	short []string
}

// add adds secrets, in the forms that redact cannot decode.
func (s *secretSet) add(secrets ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, secret := range secrets {
		s.addForm(secret)
		s.addForm(strings.TrimSpace(secret))
		s.addForm(strings.ReplaceAll(secret, " ", "+")) // as forms encode it
		for _, alphabet := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			s.addForm(alphabet.EncodeToString([]byte(secret)))
			s.addForm(alphabet.WithPadding(base64.NoPadding).EncodeToString([]byte(secret)))
		}
		digits := fmt.Sprintf("%x", secret)
		s.addForm(digits)
		s.addForm(strings.ToUpper(digits))
		for line := range strings.Lines(secret) { // a text may quote one line of a key
			if line = strings.TrimSpace(line); len(line) >= minSecretLine {
				s.addForm(line)
			}
		}
	}
}

// addForm adds a string as it is, once. It ignores "".
func (s *secretSet) addForm(form string) {
	if form == "" || s.known[form] {
		return
	}
	if s.known == nil {
		s.known, s.long = map[string]bool{}, map[string][]string{}
	}
	s.known[form] = true
	if len(form) < minSecret {
		s.short = append(s.short, form)
		return
	}
	s.long[form[:minSecret]] = append(s.long[form[:minSecret]], form)
}

// redact replaces the secrets in a text. A text is withheld if it contains a very short secret as a word of
// its own. Of a very long text, only the end is searched and returned, from the beginning of a line.
func (s *secretSet) redact(text string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(text) > maxRedacted {
		_, lines, found := strings.Cut(text[len(text)-maxRedacted:], "\n")
		if !found {
			return withheld // it may begin with the end of a secret
		}
		text = lines
	}
	var found []span
	for _, reading := range readings(text) {
		spans, hasShort := s.find(reading)
		if hasShort {
			return withheld
		}
		found = append(found, spans...)
	}
	return replaced(text, found)
}

// find returns where the secrets are in the original text of a reading. hasShort reports whether the
// reading contains a secret that is too short to be replaced.
func (s *secretSet) find(r reading) (found []span, hasShort bool) {
	for at := range r.text {
		if at+minSecret > len(r.text) {
			break
		}
		for _, secret := range s.long[r.text[at:at+minSecret]] {
			if strings.HasPrefix(r.text[at:], secret) {
				found = append(found, span{r.origins[at].from, r.origins[at+len(secret)-1].to})
			}
		}
	}
	return found, slices.ContainsFunc(s.short, func(secret string) bool { return holdsWord(r.text, secret) })
}

// holdsWord reports whether a text holds a word, neither preceded nor followed by a letter or a digit.
func holdsWord(text, word string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(word):])
		if !inWord(before) && !inWord(after) {
			return true
		}
		from = at + 1
	}
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// replaced returns a text with spans of it replaced. Overlapping spans count as one.
func replaced(text string, spans []span) string {
	slices.SortFunc(spans, func(x, y span) int { return x.from - y.from })
	var out strings.Builder
	end := 0
	for _, s := range spans {
		if s.from >= end {
			out.WriteString(text[end:s.from])
			out.WriteString(redacted)
		}
		end = max(end, s.to)
	}
	out.WriteString(text[end:])
	return out.String()
}

// secretsIn returns the strings in the secret fields of a payload.
func secretsIn(payload any) (found []string) {
	switch payload := payload.(type) {
	case map[string]any:
		for key, member := range payload {
			if SecretField(key) {
				found = append(found, stringsIn(member)...)
			} else {
				found = append(found, secretsIn(member)...)
			}
		}
	case []any:
		for _, member := range payload {
			found = append(found, secretsIn(member)...)
		}
	}
	return found
}

// stringsIn returns all strings in a value, and its numbers of at least minSecret digits: shorter ones occur in
// ordinary texts.
func stringsIn(value any) (found []string) {
	switch value := value.(type) {
	case map[string]any:
		for _, member := range value {
			found = append(found, stringsIn(member)...)
		}
	case []any:
		for _, member := range value {
			found = append(found, stringsIn(member)...)
		}
	case string:
		found = append(found, value)
	case json.Number:
		if len(value) >= minSecret {
			found = append(found, value.String())
		}
	}
	return found
}

// SecretField reports whether a field is one of the secrets of enms-rest.md 1.2, or named like
// one. It is for errors, and for searches, which must not ask for secrets. What the private state
// must not contain is decided by kind.Kind.Secrets.
func SecretField(key string) bool {
	words := []string{"password", "private_key", "token", "secret"}
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(key, word) })
}

// maxQuoted is the number of nested quotations that are decoded.
const maxQuoted = 4

// span is a part of a text, in bytes.
type span struct{ from, to int }

// reading is a text after some decoding. origins has the part of the original text that each of its
// bytes stands for.
type reading struct {
	text    string
	origins []span
}

// readings returns the text as it is, decoded once, decoded twice and so on. In Python, `\xfc` is a
// character in a string and a byte in bytes, so there are readings of both (hexIsByte).
func readings(text string) []reading {
	whole := reading{text, make([]span, len(text))}
	for i := range len(text) {
		whole.origins[i] = span{i, i + 1}
	}
	all := []reading{whole}
	for _, hexIsByte := range []bool{false, true} {
		r := whole
		for range maxQuoted {
			decoded := r.decoded(hexIsByte)
			if decoded.text == r.text {
				break
			}
			r = decoded
			all = append(all, r)
		}
	}
	return all
}

// decoded returns a reading with its escapes decoded once.
func (r reading) decoded(hexIsByte bool) reading {
	var text strings.Builder
	var origins []span
	for i := 0; i < len(r.text); {
		meant, length := unescape(r.text[i:], hexIsByte)
		text.WriteString(meant)
		origin := span{r.origins[i].from, r.origins[i+length-1].to}
		for range len(meant) {
			origins = append(origins, origin)
		}
		i += length
	}
	return reading{text.String(), origins}
}

// unescape decodes the beginning of a text that is not empty: an escape, or one byte. length is
// its length in the text.
func unescape(text string, hexIsByte bool) (meant string, length int) {
	switch text[0] {
	case '\\':
		if meant, length = backslash(text, hexIsByte); length > 0 {
			return meant, length
		}
	case '%':
		if b, ok := hex(text, 1, 2); ok {
			return string([]byte{byte(b)}), 3
		}
	case '&':
		end := strings.IndexByte(text[:min(len(text), len("&#1114111;"))], ';') + 1 // the longest number of a character
		if character := html.UnescapeString(text[:end]); character != text[:end] {
			return character, end
		}
	}
	return text[:1], 1
}

// escaped are the characters that a backslash and a letter stand for.
var escaped = map[byte]string{'a': "\a", 'v': "\v", 'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f", '\\': `\`, '/': "/", '"': `"`, '\'': "'"}

// backslash returns what the escape at the beginning of a text stands for, and its length, which
// is 0 if there is none. The two escapes of a surrogate pair count as one.
func backslash(text string, hexIsByte bool) (meant string, length int) {
	if len(text) < 2 {
		return "", 0
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[text[1]]
	if digits == 0 {
		if meant, ok := escaped[text[1]]; ok {
			return meant, 2
		}
		return "", 0
	}
	code, ok := hex(text, 2, digits)
	if !ok {
		return "", 0
	}
	length = 2 + digits
	if digits == 2 && hexIsByte {
		return string([]byte{byte(code)}), length
	}
	if rest := text[length:]; strings.HasPrefix(rest, `\u`) {
		if second, ok := hex(rest, 2, 4); ok {
			if r := utf16.DecodeRune(rune(code), rune(second)); r != utf8.RuneError {
				return string(r), length + len(`\udc00`)
			}
		}
	}
	return string(rune(code)), length
}

// hex parses the hexadecimal digits of a text that begin at from. ok is false if they are none, or too few.
func hex(text string, from, digits int) (n uint64, ok bool) {
	if from+digits > len(text) {
		return 0, false
	}
	n, err := strconv.ParseUint(text[from:from+digits], 16, 64)
	return n, err == nil
}
