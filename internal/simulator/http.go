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
	entry := Request{Method: r.Method, Path: r.URL.Path, RawQuery: r.URL.RawQuery, At: s.eNMS.shared.Now()}
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
	return s.eNMS.begin(view, user).answer(r.Method+" "+path[0], path[1:], keywords)
}

// enter returns the worker that answers a request, or after how many seconds to come again.
func (s *Server) enter() (w *worker, seconds int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if seconds := s.window.limited(s.eNMS.shared.Now()); seconds > 0 {
		return nil, seconds
	}
	return s.workers.next(), 0
}

// refuses is the status of a request that does not get to an endpoint, 0 for others.
func (s *Server) refuses(method, endpoint string, user *database.Object) int {
	access, known := endpoints[method][endpoint]
	switch {
	case !known || s.eNMS.opts.NoREST:
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

// answer runs an endpoint in the session.
func (c *command) answer(endpoint string, path []string, keywords *python.Dict) reply {
	value, err := c.call(endpoint, path, keywords)
	if err == nil {
		err = c.Commit()
	}
	if err != nil {
		c.Rollback()
		if model.IsForbidden(err) {
			return alert(http.StatusForbidden)
		}
		return alert(http.StatusInternalServerError)
	}
	return reply{status: http.StatusOK, value: value, cookie: c.User != nil}
}

func granted(user *database.Object, access, method, endpoint string) bool {
	if user.Is("is_admin") {
		return true
	}
	rights, _ := user.Get(strings.ToLower(method) + "_requests").([]any)
	return access == "access" && slices.Contains(rights, any("/rest/"+endpoint))
}

// authenticate finds the caller by HTTP Basic. Checking the password of a user
// there is costs the latency of the server, rightly or wrongly. broken is a
// stored password that cannot be checked, which is an error page.
func (s *Server) authenticate(r *http.Request, w *worker) (user *database.Object, broken bool) {
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
	if strings.HasPrefix(stored, "$argon2i") {
		return nil, true
	}
	if stored != password {
		return nil, false
	}
	return user, false
}
