// The faults, and a request that is being spoiled.

package faults

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Fault is something that goes wrong.
type Fault string

// The faults. If a fault comes after the server has acted, it changes the server's answer. If it comes
// before, the answer that it changes is made up.
const (
	// Refuse closes the connection at once, without a byte.
	Refuse Fault = "refuse"
	// Reset resets the connection (RST) without a byte.
	Reset Fault = "reset"
	// Cut closes the connection in the middle of the answer.
	Cut Fault = "cut"
	// Delay holds the request for Rule.Delay. If the client goes away meanwhile, and the server has not
	// seen the request, the request is dropped.
	Delay Fault = "delay"
	// Late holds the request as Delay does, but the server acts on it even if the client has gone meanwhile, like a
	// server that is only slow. Rule.When is ignored.
	Late Fault = "late"
	// TooMany is 429 with Rule.RetryAfter.
	TooMany Fault = "429"
	// Error500 is 500 as eNMS answers it, in JSON.
	Error500 Fault = "500"
	// Page500 is 500 in HTML.
	Page500 Fault = "500-html"
	// BadGateway is 502 in HTML.
	BadGateway Fault = "502"
	// Unavailable is 503 in HTML.
	Unavailable Fault = "503"
	// GatewayTimeout is 504 in HTML.
	GatewayTimeout Fault = "504"
	// Redirect is 302 to a login page.
	Redirect Fault = "302"
	// HTML is a web page with the status 200.
	HTML Fault = "html"
	// Truncated is the first half of the answer, with 200 and a length that agrees.
	Truncated Fault = "truncated"
	// Malformed is 200 with something that is not quite JSON.
	Malformed Fault = "malformed"
	// Empty is 200 with an empty body.
	Empty Fault = "empty"
	// Huge is 200 with a body of 2 GiB, and a header that says its length.
	Huge Fault = "huge"
	// Flood is Huge without the length, so that the client cannot know it beforehand.
	Flood Fault = "flood"
	// Endless is 200 with a body that trickles and never ends.
	Endless Fault = "endless"
)

// faults are the ways to answer.
var faults = map[Fault]func(*exchange){
	Refuse:         func(x *exchange) { x.hangUp(false) },
	Reset:          func(x *exchange) { x.hangUp(true) },
	Cut:            cut,
	Delay:          delay,
	Late:           late,
	TooMany:        gateway(http.StatusTooManyRequests),
	Error500:       page(http.StatusInternalServerError, jsonType, `{"alert":"Error 500 - Internal Server Error."}`+"\n"),
	Page500:        page(http.StatusInternalServerError, htmlType, "<!doctype html>\n<title>500 Internal Server Error</title>\n"),
	BadGateway:     gateway(http.StatusBadGateway),
	Unavailable:    gateway(http.StatusServiceUnavailable),
	GatewayTimeout: gateway(http.StatusGatewayTimeout),
	Redirect:       redirect,
	HTML:           page(http.StatusOK, htmlType, "<!doctype html>\n<title>Login</title>\n<form>Login</form>\n"),
	Truncated:      truncated,
	Malformed:      page(http.StatusOK, jsonType, `{'success': [None]}`),
	Empty:          page(http.StatusOK, jsonType, ""),
	Huge:           func(x *exchange) { x.stream(hugeBytes, true, 0) },
	Flood:          func(x *exchange) { x.stream(hugeBytes, false, 0) },
	Endless:        func(x *exchange) { x.stream(-1, false, trickle) },
}

const (
	jsonType = "application/json"
	htmlType = "text/html; charset=utf-8"
	// hugeBytes is the size of the huge bodies.
	hugeBytes = 2 << 30
	// trickle is the pause between two parts of a body that never ends.
	trickle = 5 * time.Millisecond
)

// All returns the faults there are, in the order of their names.
func All() []Fault { return slices.Sorted(maps.Keys(faults)) }

// exchange is one request that is being spoiled, and its answer.
type exchange struct {
	w          http.ResponseWriter
	r          *http.Request
	next       http.Handler
	retryAfter int           // in seconds; 0 leaves it out
	delay      time.Duration // 0 is until the client goes away
	answer     *recorder     // the server's answer; nil if the server has not acted
}

// act lets the server act, and stores its answer. Like a real server, it finishes what it has begun even
// if the client goes away.
func (x *exchange) act() {
	x.answer = &recorder{header: http.Header{}, status: http.StatusOK}
	x.next.ServeHTTP(x.answer, x.r.WithContext(context.WithoutCancel(x.r.Context())))
}

