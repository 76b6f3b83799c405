// What running a service comes to (4.3).

package simulator

// verdict is what running a service came to, as far as eNMS tells.
type verdict struct {
	success   bool
	result    any
	hasResult bool
	summary   *dict  // names by what their devices came to, nil when the run broke early
	once      bool   // all devices at once: the answer says that there was no single one
	more      record // what code adds of its own
}

func failedWith(result any) verdict { return verdict{result: result, hasResult: true} }

// broken is a run that an exception of eNMS itself has ended.
func broken(err error) verdict { return failedWith(traceback(err)) }

func (v verdict) record() record {
	r := append(newRecord("success", v.success), v.more...)
	if v.once {
		r = r.with("device_target", nil)
	}
	if v.hasResult {
		r = r.with("result", v.result)
	}
	if v.summary != nil {
		r = r.with("summary", v.summary)
	}
	return r
}

// outcome is the word under which edges and summaries know a success or failure.
func outcome(success bool) string {
	if success {
		return "success"
	}
	return "failure"
}
