// Package servicename puts the full names of services together and takes them
// apart. eNMS makes such a name of the workflow's and the service's own
// (enms-rest.md 1.5).
package servicename

import "strings"

// Shared stands for the workflow in the names of shared services.
const Shared = "Shared"

// Join returns the full name of a service: its workflow's full name in brackets, then its own
// name. A service in no workflow has its own name alone.
func Join(workflow, scoped string) string {
	if workflow == "" {
		return scoped
	}
	return "[" + workflow + "] " + scoped
}

// Split takes a full name apart. The workflow's may begin with brackets itself, so the
// bracket that closes the prefix is the one that matches the first. The workflow is
// empty when the name has no prefix; brackets that are part of a name of its own are
// taken for one.
func Split(name string) (workflow, scoped string) {
	open := 0
	for i, r := range name {
		switch r {
		case '[':
			open++
		case ']':
			open--
		}
		if open > 0 {
			continue
		}
		if scoped, ok := strings.CutPrefix(name[i:], "] "); ok && i > 1 {
			return name[1:i], scoped
		}
		break
	}
	return "", name
}
