// The HTTP level (7): which path is what, who may call it, what an error looks like.

package simulator

import (
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// bodyLimit is the largest body the server takes, in bytes.
const bodyLimit = 104857600

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
	return reply{status: status, value: record{{"alert", alerts[status]}}}
}

func brokenPage() reply {
	return reply{status: http.StatusInternalServerError, html: "<!doctype html>\n<title>500 Internal Server Error</title>\n"}
}

// ServeHTTP answers one request as eNMS does.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begun := time.Now()
	body, err := io.ReadAll(io.LimitReader(r.Body, bodyLimit+1))
	if s.opts.Serial {
		s.core <- struct{}{}
		defer func() { <-s.core }()
	}
	entry := Request{Method: r.Method, Path: r.URL.Path, RawQuery: r.URL.RawQuery, At: s.now()}
	var answer reply
	if err != nil || len(body) > bodyLimit {
		answer = alert(http.StatusInternalServerError)
	} else {
		answer = s.route(r, body, &entry)
	}
	entry.Status, entry.Answered = answer.status, answered(answer)
	entry.Duration = time.Since(begun)
	s.note(entry)
	answer.write(w)
}

func (a reply) write(w http.ResponseWriter) {
	header, body := w.Header(), []byte(a.html)
	header.Set("Content-Type", "text/html; charset=utf-8")
	if a.html == "" && a.allow == "" {
		header.Set("Content-Type", "application/json")
		body = encodeJSON(a.value)
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

// route tells the REST interface from the web pages.
func (s *Server) route(r *http.Request, body []byte, entry *Request) reply {
	rest, isREST := strings.CutPrefix(r.URL.Path, "/rest/")
	methods := "HEAD, GET, DELETE, POST, OPTIONS"
	if !isREST {
		methods = "HEAD, GET, POST, OPTIONS"
	}
	switch {
	case strings.Contains(r.URL.Path, "\n"):
		return reply{status: http.StatusNotFound, html: "<!doctype html>\n<title>404 Not Found</title>\n"}
	case r.Method == http.MethodHead:
		return brokenPage()
	case r.Method == http.MethodOptions:
		return reply{status: http.StatusOK, allow: methods}
	case !strings.Contains(methods, r.Method):
		return reply{status: http.StatusMethodNotAllowed, allow: methods,
			html: "<!doctype html>\n<title>405 Method Not Allowed</title>\n"}
	case isREST:
		return s.rest(r, strings.Split(rest, "/"), body, entry)
	case r.Method == http.MethodPost:
		return reply{status: http.StatusBadRequest, html: "<!doctype html>\n<title>400 Bad Request</title>\n<p>The CSRF token is missing.</p>\n"}
	case r.URL.Path == "/login":
		s.loginPage()
		return reply{status: http.StatusOK, html: "<!doctype html>\n<title>eNMS</title>\n<form>Login</form>\n"}
	default:
		return reply{status: http.StatusFound, location: "/login?next_url=" + url.QueryEscape(r.URL.RequestURI()),
			html: "<!doctype html>\n<title>Redirecting...</title>\n"}
	}
}

// rest checks who is calling and hands the request to its endpoint.
func (s *Server) rest(r *http.Request, path []string, body []byte, entry *Request) reply {
	keywords, wrong := arguments(r, body)
	entry.describe(path, keywords)
	if seconds := s.limited(); seconds > 0 {
		return tooMany(seconds)
	}
	w := s.turn()
	_, _, credentials := r.BasicAuth()
	if s.opts.BrokenLogin && credentials {
		return brokenPage()
	}
	user, broken := s.authenticate(r, w)
	if broken {
		return brokenPage()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	status := s.refuses(r.Method, path[0], user)
	if status == 0 && wrong != nil {
		status = http.StatusInternalServerError
	}
	if status != 0 {
		if credentials {
			s.hold(w)
		}
		return alert(status)
	}
	s.tick()
	writes := r.Method != http.MethodGet && path[0] != "search"
	view := s.release(w, writes)
	if user != nil && view != s {
		user = view.table("user").byID[user.id]
	}
	return view.answer(user, r.Method+" "+path[0], path[1:], keywords)
}

// refuses is the status of a request that does not get to an endpoint, 0 for others.
func (s *Server) refuses(method, endpoint string, user *object) int {
	access, known := endpoints[method][endpoint]
	switch {
	case !known || s.opts.NoREST:
		return http.StatusNotFound
	case access == "none":
		return 0
	case user == nil:
		return http.StatusUnauthorized
	case !granted(user, access, method, endpoint):
		return http.StatusForbidden
	default:
		return 0
	}
}

// answer runs an endpoint in a session of its own.
func (s *Server) answer(user *object, endpoint string, path []string, keywords *dict) reply {
	t := s.begin(user)
	value, err := t.call(endpoint, path, keywords)
	if err == nil {
		err = t.commit()
	}
	if err != nil {
		t.rollback()
		if isRefusal(err) {
			return alert(http.StatusForbidden)
		}
		return alert(http.StatusInternalServerError)
	}
	return reply{status: http.StatusOK, value: value, cookie: user != nil}
}

func granted(user *object, access, method, endpoint string) bool {
	if user.is("is_admin") {
		return true
	}
	rights, _ := user.get(strings.ToLower(method) + "_requests").([]any)
	return access == "access" && slices.Contains(rights, any("/rest/"+endpoint))
}

// authenticate finds the caller by HTTP Basic. Checking the password of a user
// there is costs the latency of the server, rightly or wrongly. broken is a
// stored password that cannot be checked, which is an error page.
func (s *Server) authenticate(r *http.Request, w *worker) (user *object, broken bool) {
	name, password, ok := r.BasicAuth()
	if !ok || name == "" || password == "" {
		return nil, false
	}
	if s.db.bind(name) != nil {
		return nil, true
	}
	s.mu.Lock()
	view := s.seen(w)
	user = view.byName(models["user"], name)
	var stored string
	if user != nil {
		stored = user.text("password")
	}
	s.mu.Unlock()
	if user == nil || stored == "" {
		return nil, false
	}
	if s.opts.Latency > 0 {
		time.Sleep(s.opts.Latency)
	}
	if strings.HasPrefix(stored, "$argon2i") {
		return nil, true
	}
	if stored != password {
		return nil, false
	}
	return user, false
}

// arguments are the keywords of a request: its body on POST, its query otherwise.
// A body that is a list becomes the keyword list_data.
func arguments(r *http.Request, body []byte) (*dict, error) {
	if r.Method != http.MethodPost {
		return parseQuery(r.URL.RawQuery), nil
	}
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case media == "application/x-www-form-urlencoded":
		return parseQuery(string(body)), nil
	case len(body) == 0:
		return newDict(), nil
	case media != "application/json" && !(strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json")):
		return nil, errServer
	}
	value, err := decodeJSON(body)
	if err != nil {
		return nil, err
	}
	switch value := value.(type) {
	case *dict:
		return value, nil
	case []any:
		return pairs("list_data", value), nil
	}
	if truthy(value) {
		return nil, errServer
	}
	return newDict(), nil
}

// parseQuery keeps the first of repeated parameters, and a wrong escape as it stands.
func parseQuery(query string) *dict {
	d := newDict()
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		key, value, _ := strings.Cut(pair, "=")
		key, value = unescape(key), unescape(value)
		if _, there := d.get(key); !there {
			d.set(key, value)
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
