// What running a service comes to (4.3).

package simulator

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// verdict is the outcome of running a service, as far as eNMS returns it.
type verdict struct {
	success   bool
	result    any
	hasResult bool
	summary   *python.Dict  // names by what their devices came to, nil when the run broke early
	once      bool          // all devices at once: the answer says that there was no single one
	more      python.Record // what code adds of its own
}

func failedWith(result any) verdict { return verdict{result: result, hasResult: true} }

// broken returns a run that an exception of eNMS itself has ended.
func broken(err error) verdict { return failedWith(python.Traceback(err)) }

func (v verdict) record() python.Record {
	r := append(python.NewRecord("success", v.success), v.more...)
	if v.once {
		r = r.With("device_target", nil)
	}
	if v.hasResult {
		r = r.With("result", v.result)
	}
	if v.summary != nil {
		r = r.With("summary", v.summary)
	}
	return r
}

// outcome returns the word under which edges and summaries know a success or failure.
func outcome(success bool) string {
	if success {
		return "success"
	}
	return "failure"
}
