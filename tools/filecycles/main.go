// Command filecycles finds cycles between the files of a Go package: files that use
// each other's declarations, directly or through other files. In a package without
// cycles every file can be read with nothing but those below it.
//
//	filecycles [-except packages] directory...
//
// It looks at every package in and below the directories, without test files, and exits
// with 1 when it finds a cycle. -except lists packages, by the end of their import path,
// whose cycles are known: they are printed and do no harm. A package of that list without
// a cycle is an error, so that it leaves the list.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	except := flag.String("except", "", "packages, separated by commas, whose cycles are known")
	flag.Parse()
	isFailed := false
	for _, dir := range flag.Args() {
		failed, err := check(os.Stdout, dir, strings.Split(*except, ","))
		if err != nil {
			fmt.Fprintln(os.Stderr, "filecycles:", err)
			os.Exit(2)
		}
		isFailed = isFailed || failed
	}
	if isFailed {
		os.Exit(1)
	}
}

// check writes the cycles of the packages in and below a directory, and reports whether
// one of them is not known or one that is known has gone.
func check(out io.Writer, dir string, known []string) (failed bool, err error) {
	found, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: dir}, "./...")
	if err != nil {
		return false, err
	}
	for _, p := range found {
		if len(p.Errors) > 0 {
			return false, p.Errors[0]
		}
		uses := usesOf(p)
		cycles := cyclesOf(uses)
		isKnown := slices.ContainsFunc(known, func(name string) bool { return name != "" && strings.HasSuffix(p.PkgPath, "/"+name) })
		for _, cycle := range cycles {
			fmt.Fprintf(out, "%s: %d of %d files form a cycle:\n", p.PkgPath, len(cycle), len(p.Syntax))
			for _, use := range within(uses, cycle) {
				fmt.Fprintln(out, "    "+use)
			}
		}
		if isKnown && len(cycles) == 0 {
			fmt.Fprintf(out, "%s has no cycle any longer: take it off the list of -except\n", p.PkgPath)
		}
		failed = failed || isKnown != (len(cycles) > 0)
	}
	return failed, nil
}
