// Package servicename joins and splits the full names of services. eNMS composes them from the name of the
// workflow and the scoped name of the service (enms-rest.md 1.5).
package servicename

import "strings"

// Shared takes the place of the workflow in the names of shared services.
const Shared = "Shared"

// Start and End are the full names of the services that every new workflow has, at its beginning and its end.
const (
	Start = "[" + Shared + "] Start"
	End   = "[" + Shared + "] End"
)

// Join returns the full name of a service: the full name of its workflow in brackets, then the scoped name.
// The full name of a service without a workflow is its scoped name.
func Join(workflow, scoped string) string {
	if workflow == "" {
		return scoped
	}
	return "[" + workflow + "] " + scoped
}

// Split splits a full name. The name of the workflow may begin with brackets, too, so the prefix ends with
// the bracket that closes the first one. workflow is empty if there is no prefix, or nothing in its brackets.
// Brackets that are simply part of a name count as a prefix.
func Split(name string) (workflow, scoped string) {
	open := 0
	for i, r := range name {
		switch r {
		case '[':
			open++
		case ']':
			open--
		}
		if open <= 0 { // the end of the prefix, or the first character if that is no bracket
			if scoped, ok := strings.CutPrefix(name[i:], "] "); ok && i > 1 {
				return name[1:i], scoped
			}
			return "", name
		}
	}
	return "", name
}

// Meant returns the one of some shared services that a name means which lacks "[Shared] ", or has it in another case
// or with other blanks. It returns "" if there is none, or if the name is right.
func Meant(name string, shared []string) string {
	compact := func(name string) string { return strings.ToLower(strings.ReplaceAll(name, " ", "")) }
	for _, full := range shared {
		_, own := Split(full)
		isMeant := compact(name) == compact(full) || compact(name) == compact(own)
		if isMeant && name != full {
			return full
		}
	}
	return ""
}
