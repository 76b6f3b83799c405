// What a command has: a session and what eNMS has beside the database.

package simulator

import "time"

// installation is what the processes of an eNMS share beside the database.
type installation struct {
	shared  *process
	opts    Options
	results map[string]*result // by runtime
}

// command is one request at work.
type command struct {
	*session
	*installation
}

// begin opens a session for a caller.
func (i *installation) begin(db *store, caller *object) *command {
	return &command{session: &session{tx: db.begin(), process: i.shared, user: caller}, installation: i}
}

// result is what a run left behind; the answer is missing until it is over.
type result struct {
	answer record
	polls  int                    // how many questions are answered before it is over
	finish func(c *command) error // what is left to be done then
}

// newRuntime returns a timestamp that no run has yet, since runs are found by it.
func (i *installation) newRuntime() string {
	for at := i.shared.now(); ; at = at.Add(time.Microsecond) {
		runtime := at.Format("2006-01-02 15:04:05.000000")
		if i.results[runtime] == nil {
			i.results[runtime] = &result{}
			return runtime
		}
	}
}
