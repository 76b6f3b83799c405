// Every fault as a client sees it, and which requests the rules choose.

package faults

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain fails when a goroutine is left over by the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const honest = `{"success":["d1"],"more":"of the same"}`

// counted returns a server that answers honestly, and counts what it has acted on.
func counted(t *testing.T, rules ...Rule) (injector *Injector, url string, acted *atomic.Int64) {
	t.Helper()
	acted = new(atomic.Int64)
	injector, err := New(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Error(err)
		}
		acted.Add(1)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, honest)
	}), rules...)
	if err != nil {
		t.Fatal(err)
	}
	served := httptest.NewServer(injector)
	t.Cleanup(served.Close)
	return injector, served.URL, acted
}

// seen is an answer as far as a client has it.
type seen struct {
	status int
	header http.Header
	body   string // its beginning
	err    error
}

// ask makes a request on a connection of its own and reads up to most bytes.
func ask(ctx context.Context, t *testing.T, method, url, body string, most int64) seen {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return seen{err: err}
	}
	defer resp.Body.Close()
	read, err := io.ReadAll(io.LimitReader(resp.Body, most))
	return seen{status: resp.StatusCode, header: resp.Header, body: string(read), err: err}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	status := func(want int) func(seen, When) bool {
		return func(s seen, _ When) bool {
			return s.err == nil && s.status == want && strings.Contains(s.body, "<title>")
		}
	}
	broken := func(s seen, _ When) bool { return s.err != nil && s.status == 0 }
	for fault, right := range map[Fault]func(seen, When) bool{
		Refuse: broken,
		Reset: func(s seen, _ When) bool {
			return errors.Is(s.err, syscall.ECONNRESET) || errors.Is(s.err, io.EOF)
		},
		Cut: func(s seen, when When) bool {
			return s.status == 200 && errors.Is(s.err, io.ErrUnexpectedEOF) && (when == Before || strings.HasPrefix(honest, s.body))
		},
		Delay: func(s seen, _ When) bool { return s.err == nil && s.body == honest },
		Late:  func(s seen, _ When) bool { return s.err == nil && s.body == honest },
		TooMany: func(s seen, _ When) bool {
			return s.status == 429 && s.header.Get("Retry-After") == "7"
		},
		Error500: func(s seen, _ When) bool {
			return s.status == 500 && s.body == `{"alert":"Error 500 - Internal Server Error."}`+"\n"
		},
		Page500:        status(500),
		BadGateway:     status(502),
		Unavailable:    status(503),
		GatewayTimeout: status(504),
		Redirect: func(s seen, _ When) bool {
			return s.status == 302 && s.header.Get("Location") != ""
		},
		HTML: status(200),
		Truncated: func(s seen, when When) bool {
			return s.err == nil && s.status == 200 && (when == Before || s.body == honest[:len(honest)/2])
		},
		Malformed: func(s seen, _ When) bool { return s.err == nil && s.status == 200 && s.body == "{'success': [None]}" },
		Empty:     func(s seen, _ When) bool { return s.err == nil && s.status == 200 && s.body == "" },
		Huge: func(s seen, _ When) bool {
			return s.header.Get("Content-Length") == strconv.Itoa(2<<30) && len(s.body) == 1<<20
		},
		Flood:   func(s seen, _ When) bool { return s.header.Get("Content-Length") == "" && len(s.body) == 1<<20 },
		Endless: func(s seen, _ When) bool { return s.status == 200 && s.err != nil },
	} {
		if _, known := faults[fault]; !known {
			t.Errorf("%s is none", fault)
		}
		for _, when := range []When{Before, After} {
			t.Run(string(fault)+" "+string(when), func(t *testing.T) {
				t.Parallel()
				rule := Rule{Fault: fault, When: when, RetryAfter: 7, Delay: Duration(20 * time.Millisecond)}
				injector, url, acted := counted(t, rule)
				ctx, cancel := t.Context(), func() {}
				if fault == Endless {
					ctx, cancel = context.WithTimeout(ctx, 3*time.Second) // long enough for the answer to begin
				}
				defer cancel()
				got := ask(ctx, t, http.MethodPost, url+"/rest/instance/device", "{}", 1<<20)
				if !right(got, when) {
					t.Errorf("%d %q %v", got.status, got.body[:min(len(got.body), 100)], got.err)
				}
				injector.Wait()
				want := int64(1)
				if when == Before && fault != Delay && fault != Late {
					want = 0
				}
				if acted.Load() != want || injector.Injected() != 1 {
					t.Errorf("acted on %d times, %d faults", acted.Load(), injector.Injected())
				}
			})
		}
	}
	if len(All()) != 19 {
		t.Errorf("%d faults: is each in the table above?", len(All()))
	}
}

