// The outcome of running a service (4.3).

package simulator

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// verdict is the outcome of running a service, as far as eNMS returns it.
type verdict struct {
	success   bool
	result    any
	hasResult bool
	summary   *python.Dict  // the names of the devices by outcome; nil for one device, and if the run broke early
	once      bool          // the service ran once for all devices: "device_target" in the answer is null
	more      python.Record // further results that the code of a snippet has set
}

// failedWith returns a failure with a result.
func failedWith(result any) verdict { return verdict{result: result, hasResult: true} }

// broken returns the outcome of a run that an exception of eNMS itself has ended.
func broken(err error) verdict { return failedWith(python.Traceback(err)) }

// record returns the outcome as the answer contains it.
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

// outcome returns the word that edges and summaries use for a success or a failure.
func outcome(success bool) string {
	if success {
		return "success"
	}
	return "failure"
}
