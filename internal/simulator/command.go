// What a command works with: a session, and the state of eNMS beside the database.

package simulator

import (
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// installation is the state that the processes of an eNMS share beside the database.
type installation struct {
	process *model.Process
	opts    Options
	results map[string]*result // by runtime
}

// command is one request: its methods are the endpoints and what they do.
type command struct {
	*model.Session
	*installation
}

// begin opens a session for a caller.
func (i *installation) begin(db *database.Database, caller *database.Object) *command {
	return &command{Session: &model.Session{Tx: db.Begin(), Process: i.process, User: caller}, installation: i}
}

// result is what a run left behind; the answer is missing until it is over.
type result struct {
	answer python.Record
	polls  int                    // how many questions are answered before it is over
	finish func(c *command) error // what is left to be done then
}

// newRuntime returns a timestamp that no run has yet, since runs are found by it.
func (i *installation) newRuntime() string {
	for at := i.process.Now(); ; at = at.Add(time.Microsecond) {
		runtime := at.Format("2006-01-02 15:04:05.000000")
		if i.results[runtime] == nil {
			i.results[runtime] = &result{}
			return runtime
		}
	}
}
