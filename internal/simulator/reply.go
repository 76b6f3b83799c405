// The answers of endpoints as HTTP: how errors look (7), and what the log of requests has of an answer.

package simulator

import (
	"net/http"
	"strconv"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

var alerts = map[int]string{
	http.StatusUnauthorized:        "Error 401 - Wrong Credentials.",
	http.StatusForbidden:           "Error 403 - Not Authorized.",
	http.StatusNotFound:            "Error 404 - Not Found.",
	http.StatusTooManyRequests:     "Error 429 - Too Many Requests.",
	http.StatusInternalServerError: "Error 500 - Internal Server Error.",
}

// reply is an answer before it is written: a JSON value, or a page of HTML.
type reply struct {
	status     int
	value      any
	html       string
	location   string
	allow      string
	cookie     bool // authenticated answers clear the session
	retryAfter int  // the header Retry-After, in seconds; 0 for none
}

func alert(status int) reply {
	return reply{status: status, value: python.NewRecord("alert", alerts[status])}
}

func brokenPage() reply {
	return reply{status: http.StatusInternalServerError, html: "<!doctype html>\n<title>500 Internal Server Error</title>\n"}
}

// tooMany is the answer of a gateway beyond its rate limit.
func tooMany(seconds int) reply {
	r := alert(http.StatusTooManyRequests)
	r.retryAfter = seconds
	return r
}

func (a reply) write(w http.ResponseWriter) {
	header, body := w.Header(), []byte(a.html)
	header.Set("Content-Type", "text/html; charset=utf-8")
	if a.html == "" && a.allow == "" { // neither a page nor the answer to OPTIONS
		header.Set("Content-Type", "application/json")
		body = python.Encode(a.value)
	}
	for key, value := range map[string]string{"Location": a.location, "Allow": a.allow} {
		if value != "" {
			header.Set(key, value)
		}
	}
	if a.retryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(a.retryAfter))
	}
	if a.cookie {
		header.Set("Set-Cookie", "session=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/")
		header.Set("Vary", "Cookie")
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(body) // a client that has gone away is no concern of the server
}

// describe adds to the log entry what the path and the body of the request say.
func (r *Request) describe(path []string, keywords *python.Dict) {
	switch path[0] {
	case "instance", "query":
		if len(path) > 1 {
			r.Type = path[1]
		}
	case "search":
		r.Type, _ = keywords.Get("type").(string)
	}
	if r.Method != "POST" || keywords.Size() == 0 {
		return
	}
	r.Entries = 1
	if list, ok := keywords.Get("list_data").([]any); ok {
		r.Entries = len(list)
	}
}

// answered returns the number of instances in an answer (Request.Answered): the rows of a list, the names in
// "success" of a write, 1 for any other object, and 0 for an error or a write without a success.
func answered(a reply) int {
	if a.status != http.StatusOK {
		return 0
	}
	switch value := a.value.(type) {
	case []python.Record:
		return len(value)
	case python.Record:
		last := value[len(value)-1] // of a write: "success", or "failure" if there is no success
		names, isList := last.Value.([]any)
		switch {
		case isList && last.Key == "success":
			return len(names)
		case isList && last.Key == "failure":
			return 0
		}
		return 1
	}
	return 0
}
