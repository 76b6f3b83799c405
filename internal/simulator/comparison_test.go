// What an answer is held to by a recorded one: the rules of the recordings.

package simulator

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
)

// comparison finds where an answer differs from the recorded one beyond what is
// free: times, ids, the order of relations, tracebacks but for their last lines.
type comparison struct {
	deleted, alive, complete bool
	ordered                  bool // the rows stand in an order that was asked for
	echoed                   bool // inside of what a failure gives back
	differences              []string
}

func (c *comparison) differ(path string, got, want any) {
	c.differences = append(c.differences, fmt.Sprintf("%s: got %v, recorded %v", path, got, want))
}

func (c *comparison) values(path string, got, want any) {
	key := path[strings.LastIndex(path, ".")+1:]
	switch want := want.(type) {
	case map[string]any:
		c.objects(path, got, want)
	case []any:
		c.lists(path, key, got, want)
	case float64:
		_, isNumber := got.(float64)
		free := key == "id" || strings.HasSuffix(key, "_id") || c.alive && key == "name"
		if !isNumber || !free && got != want {
			c.differ(path, got, want)
		}
	case string:
		c.texts(path, key, got, want)
	default:
		if !reflect.DeepEqual(got, want) {
			c.differ(path, got, want)
		}
	}
}

// unrecorded are fields that were taken out of the recordings, or that some
// installations answer for other types.
func (c *comparison) unrecorded(key string, recorded map[string]any) bool {
	shared := recorded["name"] == "[Shared] Start" || recorded["name"] == "[Shared] End"
	return key == "custom_json" || unrecordedOfRuns.MatchString(key) && recorded["type"] == "run" || c.deleted && (key == "owners" || key == "positions" && shared) ||
		c.complete && (key == "sources" || key == "destinations")
}

func (c *comparison) objects(path string, got any, want map[string]any) {
	have, ok := got.(map[string]any)
	if !ok {
		c.differ(path, got, want)
		return
	}
	for key, value := range want {
		switch v, answered := have[key]; {
		case c.echoed && answered && relates(key): // names of relations are ids already, some of them
		case answered:
			c.values(path+"."+key, v, value)
		case !c.unrecorded(key, want):
			c.differences = append(c.differences, path+"."+key+": not answered")
		}
	}
	for key := range have {
		if _, recorded := want[key]; !recorded && !c.unrecorded(key, want) {
			c.differences = append(c.differences, path+"."+key+": not recorded")
		}
	}
}

// relates says whether a key is a relation of some model.
func relates(key string) bool {
	for _, version := range []model.Version{model.V47, model.V53} {
		for _, m := range model.Types(version) {
			if m.Relations[key] != nil {
				return true
			}
		}
	}
	return false
}

// lists compares in order, but for rows where none was asked for, for relations,
// for the lists of rights that a server collects from groups, and for the names in
// the summary of a run.
func (c *comparison) lists(path, key string, got any, want []any) {
	have, ok := got.([]any)
	if !ok || len(have) != len(want) {
		c.differ(path, got, want)
		return
	}
	if path == "" && !c.ordered || relates(key) || slices.Contains(model.ListProperties, key) || strings.HasSuffix(path, ".summary."+key) {
		have, want = sortedByName(have), sortedByName(want)
	}
	if path == ".failure" {
		c.echoed = true
		defer func() { c.echoed = false }()
	}
	for i := range want {
		c.values(fmt.Sprintf("%s[%d]", path, i), have[i], want[i])
	}
}

func sortedByName(list []any) []any {
	name := func(v any) string {
		if object, ok := v.(map[string]any); ok {
			v = object["name"]
		}
		return fmt.Sprint(v)
	}
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(name(a), name(b)) })
	return list
}

var (
	emptyOrNot       = regexp.MustCompile(`^(path|creator|last_modified|last_modified_by|last_run|last_scheduled_by|disabled_info|creation_time|last_updated|persistent_id|builder_link|memory_size|size)$`)
	dateText         = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`)
	leftText         = regexp.MustCompile(`^(-?\d+ days, )?\d+h:\d+m:\d+s$`)
	unrecordedOfRuns = regexp.MustCompile(`^(state|memory_size|(server|worker)(_.*)?)$`)
	unnamedRun       = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6} (\(.*\))$`)
)

func (c *comparison) texts(path, key string, got any, want string) {
	have, ok := got.(string)
	unreachable := have == "Scheduler Unreachable" || want == "Scheduler Unreachable"
	same := have == want
	switch {
	case emptyOrNot.MatchString(key):
		same = (have == "") == (want == "")
	case key == "runtime", key == "duration":
		same = true
	case key == "next_run_time":
		same = same || unreachable || dateText.MatchString(have) && dateText.MatchString(want)
	case key == "time_before_next_run":
		same = same || unreachable || leftText.MatchString(have) && leftText.MatchString(want)
	case unnamedRun.MatchString(want):
		same = unnamedRun.MatchString(have) && unnamedRun.FindStringSubmatch(have)[1] == unnamedRun.FindStringSubmatch(want)[1]
	case strings.HasPrefix(want, "Traceback … "):
		lines := strings.Split(strings.TrimSpace(have), "\n")
		same = strings.HasPrefix(have, "Traceback (most recent call last):\n") &&
			lines[len(lines)-1] == strings.TrimPrefix(want, "Traceback … ")
	}
	if !ok || !same {
		c.differ(path, got, want)
	}
}
