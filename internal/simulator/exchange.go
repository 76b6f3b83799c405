// A request and its answer, as HTTP has them (7).

package simulator

import (
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// arguments returns the keywords of a request: its body on POST, its query otherwise.
// A body that is a list becomes the keyword list_data.
func arguments(r *http.Request, body []byte) (*python.Dict, error) {
	if r.Method != http.MethodPost {
		return parseQuery(r.URL.RawQuery), nil
	}
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case media == "application/x-www-form-urlencoded":
		return parseQuery(string(body)), nil
	case len(body) == 0:
		return python.NewDict(), nil
	case media != "application/json" && !(strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json")):
		return nil, python.ErrServer
	}
	value, err := python.Decode(body)
	if err != nil {
		return nil, err
	}
	switch value := value.(type) {
	case *python.Dict:
		return value, nil
	case []any:
		return python.Pairs("list_data", value), nil
	}
	if python.Truthy(value) {
		return nil, python.ErrServer
	}
	return python.NewDict(), nil
}

// parseQuery keeps the first of repeated parameters, and a wrong escape as it stands.
func parseQuery(query string) *python.Dict {
	d := python.NewDict()
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		key, value, _ := strings.Cut(pair, "=")
		key, value = unescape(key), unescape(value)
		if _, there := d.Lookup(key); !there {
			d.Set(key, value)
		}
	}
	return d
}

func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

var alerts = map[int]string{
	http.StatusUnauthorized:        "Error 401 - Wrong Credentials.",
	http.StatusForbidden:           "Error 403 - Not Authorized.",
	http.StatusNotFound:            "Error 404 - Not Found.",
	http.StatusInternalServerError: "Error 500 - Internal Server Error.",
}

// reply is an answer before it is written: a JSON value, or a page of HTML.
type reply struct {
	status   int
	value    any
	html     string
	location string
	allow    string
	cookie   bool // authenticated answers clear the session
	// retryAfter is in how many seconds to come again; 0 is not told.
	retryAfter int
}

func alert(status int) reply {
	return reply{status: status, value: python.NewRecord("alert", alerts[status])}
}

func brokenPage() reply {
	return reply{status: http.StatusInternalServerError, html: "<!doctype html>\n<title>500 Internal Server Error</title>\n"}
}

// tooMany returns the answer to one request too many.
func tooMany(seconds int) reply {
	return reply{status: http.StatusTooManyRequests, retryAfter: seconds,
		value: python.NewRecord("alert", "Error 429 - Too Many Requests.")}
}

func (a reply) write(w http.ResponseWriter) {
	header, body := w.Header(), []byte(a.html)
	header.Set("Content-Type", "text/html; charset=utf-8")
	if a.html == "" && a.allow == "" {
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
