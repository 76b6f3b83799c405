// This file finds the uses between the files of a package, and the cycles among them.

package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// graph maps each file of a package to the files that it uses, with the names that it uses.
type graph map[string]map[string][]string

// usesOf returns the uses of a package. A file uses another one if it names anything that is
// declared there: a function, type, variable, method or field.
func usesOf(p *packages.Package) graph {
	uses := graph{}
	for _, file := range p.Syntax {
		uses[filepath.Base(p.Fset.File(file.FileStart).Name())] = map[string][]string{}
	}
	for ident, object := range p.TypesInfo.Uses {
		if object.Pkg() != p.Types || !object.Pos().IsValid() {
			continue
		}
		from := filepath.Base(p.Fset.File(ident.Pos()).Name())
		to := filepath.Base(p.Fset.File(object.Pos()).Name())
		if from != to && !slices.Contains(uses[from][to], object.Name()) {
			uses[from][to] = append(uses[from][to], object.Name())
		}
	}
	return uses
}

// cyclesOf returns the sets of two or more files that reach each other, the largest first.
func cyclesOf(uses graph) [][]string {
	reached := map[string]map[string]bool{}
	for file := range uses {
		reached[file] = map[string]bool{}
		reach(uses, file, reached[file])
	}
	var cycles [][]string
	for _, file := range slices.Sorted(maps.Keys(uses)) {
		var cycle []string
		for other := range reached[file] {
			if reached[other][file] {
				cycle = append(cycle, other)
			}
		}
		slices.Sort(cycle)
		if len(cycle) > 1 && cycle[0] == file { // Every file of the cycle finds it: it counts for the first.
			cycles = append(cycles, cycle)
		}
	}
	slices.SortStableFunc(cycles, func(a, b []string) int { return len(b) - len(a) })
	return cycles
}

// reach adds the files that a file uses, directly or through others.
func reach(uses graph, file string, reached map[string]bool) {
	for other := range uses[file] {
		if !reached[other] {
			reached[other] = true
			reach(uses, other, reached)
		}
	}
}

// usesWithin returns one line for each use between the files of a cycle.
func usesWithin(uses graph, cycle []string) []string {
	var lines []string
	for _, from := range cycle {
		for _, to := range cycle {
			if names := uses[from][to]; len(names) > 0 {
				slices.Sort(names)
				lines = append(lines, fmt.Sprintf("%s uses %s of %s", from, strings.Join(names, ", "), to))
			}
		}
	}
	return lines
}