// wait waits for a time, 0 for ever, or until the client goes away. gone reports the latter.
func (x *exchange) wait(length time.Duration) (gone bool) {
	var over <-chan time.Time // nil: never
	if length > 0 {
		timer := time.NewTimer(length)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-x.r.Context().Done():
		return true
	case <-over:
		return false
	}
}

// recorder records an answer.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the header of the answer.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader keeps the status.
func (r *recorder) WriteHeader(status int) { r.status = status }

// Write keeps a part of the body.
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }

// deliver writes the answer to the client.
func (r *recorder) deliver(w http.ResponseWriter) {
	for key, values := range r.header {
		w.Header()[key] = values
	}
	w.WriteHeader(r.status)
	_, _ = w.Write(r.body.Bytes()) // a client that has gone away is no concern of the server
}

// hangUp ends the connection without an answer, by RST if reset is set.
func (x *exchange) hangUp(reset bool) {
	conn, _, err := http.NewResponseController(x.w).Hijack()
	if err != nil { // HTTP/2, or a recorder in a test
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0) // without it the connection still ends, by FIN
	}
	_ = conn.Close()
}

// page answers with a page, whatever the server would answer.
func page(status int, kind, body string) func(*exchange) {
	return func(x *exchange) { x.say(status, kind, []byte(body)) }
}

// say answers with a whole body.
func (x *exchange) say(status int, kind string, body []byte) {
	x.w.Header().Set("Content-Type", kind)
	x.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	x.w.WriteHeader(status)
	_, _ = x.w.Write(body) // a client that has gone away is no concern of the server
}

// gateway answers as a gateway in front of the server does, with Retry-After if the rule has it.
func gateway(status int) func(*exchange) {
	return func(x *exchange) {
		if x.retryAfter > 0 {
			x.w.Header().Set("Retry-After", strconv.Itoa(x.retryAfter))
		}
		text := fmt.Sprintf("%d %s", status, http.StatusText(status))
		x.say(status, htmlType, []byte("<html><head><title>"+text+"</title></head></html>\n"))
	}
}

func redirect(x *exchange) {
	x.w.Header().Set("Location", "/login?next_url=/")
	x.say(http.StatusFound, htmlType, []byte("<!doctype html>\n<title>Redirecting...</title>\n"))
}

func delay(x *exchange) {
	if x.wait(x.delay) {
		panic(http.ErrAbortHandler)
	}
	if x.answer == nil {
		x.act()
	}
	x.answer.deliver(x.w)
}

func late(x *exchange) {
	x.wait(x.delay)
	x.act()
	x.answer.deliver(x.w)
}

// body returns the body of the server's answer, or a made-up one if that is too short to be cut in half.
func (x *exchange) body() []byte {
	if x.answer != nil && x.answer.body.Len() > 1 {
		return x.answer.body.Bytes()
	}
	return []byte(`{"success": ["` + x.r.URL.Path + `"]}`)
}

func truncated(x *exchange) {
	whole := x.body()
	x.say(http.StatusOK, jsonType, whole[:len(whole)/2])
}

func cut(x *exchange) {
	whole := x.body()
	x.w.Header().Set("Content-Type", jsonType)
	x.w.Header().Set("Content-Length", strconv.Itoa(len(whole)))
	x.w.WriteHeader(http.StatusOK)
	_, _ = x.w.Write(whole[:len(whole)/2])
	_ = http.NewResponseController(x.w).Flush()
	panic(http.ErrAbortHandler) // net/http closes the connection, quietly
}

// stream answers with bytes of a JSON string, up to size bytes, or without end if size is -1, until the
// client goes away. told: the header says the size. The pause comes before each part, of which only one is in memory.
func (x *exchange) stream(size int64, told bool, pause time.Duration) {
	x.w.Header().Set("Content-Type", jsonType)
	if told {
		x.w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	}
	x.w.WriteHeader(http.StatusOK)
	_, err := io.WriteString(x.w, `["`)
	part := bytes.Repeat([]byte("a"), 32<<10)
	for sent := int64(2); err == nil && sent != size && x.r.Context().Err() == nil; {
		if pause > 0 {
			part = part[:min(len(part), 1<<10)]
			_ = http.NewResponseController(x.w).Flush()
			x.wait(pause)
		}
		if left := size - sent; size >= 0 && left < int64(len(part)) {
			part = part[:left]
		}
		_, err = x.w.Write(part)
		sent += int64(len(part))
	}
}
