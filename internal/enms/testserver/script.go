package testserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// Script answers requests in their order, whatever they are, and records them. An answer may begin with a status, as
// "403 {}" does.
type Script struct {
	URL            string
	Answers, Asked []string

	t testing.TB
}

// NewScript serves these answers.
func NewScript(t testing.TB, answers ...string) *Script {
	t.Helper()
	s := &Script{t: t, Answers: answers}
	served := httptest.NewServer(s)
	t.Cleanup(served.Close)
	s.URL = served.URL
	return s
}

func (s *Script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if strings.Contains(string(body), "null") {
		s.t.Errorf("eNMS fails with null: %s", body)
	}
	asked := strings.TrimSpace(r.Method + " " + r.URL.RequestURI() + " " + string(body))
	s.Asked = append(s.Asked, asked)
	if len(s.Answers) == 0 {
		s.t.Errorf("unexpected request: %s", asked)
		return
	}
	answer := s.Answers[0]
	s.Answers = s.Answers[1:]
	status, content, _ := strings.Cut(answer, " ")
	if code, err := strconv.Atoi(status); err == nil {
		w.WriteHeader(code)
		answer = content
	}
	_, _ = io.WriteString(w, answer)
}

// Outcome returns a value as JSON, or the type of an error.
func Outcome(value any, err error) string {
	if err != nil {
		return fmt.Sprintf("%T", err)
	}
	text, _ := json.Marshal(value)
	return string(text)
}
