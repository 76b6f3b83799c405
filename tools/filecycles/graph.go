// This file finds which files of a package use which, and the cycles among them.

package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// graph holds for each file of a package the files that it uses, and what it uses of each.
type graph map[string]map[string][]string

// usesOf returns which files of a package use which: a file uses another when it names
// something that is declared there, be it a function, a type, a variable, a method or a
// field.
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
		if from != to && uses[from] != nil && uses[to] != nil && !slices.Contains(uses[from][to], object.Name()) {
			uses[from][to] = append(uses[from][to], object.Name())
		}
	}
	return uses
}

// cyclesOf returns the sets of files that reach each other, each with two files or more,
// the largest first.
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
		if len(cycle) > 1 && cycle[0] == file {
			cycles = append(cycles, cycle)
		}
	}
	slices.SortStableFunc(cycles, func(a, b []string) int { return len(b) - len(a) })
	return cycles
}

func reach(uses graph, file string, reached map[string]bool) {
	for other := range uses[file] {
		if !reached[other] {
			reached[other] = true
			reach(uses, other, reached)
		}
	}
}

// within returns one line for each use between the files of a cycle.
func within(uses graph, cycle []string) []string {
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
