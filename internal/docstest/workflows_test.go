// This file checks what the jobs of the examples, and of this repository, may do and what they depend on.

package docstest

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

var (
	pinned       = regexp.MustCompile(`^\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	noRights     = regexp.MustCompile(`(?m)^permissions:(?: \{\}|\n {2}contents: read)\n\s*$`)
	jobStart     = regexp.MustCompile(`(?m)^ {2}[a-z-]+:\n`)
	stepStart    = regexp.MustCompile(`(?m)^ {6}- `)
	afterScript  = regexp.MustCompile(`(?m)^ {8}\S`)
	goVersion    = regexp.MustCompile(`go-version: "([^"]*)"`)
	secretOf     = regexp.MustCompile(`secrets\.(\w+)`)
	imageByName  = regexp.MustCompile(`(?m)^\s*(?:image|name): (\S+)$`)
	imagesDigest = regexp.MustCompile(`^\S+@sha256:[0-9a-f]{64}$`)
)

// A job has what it needs alone: a token of its own rights, secrets of an environment, no credentials in the clone. What
// it runs is pinned, Go to the version that this repository asks for, and no text of a pull request is part of a script.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	module := textsOf(t, "go.mod")[filepath.Join(acctest.Repository, "go.mod")]
	_, toolchain, _ := strings.Cut(module, "\ntoolchain go")
	toolchain, _, _ = strings.Cut(toolchain, "\n")
	for file, text := range textsOf(t, ".github/workflows/*.yml", "examples/*/github-*.yml", "examples/*/*-github-*.yml") {
		for _, version := range goVersion.FindAllStringSubmatch(text, -1) {
			if version[1] != toolchain {
				t.Errorf("%s builds the provider with Go %s, and go.mod says %s", file, version[1], toolchain)
			}
		}
		top, jobs, _ := strings.Cut(text, "\njobs:\n")
		if !noRights.MatchString(top + "\n") {
			t.Errorf("%s does not begin with no rights", file)
		}
		if regexp.MustCompile(`pull_request_target|workflow_run:|issue_comment`).MatchString(top) {
			t.Errorf("%s gives secrets to what strangers send", file)
		}
		for _, job := range jobStart.Split(jobs, -1)[1:] {
			head, _, _ := strings.Cut(job, "    steps:\n")
			if strings.Contains(file, "examples") && !strings.Contains(head, "    permissions:\n") {
				t.Errorf("%s: a job has no permissions of its own:\n%s", file, job)
			}
			for _, secret := range secretOf.FindAllStringSubmatch(job, -1) {
				if !strings.Contains(head, "    environment: ") && secret[1] != "GITHUB_TOKEN" {
					t.Errorf("%s: %s is not that of an environment:\n%s", file, secret[1], job)
				}
			}
			checkSteps(t, file, job)
		}
	}
}

func checkSteps(t *testing.T, file, job string) {
	t.Helper()
	for _, step := range stepStart.Split(job, -1) {
		if _, uses, is := strings.Cut(step, "uses: "); is {
			uses, _, _ = strings.Cut(uses, "\n")
			if !strings.HasPrefix(uses, "./") && !pinned.MatchString(uses) {
				t.Errorf("%s: %s is not pinned by a commit, with its version beside it", file, uses)
			}
			if strings.HasPrefix(uses, "actions/checkout@") && !strings.Contains(step, "persist-credentials: false\n") {
				t.Errorf("%s: a checkout keeps its token:\n%s", file, job)
			}
		}
		_, script, _ := strings.Cut(step, "run: ")
		if strings.Contains(afterScript.Split(script, 2)[0], "${{") {
			t.Errorf("%s: an expression is part of a script:\n%s", file, script)
		}
	}
}

// The jobs of GitLab run images by digest, and have variables of an environment.
func TestWorkflows_ofGitLab(t *testing.T) {
	t.Parallel()
	for file, text := range textsOf(t, "examples/*/gitlab-ci.yml") {
		for _, image := range imageByName.FindAllStringSubmatch(text, -1) {
			if !imagesDigest.MatchString(image[1]) {
				t.Errorf("%s: the image %s can be another one, under its tag or by a variable", file, image[1])
			}
		}
		for _, job := range regexp.MustCompile(`(?m)^enms-`).Split(text, -1)[1:] {
			if !strings.Contains(job, "\n  environment: ") && !strings.Contains(job, "check.sh code") {
				t.Errorf("%s: a job has no environment:\n%s", file, job)
			}
		}
	}
}
