// Rules: which requests are spoiled, when, and how.

package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"
)

// When says whether a fault comes before or after the server has acted.
type When string

const (
	// Before spoils a request that the server never sees. It is the default.
	Before When = "before"
	// After spoils the answer to a request that the server has acted on.
	After When = "after"
)

// Rule chooses requests and says what goes wrong with them. A request must meet every condition of the rule. If
// several rules match a request, the first one spoils it, and all of them count it.
type Rule struct {
	// Method of the request, such as "POST"; "" is any.
	Method string `json:"method"`
	// Path is the beginning of the path, decoded; "" is any.
	Path string `json:"path"`
	// Type is the instance type, from a path such as /rest/query/device or from the body of a search; "" is any.
	Type string `json:"type"`
	// Nth is the number of the first matching request that is spoiled, counted from 1. 0 stands for 1.
	Nth int `json:"nth"`
	// Count is how many requests are spoiled. 0 stands for all of them.
	Count int `json:"count"`
	// Probability is that with which a request is spoiled, above 0 and up to 1. 0 stands for 1.
	Probability float64 `json:"probability"`
	// Seed is the seed of the rule's own random numbers. If the same requests come in the same order, the
	// same seed spoils the same ones of them.
	Seed uint64 `json:"seed"`
	// When says whether the fault comes before or after the server has acted. "" stands for Before.
	When When `json:"when"`
	// Fault is what goes wrong.
	Fault Fault `json:"fault"`
	// RetryAfter is the number of seconds in the header Retry-After of the answers 429, 502, 503 and
	// 504. 0 leaves the header out.
	RetryAfter int `json:"retry_after"`
	// Delay is how long the faults Delay and Late hold a request, such as "10s". 0 stands for
	// until the client goes away.
	Delay Duration `json:"delay"`
}

// Duration is a time.Duration that JSON has as "1m30s".
type Duration time.Duration

// UnmarshalText reads a duration that is not negative.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil || parsed < 0 {
		return fmt.Errorf("%q is no duration such as 90s or 2m", text)
	}
	*d = Duration(parsed)
	return nil
}

// Read reads rules: a JSON list of objects whose members are Rule's. Unknown
// members and impossible values are errors.
func Read(r io.Reader) ([]Rule, error) {
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	var rules []Rule
	if err := decoder.Decode(&rules); err != nil {
		return nil, fmt.Errorf("the rules are not a JSON list of rules: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the list of rules")
	}
	_, err := arm(rules)
	return rules, err
}

// check returns what is wrong with a rule.
func (r Rule) check() error {
	switch {
	case faults[r.Fault] == nil:
		return fmt.Errorf("there is no fault %q, only %s", r.Fault, strings.Join(names(), ", "))
	case r.When != "" && r.When != Before && r.When != After:
		return fmt.Errorf("when is %q, neither %q nor %q", r.When, Before, After)
	case r.Probability < 0 || r.Probability > 1:
		return fmt.Errorf("the probability %v is not between 0 and 1", r.Probability)
	case r.Nth < 0 || r.Count < 0 || r.RetryAfter < 0 || r.Delay < 0:
		return errors.New("nth, count, retry_after and delay must not be negative")
	}
	return nil
}

// armed is a rule in use.
type armed struct {
	Rule
	random *rand.Rand
	seen   int // how many requests have matched
	used   int // how many of these were spoiled
}

// arm checks rules, and makes them ready for use.
func arm(rules []Rule) ([]*armed, error) {
	list := make([]*armed, len(rules))
	for n, rule := range rules {
		if err := rule.check(); err != nil {
			return nil, fmt.Errorf("rule %d: %w", n+1, err)
		}
		list[n] = &armed{Rule: rule, random: rand.New(rand.NewPCG(rule.Seed, uint64(n)))}
	}
	return list, nil
}

// matches reports whether a request meets the conditions of the rule, and counts it if so.
func (a *armed) matches(method, path, typ string) bool {
	matches := (a.Method == "" || a.Method == method) && (a.Type == "" || a.Type == typ) && strings.HasPrefix(path, a.Path)
	if matches {
		a.seen++
	}
	return matches
}

// take reports whether the rule spoils the request that has just matched, and counts it as spoiled if so.
func (a *armed) take() bool {
	switch {
	case a.seen < a.Nth: // too early
		return false
	case a.Count > 0 && a.used >= a.Count: // used up
		return false
	case a.Probability > 0 && a.random.Float64() >= a.Probability: // by chance
		return false
	}
	a.used++
	return true
}

// typeOf returns the instance type that a request is about, "" for none.
func typeOf(path string, body []byte) string {
	segments := strings.Split(strings.TrimPrefix(path, "/rest/"), "/")
	switch segments[0] {
	case "instance", "query":
		if len(segments) > 1 {
			return segments[1]
		}
	case "search":
		var search struct {
			Type string `json:"type"`
		}
		_ = json.Unmarshal(body, &search) // another body has no type
		return search.Type
	}
	return ""
}

func names() []string {
	list := make([]string, 0, len(faults))
	for _, fault := range All() {
		list = append(list, string(fault))
	}
	return list
}