// A client that goes away while its request is held: what is delayed on the way
// never arrives, what the server has is acted on.
func TestClientGoesAway(t *testing.T) {
	t.Parallel()
	for fault, want := range map[Fault]int64{Delay: 0, Late: 1} {
		injector, url, acted := counted(t, Rule{Fault: fault})
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second) // long enough for the request to arrive
		if got := ask(ctx, t, http.MethodPost, url, "{}", 1); !errors.Is(got.err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", fault, got.err)
		}
		cancel()
		injector.Wait()
		if acted.Load() != want {
			t.Errorf("%s: acted on %d times", fault, acted.Load())
		}
	}
}

func TestChoice(t *testing.T) {
	t.Parallel()
	requests := []struct{ method, path, body string }{
		{"GET", "/rest/query/device?name=a", ""},
		{"POST", "/rest/search", `{"type":"device"}`},
		{"POST", "/rest/instance/device", `[{}]`},
		{"POST", "/rest/instance/task", `{}`},
		{"DELETE", "/rest/instance/device/a", ""},
		{"GET", "/rest/is_alive", ""},
	}
	for name, test := range map[string]struct {
		rules []Rule
		want  string // a digit for each request: which rule's status it got
	}{
		"none":           {nil, "000000"},
		"all":            {[]Rule{{Fault: Unavailable}}, "333333"},
		"method":         {[]Rule{{Fault: Unavailable, Method: "POST"}}, "033300"},
		"path":           {[]Rule{{Fault: Unavailable, Path: "/rest/instance"}}, "003330"},
		"type":           {[]Rule{{Fault: Unavailable, Type: "device"}}, "333030"},
		"all conditions": {[]Rule{{Fault: Unavailable, Type: "device", Method: "POST", Path: "/rest/s"}}, "030000"},
		"nth":            {[]Rule{{Fault: Unavailable, Nth: 3}}, "003333"},
		"count":          {[]Rule{{Fault: Unavailable, Nth: 2, Count: 2}}, "033000"},
		"first wins":     {[]Rule{{Fault: Unavailable, Method: "GET"}, {Fault: BadGateway}}, "322223"},
		"both count":     {[]Rule{{Fault: Unavailable, Count: 1}, {Fault: BadGateway, Nth: 2, Count: 1}}, "320000"},
	} {
		injector, url, _ := counted(t, test.rules...)
		got := ""
		for _, r := range requests {
			got += strconv.Itoa(ask(t.Context(), t, r.method, url+r.path, r.body, 1).status % 10)
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
		if err := injector.Set(); err != nil || ask(t.Context(), t, "GET", url, "", 1).status != 200 {
			t.Errorf("%s: faults after the rules were taken away: %v", name, err)
		}
	}
}

// Chance is the seed's, and as large as was asked for.
func TestProbability(t *testing.T) {
	t.Parallel()
	play := func(seed uint64) string {
		rules, err := arm([]Rule{{Fault: Reset, Probability: 0.05, Seed: seed}})
		if err != nil {
			t.Fatal(err)
		}
		fired := make([]byte, 4000)
		for n := range fired {
			fired[n] = '.'
			if rules[0].matches("GET", "/", "") && rules[0].take() {
				fired[n] = 'x'
			}
		}
		return string(fired)
	}
	one := play(1)
	if one != play(1) || one == play(2) {
		t.Error("the seed does not tell")
	}
	if n := strings.Count(one, "x"); n < 150 || n > 250 {
		t.Errorf("%d of 4000 at 5 %%", n)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/rules.json")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := Read(bytes.NewReader(text))
	if err != nil || len(rules) != 3 || rules[0].Delay != Duration(90*time.Second) || rules[1].When != After || rules[2].Probability != 0.05 {
		t.Errorf("%+v %v", rules, err)
	}
	for text, want := range map[string]string{
		`{}`:                                    "not a JSON list",
		`[] []`:                                 "something follows",
		`[{"fault":"fire"}]`:                    `rule 1: there is no fault "fire", only 302, 429`,
		`[{"fault":"cut"}, {}]`:                 `rule 2: there is no fault ""`,
		`[{"fault":"cut","x":1}]`:               "unknown field",
		`[{"fault":"cut","when":"soon"}]`:       "neither",
		`[{"fault":"cut","probability":1.5}]`:   "between 0 and 1",
		`[{"fault":"cut","nth":-1}]`:            "negative",
		`[{"fault":"delay","delay":"a while"}]`: "no duration",
		`[{"fault":"delay","delay":"-1s"}]`:     "no duration",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
