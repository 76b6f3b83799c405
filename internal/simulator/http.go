// The HTTP level (7): which path is what, who may call it, what an error looks like.

package simulator

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// bodyLimit is the largest body the server takes, in bytes.
const bodyLimit = 104857600

// ServeHTTP answers one request as eNMS does.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begun := time.Now()
	body, err := io.ReadAll(io.LimitReader(r.Body, bodyLimit+1))
	if s.eNMS.opts.Serial {
		s.core <- struct{}{}
		defer func() { <-s.core }()
	}
	entry := Request{Method: r.Method, Path: r.URL.Path, RawQuery: r.URL.RawQuery, At: s.eNMS.process.Now()}
	given := alert(http.StatusInternalServerError)
	if err == nil && len(body) <= bodyLimit {
		given = s.route(r, body, &entry)
	}
	entry.Status, entry.Answered, entry.Duration = given.status, answered(given), time.Since(begun)
	s.note(entry)
	given.write(w)
}

// route answers with a web page, or hands the request to the REST interface.
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
		s.showLogin()
		return reply{status: http.StatusOK, html: "<!doctype html>\n<title>eNMS</title>\n<form>Login</form>\n"}
	default:
		return reply{status: http.StatusFound, location: "/login?next_url=" + url.QueryEscape(r.URL.RequestURI()),
			html: "<!doctype html>\n<title>Redirecting...</title>\n"}
	}
}

// showLogin has the next worker show the login page, for which it looks at the database.
func (s *Server) showLogin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.workers.hold(s.workers.next())
}

// rest checks who is calling and hands the request to its endpoint.
func (s *Server) rest(r *http.Request, path []string, body []byte, entry *Request) reply {
	keywords, wrong := arguments(r, body)
	entry.describe(path, keywords)
	w, seconds := s.enter()
	if seconds > 0 {
		return tooMany(seconds)
	}
	_, _, credentials := r.BasicAuth()
	if s.eNMS.opts.BrokenLogin && credentials {
		return brokenPage()
	}
	user, isBroken := s.authenticate(r, w)
	if isBroken {
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
			s.workers.hold(w)
		}
		return alert(status)
	}
	s.runJobs()
	writes := r.Method != http.MethodGet && path[0] != "search"
	view := s.workers.release(w, writes)
	if user != nil && view != s.db {
		user = view.ByID("user", user.ID)
	}
	return answer(s.eNMS.begin(view, user), endpoints[r.Method+" "+path[0]], path[1:], keywords)
}

// enter returns the worker that answers a request, or after how many seconds to come again.
func (s *Server) enter() (w *worker, seconds int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if seconds := s.window.limited(s.eNMS.process.Now()); seconds > 0 {
		return nil, seconds
	}
	return s.workers.next(), 0
}

// refuses returns the status of a request that does not get to its endpoint, 0 for others.
func (s *Server) refuses(method, name string, user *database.Object) int {
	e, known := endpoints[method+" "+name]
	switch {
	case !known || s.eNMS.opts.NoREST:
		return http.StatusNotFound
	case e.access == everybody:
		return 0
	case user == nil:
		return http.StatusUnauthorized
	case user.Is("is_admin"):
		return 0
	}
	rights, _ := user.Get(strings.ToLower(method) + "_requests").([]any)
	if e.access == granted && slices.Contains(rights, any("/rest/"+name)) {
		return 0
	}
	return http.StatusForbidden
}

// answer runs an endpoint in a session.
func answer(c *command, e endpoint, path []string, keywords *python.Dict) reply {
	value, err := e.call(c, path, keywords)
	if err == nil {
		err = c.Commit()
	}
	switch {
	case err == nil:
		return reply{status: http.StatusOK, value: value, cookie: c.User != nil}
	case model.IsForbidden(err):
		c.Rollback()
		return alert(http.StatusForbidden)
	default:
		c.Rollback()
		return alert(http.StatusInternalServerError)
	}
}

// authenticate finds the caller by HTTP Basic. Checking the password of a user
// there is costs the latency of the server, rightly or wrongly. isBroken is a
// stored password that cannot be checked, which is an error page.
func (s *Server) authenticate(r *http.Request, w *worker) (user *database.Object, isBroken bool) {
	name, password, ok := r.BasicAuth()
	if !ok || name == "" || password == "" {
		return nil, false
	}
	if !s.db.CanHold(name) {
		return nil, true
	}
	s.mu.Lock()
	view := s.workers.seen(w)
	user = view.ByName("user", name)
	var stored string
	if user != nil {
		stored = user.Text("password")
	}
	s.mu.Unlock()
	if user == nil || stored == "" {
		return nil, false
	}
	if s.eNMS.opts.Latency > 0 {
		time.Sleep(s.eNMS.opts.Latency)
	}
	if isBroken = strings.HasPrefix(stored, "$argon2i"); isBroken || stored != password {
		return nil, isBroken
	}
	return user, false
}
