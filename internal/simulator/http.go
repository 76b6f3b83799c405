// The HTTP level (7): paths, authentication, and how errors look; and the table of the endpoints
// under /rest/ with the rights that they need (0, 6.1).

package simulator

import (
	"io"
	"mime"
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
	response := alert(http.StatusInternalServerError)
	if err == nil && len(body) <= bodyLimit {
		response = s.route(r, body, &entry)
	}
	entry.Status, entry.Answered, entry.Duration = response.status, answered(response), time.Since(begun)
	s.note(entry)
	response.write(w)
}

// route answers with a web page, or hands the request to the REST interface.
func (s *Server) route(r *http.Request, body []byte, entry *Request) reply {
	rest, isREST := strings.CutPrefix(r.URL.Path, "/rest/")
	methods := "HEAD, GET, DELETE, POST, OPTIONS"
	if !isREST {
		methods = "HEAD, GET, POST, OPTIONS"
	}
	switch {
	case strings.Contains(r.URL.Path, "\n"): // no path reaches such a name (0.3)
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

// rest checks who is calling, and calls the endpoint.
func (s *Server) rest(r *http.Request, path []string, body []byte, entry *Request) reply {
	keywords, unreadable := arguments(r, body)
	entry.describe(path, keywords)
	w, wait := s.enter()
	switch {
	case wait > 0 && s.eNMS.opts.Version == V53:
		return alert(http.StatusForbidden) // eNMS answers a missing right in the same way
	case wait > 0:
		return tooMany(wait)
	}
	_, _, hasCredentials := r.BasicAuth()
	if s.eNMS.opts.BrokenLogin && hasCredentials {
		return brokenPage()
	}
	user, isBroken := s.authenticate(r, w)
	if isBroken {
		return brokenPage()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e, refusal := s.admit(r.Method, path[0], user)
	if refusal == 0 && unreadable != nil {
		refusal = http.StatusInternalServerError
	}
	if refusal != 0 {
		if hasCredentials { // for which the worker has read the database
			s.workers.hold(w)
		}
		return alert(refusal)
	}
	s.runJobs()
	writes := r.Method != http.MethodGet && path[0] != "search"
	view := s.workers.release(w, writes)
	if user != nil && view.ByID("user", user.ID) != user { // the request must work with the objects of its view
		if user = view.ByID("user", user.ID); user == nil { // the database was rolled back meanwhile
			return alert(http.StatusUnauthorized)
		}
	}
	return answer(s.eNMS.begin(view, user), e, path[1:], keywords)
}

// enter returns the worker for a request, or, beyond the rate limit, after how many seconds the client may
// try again.
func (s *Server) enter() (w *worker, seconds int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if seconds := s.window.limited(s.eNMS.process.Now()); seconds > 0 {
		return nil, seconds
	}
	return s.workers.next(), 0
}

// admit returns the endpoint of a request, or the status of a request that is not allowed to reach one.
func (s *Server) admit(method, name string, user *database.Object) (e endpoint, refusal int) {
	e, known := s.eNMS.endpoint(method, name)
	switch {
	case !known || s.eNMS.opts.NoREST:
		return e, http.StatusNotFound
	case e.access == everybody:
		return e, 0
	case user == nil:
		return e, http.StatusUnauthorized
	case user.Is("is_admin"):
		return e, 0
	}
	rights, _ := user.Get(strings.ToLower(method) + "_requests").([]any)
	if e.access == granted && slices.Contains(rights, any("/rest/"+name)) {
		return e, 0
	}
	return e, http.StatusForbidden
}

// answer runs an endpoint, and commits what it has changed or, after an error, rolls it back.
func answer(c *command, e endpoint, path []string, keywords *python.Dict) reply {
	value, err := e.call(c, path, keywords)
	if err == nil {
		err = c.Commit()
	}
	if err == nil {
		return reply{status: http.StatusOK, value: value, cookie: c.User != nil}
	}
	c.Rollback()
	reason, forbidden := model.IsForbidden(err)
	switch {
	case !forbidden:
		return alert(http.StatusInternalServerError)
	case c.Version == model.V53 && reason != "":
		return reply{status: http.StatusForbidden, value: python.NewRecord("alert", "Error 403 - "+reason)}
	default:
		return alert(http.StatusForbidden)
	}
}

// authenticate returns the caller, by HTTP Basic, or nil. The check of a password takes Options.Latency,
// whether the password is right or wrong. isBroken reports that eNMS fails: it cannot look for the name, or
// cannot check the stored password.
func (s *Server) authenticate(r *http.Request, w *worker) (user *database.Object, isBroken bool) {
	name, password, ok := r.BasicAuth()
	if !ok || name == "" || password == "" {
		return nil, false
	}
	if !s.db.CanHold(name) {
		return nil, true
	}
	s.mu.Lock()
	view := s.workers.viewOf(w)
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
	switch {
	case strings.HasPrefix(stored, "$argon2i"): // somebody has written a hash, which eNMS tries to read
		return nil, true
	case stored != password:
		return nil, false
	}
	return user, false
}

// endpoint is a method and a path under /rest/.
type endpoint struct {
	access     string   // who may use it (6.1)
	segments   []string // the keywords that the path gives, one in each segment
	optional   int      // how many of the segments may be missing
	anyKeyword bool     // whether it takes others, from the query or the body
	run        func(c *command, path []string, keywords *python.Dict) (any, error)
}

// Who may use an endpoint.
const (
	everybody = "everybody"
	granted   = "granted" // users with the right, by their groups
	admins    = "admins"
)

var endpoints = map[string]endpoint{
	"GET configuration":       {granted, []string{"device_name", "property"}, 1, true, (*command).configuration},
	"GET instance":            {granted, []string{"instance_type", "name"}, 0, true, (*command).getInstance},
	"GET is_alive":            {everybody, nil, 0, true, isAlive},
	"GET query":               {granted, []string{"instance_type"}, 0, true, (*command).query},
	"GET result":              {granted, []string{"name", "runtime"}, 0, true, (*command).result},
	"GET token":               {granted, nil, 0, true, noToken},
	"GET workers":             {admins, nil, 0, false, noWorkers},
	"POST get_cluster_status": {granted, nil, 0, false, nothing},
	"POST get_git_content":    {granted, nil, 0, true, nothing},
	"POST instance":           {granted, []string{"instance_type", "list_data"}, 1, true, (*command).postInstance},
	"POST run_service":        {granted, nil, 0, true, (*command).runService},
	"POST run_task":           {granted, []string{"task_id"}, 0, false, (*command).runTask},
	"POST search":             {granted, nil, 0, true, (*command).search},
	"POST update_all_pools":   {granted, nil, 0, false, (*command).updateAllPools},
	"POST update_database_configurations_from_git": {granted, nil, 0, true, nothing},
	"POST update_device_rbac":                      {admins, nil, 0, false, (*command).updateDeviceRights},
	"DELETE instance":                              {granted, []string{"instance_type", "name"}, 0, false, (*command).deleteInstance},
}

// endpoints53 are the endpoints of 5.3 that 4.7 does not have, or has in another form.
var endpoints53 = map[string]endpoint{
	"POST add_instances_in_bulk": {granted, nil, 0, true, (*command).addInBulk},
	"POST get_cluster_status":    {granted, nil, 0, false, (*command).clusterStatus},
	"POST migrate":               {admins, []string{"import_type", "direction"}, 0, true, nothing},
	"POST scan_folder":           {admins, nil, 0, true, nothing},
}

// endpoint returns the endpoint with a method and a name, which is the first segment of the path.
func (i *installation) endpoint(method, name string) (e endpoint, known bool) {
	if i.opts.Version == model.V53 {
		if e, known = endpoints53[method+" "+name]; known {
			return e, true
		}
	}
	e, known = endpoints[method+" "+name]
	return e, known
}

// call runs the endpoint in a session. The request breaks (7) if the path has too many or too few segments, if the
// endpoint takes no keywords but there are some, or if a keyword is also given by a segment.
func (e endpoint) call(c *command, path []string, keywords *python.Dict) (any, error) {
	missing := len(e.segments) - len(path)
	if missing < 0 || missing > e.optional || !e.anyKeyword && keywords.Size() > 0 {
		return nil, python.ErrServer
	}
	for _, segment := range e.segments[:len(path)] {
		if _, twice := keywords.Lookup(segment); twice {
			return nil, python.ErrServer
		}
	}
	return e.run(c, path, keywords)
}

func isAlive(*command, []string, *python.Dict) (any, error) {
	return python.NewRecord("cluster_id", true, "name", int64(3281355014145)), nil
}

func noWorkers(*command, []string, *python.Dict) (any, error) { return python.NewDict(), nil }

// nothing is an endpoint of which the simulator has only the answer, null.
func nothing(*command, []string, *python.Dict) (any, error) { return nil, nil }

// clusterStatus returns the status of each server.
func (c *command) clusterStatus([]string, *python.Dict) (any, error) {
	status := []any{}
	for _, server := range c.All("server") {
		status = append(status, server.Get("status"))
	}
	return status, nil
}

// noToken fails: eNMS still grants the endpoint, but no longer has it (7, Authentication).
func noToken(*command, []string, *python.Dict) (any, error) { return nil, python.ErrServer }

// arguments returns the keywords of a request: the query or, on POST, the body, which is a form or a JSON object. A
// JSON list becomes the keyword list_data; null, and what else is false in Python, is no keywords. Any other body is
// an error.
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

// parseQuery reads a query. Of repeated parameters, the first counts; invalid escapes stay as they are.
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
