// The endpoints under /rest/: who may call them, what they take, what they do (0, 6.1).

package simulator

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"

// endpoint is a method and a path under /rest/.
type endpoint struct {
	access     string   // who may use it: everybody, whom a group grants it, admins (6.1)
	segments   []string // what the segments of the path are called, which no keyword may be
	optional   int      // how many of the segments may be missing
	anyKeyword bool
	run        func(c *command, path []string, keywords *python.Dict) (any, error)
}

const (
	everybody = "everybody"
	granted   = "granted"
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

// call runs the endpoint in a session. Segments beyond what it takes, missing ones, and
// keywords it does not know break the request (7).
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

func nothing(*command, []string, *python.Dict) (any, error) { return nil, nil }

func noToken(*command, []string, *python.Dict) (any, error) { return nil, python.ErrServer }
