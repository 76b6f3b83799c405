// The endpoints under /rest/: who may call them, what they take, what they do (0, 6.1).

package simulator

import (
	"net/http"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// endpoints are the paths under /rest/ by method, and who may use them: "none"
// is everybody, "access" whom a group grants it, "admin" admins (6.1).
var endpoints = map[string]map[string]string{
	http.MethodGet: {"configuration": "access", "instance": "access", "is_alive": "none", "query": "access",
		"result": "access", "token": "access", "workers": "admin"},
	http.MethodPost: {"instance": "access", "search": "access", "run_service": "access", "run_task": "access",
		"update_all_pools": "access", "update_device_rbac": "admin", "get_cluster_status": "access",
		"get_git_content": "access", "update_database_configurations_from_git": "access"},
	http.MethodDelete: {"instance": "access"},
}

// call runs an endpoint. Segments beyond what it takes, missing ones, and
// keywords it does not know break the request (7).
func (c *command) call(endpoint string, path []string, keywords *python.Dict) (any, error) {
	shape, known := shapes[endpoint]
	if !known {
		return nil, python.ErrServer
	}
	if len(path) < shape.least || len(path) > shape.most || !shape.anyKeyword && len(keywords.Keys) > 0 {
		return nil, python.ErrServer
	}
	for i := range path {
		if _, twice := keywords.Lookup(shape.names[i]); twice {
			return nil, python.ErrServer
		}
	}
	return shape.run(c, path, keywords)
}

// shape is the signature of an endpoint.
type shape struct {
	least, most int      // segments of the path
	names       []string // what the segments are called, which no keyword may be
	anyKeyword  bool
	run         func(c *command, path []string, keywords *python.Dict) (any, error)
}

var shapes = map[string]shape{
	"GET is_alive": {0, 0, nil, true, func(*command, []string, *python.Dict) (any, error) {
		return python.NewRecord("cluster_id", true, "name", int64(3281355014145)), nil
	}},
	"GET instance": {2, 2, []string{"instance_type", "name"}, true, func(c *command, path []string, _ *python.Dict) (any, error) {
		return c.getInstance(path[0], path[1])
	}},
	"GET query": {1, 1, []string{"instance_type"}, true, func(c *command, path []string, keywords *python.Dict) (any, error) {
		return c.query(path[0], keywords)
	}},
	"GET result": {2, 2, []string{"name", "runtime"}, true, func(c *command, path []string, _ *python.Dict) (any, error) {
		return c.result(path[0], path[1])
	}},
	"GET configuration": {1, 2, []string{"device_name", "property"}, true, func(c *command, path []string, keywords *python.Dict) (any, error) {
		property := any("configuration")
		if asked, ok := keywords.Lookup("property"); ok {
			property = asked
		}
		if len(path) == 2 {
			property = path[1]
		}
		return c.configuration(path[0], property.(string))
	}},
	"GET workers":   {0, 0, nil, false, func(*command, []string, *python.Dict) (any, error) { return python.NewDict(), nil }},
	"POST instance": {1, 2, []string{"instance_type", "list_data"}, true, postInstance},
	"POST search": {0, 0, nil, true, func(c *command, _ []string, keywords *python.Dict) (any, error) {
		return c.search(keywords)
	}},
	"POST run_service": {0, 0, nil, true, func(c *command, _ []string, keywords *python.Dict) (any, error) {
		return c.runService(keywords)
	}},
	"POST run_task": {1, 1, []string{"task_id"}, false, func(c *command, path []string, _ *python.Dict) (any, error) {
		return nil, c.runTask(path[0])
	}},
	"POST update_all_pools": {0, 0, nil, false, func(c *command, _ []string, _ *python.Dict) (any, error) {
		return nil, c.updateAllPools()
	}},
	"POST update_device_rbac": {0, 0, nil, false, func(c *command, _ []string, _ *python.Dict) (any, error) {
		c.updateDeviceRights()
		return nil, nil
	}},
	"POST get_cluster_status":                      {0, 0, nil, false, nothing},
	"POST get_git_content":                         {0, 0, nil, true, nothing},
	"POST update_database_configurations_from_git": {0, 0, nil, true, nothing},
	"DELETE instance": {2, 2, []string{"instance_type", "name"}, false, func(c *command, path []string, _ *python.Dict) (any, error) {
		return c.deleteInstance(path[0], path[1])
	}},
}

func nothing(*command, []string, *python.Dict) (any, error) { return nil, nil }

// postInstance: a second path segment is taken for the list of objects, of which
// only its characters are left (0.1).
func postInstance(c *command, path []string, keywords *python.Dict) (any, error) {
	if _, twice := keywords.Lookup("instance_type"); twice {
		return nil, python.ErrServer
	}
	given, _ := keywords.Pop("list_data")
	if len(path) == 2 {
		given = path[1]
	}
	entries := []any{keywords}
	if python.Truthy(given) {
		var err error
		if entries, err = python.Iterate(given); err != nil {
			return nil, err
		}
	}
	answer, err := c.upsertAll(path[0], entries)
	if err != nil {
		return nil, err
	}
	return answer.record(), nil
}
