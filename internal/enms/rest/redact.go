// What must not be shown: secrets are taken out of text that came from outside, in
// whatever form it quotes them.

package rest

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

const (
	// minSecret is how long a secret is, in bytes, that is replaced wherever it stands.
	// What is around a shorter one tells what it is, and it stands within ordinary words.
	minSecret = 4
	// minSecretLine is how long a line of a secret is that counts as a secret itself.
	minSecretLine = 8
	// maxRedacted bounds the text that is looked through, in bytes.
	maxRedacted = 1 << 20

	redacted = "***"
	// withheld stands for a text that holds a secret which is too short to be replaced.
	withheld = "(the text is not shown, because it holds a secret)"
)

// secretSet is what must not be shown. Goroutines may share it.
type secretSet struct {
	mu    sync.RWMutex
	known map[string]bool
	long  map[string][]string // by their first minSecret bytes
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
		s.addForm(base64.StdEncoding.EncodeToString([]byte(secret)))
		for line := range strings.Lines(secret) { // of a key, of which a text may quote one
			if line = strings.TrimSpace(line); len(line) >= minSecretLine {
				s.addForm(line)
			}
		}
	}
}

// addForm adds one form of a secret.
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

// redact replaces the secrets in a text. A text that holds a very short one as a word of
// its own is withheld.
func (s *secretSet) redact(text string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(text) > maxRedacted {
		_, rest, whole := strings.Cut(text[len(text)-maxRedacted:], "\n")
		if text = rest; !whole {
			return withheld // A secret may have been cut.
		}
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

// find finds the secrets in a reading of a text.
func (s *secretSet) find(r reading) (found []span, hasShort bool) {
	for at := range r.text {
		if at+minSecret > len(r.text) {
			break
		}
		for _, secret := range s.long[r.text[at:at+minSecret]] {
			if strings.HasPrefix(r.text[at:], secret) {
				found = append(found, span{r.of[at].from, r.of[at+len(secret)-1].to})
			}
		}
	}
	return found, slices.ContainsFunc(s.short, func(secret string) bool { return holdsWord(r.text, secret) })
}

// holdsWord reports whether a text holds a word, neither preceded nor followed by a letter
// or a digit.
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

func inWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// replaced returns a text with spans of it replaced. Those that overlap are one.
func replaced(text string, spans []span) string {
	slices.SortFunc(spans, func(x, y span) int { return x.from - y.from })
	var out strings.Builder
	end := 0
	for i, s := range spans {
		if s.from >= end || i == 0 {
			out.WriteString(text[end:s.from])
			out.WriteString(redacted)
		}
		end = max(end, s.to)
	}
	out.WriteString(text[end:])
	return out.String()
}

// secretsOf returns the texts in a payload that are under a secret field.
func secretsOf(value any, secret bool) []string {
	var found []string
	switch value := value.(type) {
	case map[string]any:
		for key, member := range value {
			found = append(found, secretsOf(member, secret || SecretField(key))...)
		}
	case []any:
		for _, member := range value {
			found = append(found, secretsOf(member, secret)...)
		}
	case string:
		if secret {
			found = append(found, value)
		}
	case json.Number:
		if secret && len(value) >= minSecret { // shorter ones are in many texts
			found = append(found, value.String())
		}
	}
	return found
}

// SecretField reports whether a field is one of the secrets of enms-rest.md 1.2,
// or named like one. It serves errors, and searches that must not ask for secrets;
// what is kept out of the private state is told by kind.Kind.Secrets.
func SecretField(key string) bool {
	for _, word := range []string{"password", "private_key", "token", "secret"} {
		if strings.Contains(key, word) {
			return true
		}
	}
	return false
}
