// This file runs the scripts of the pipeline among the examples, from the development server to
// production, by the real Terraform, with two simulated servers and a stand-in for GitHub.

package docstest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// pipeline is a repository with the pipeline, its two servers, and the forge that it is on.
type pipeline struct {
	t         *testing.T
	w         *acctest.Workspace // its directory is a clone
	dev, prod *acctest.Server
	forge     *forge
}

// newPipeline returns a pipeline whose production is empty.
func newPipeline(t *testing.T) *pipeline {
	t.Helper()
	w := acctest.NewWorkspace(t)
	w.NeedsVersion(1, 11, "write-only attributes")
	if runtime.GOOS == "windows" {
		t.Skip("the pipeline is for a POSIX shell")
	}
	for _, program := range []string{"git", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("the pipeline needs " + program)
		}
	}
	p := &pipeline{t: t, w: w, forge: newForge(t), dev: acctest.NewSecondServer(t), prod: acctest.NewServer(t)}
	origin, state := filepath.Join(t.TempDir(), "origin"), filepath.Join(t.TempDir(), "production.tfstate")
	w.Environment = append(w.Environment, "TF_CLI_CONFIG_FILE="+mirror(t), "ENMS_EXPORT="+acctest.Program(t), "TERRAFORM="+invoking(t, w.Terraform),
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=Reviewer", "GIT_AUTHOR_EMAIL=r@example.com", "GIT_COMMITTER_NAME=Reviewer", "GIT_COMMITTER_EMAIL=r@example.com",
		"GITHUB_ACTIONS=true", "GITHUB_API_URL="+p.forge.server.URL, "GITHUB_REPOSITORY=net/work", "PULL_REQUEST=7", "FORGE_TOKEN=a-token", "SMOKE=action.enms_run_service.smoke")
	p.run("git init -q --bare -b main '" + origin + "' && git clone -q '" + origin + "' . 2>/dev/null && git switch -q -c main")
	for _, copied := range []string{"pipeline", "drift-check"} {
		copyDirectory(t, filepath.Join(w.Dir, copied), acctest.Repository+"/examples/"+copied)
	}
	p.write(".gitignore", ".pipeline/\n.terraform/\n.terraform.lock.hcl\nprod/drift.*\n")
	p.write("prod/versions.tf", fmt.Sprintf("terraform {\n  required_version = \">= 1.11\"\n\n  backend \"local\" {\n    path = %q\n  }\n\n  required_providers {\n    enms = { source = \"terraform-provider-enms/enms\" }\n  }\n}\n", state))
	p.run("git add -A && git commit -qm 'The pipeline' && git push -q origin main")
	return p
}

// mirror returns a CLI configuration by which `terraform init` finds the provider of the tree.
func mirror(t *testing.T) (config string) {
	t.Helper()
	dir := t.TempDir()
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		to := filepath.Join(dir, host, "terraform-provider-enms", "enms", "0.0.1", runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(to, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(acctest.Program(t), filepath.Join(to, "terraform-provider-enms_v0.0.1")); err != nil {
			t.Fatal(err)
		}
	}
	config = filepath.Join(dir, "terraform.rc")
	writeFile(t, config, fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", dir))
	return config
}

// invoking returns a program that is Terraform but for -invoke, as actions need a newer one than the
// tests. It fails as often as there are files in the directory SMOKE_FAILS.
func invoking(t *testing.T, terraform string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "terraform")
	script := fmt.Sprintf("#!/bin/sh\nfor a; do case $a in -invoke=*) echo \"invoked ${a#-invoke=}\"; "+
		"for f in \"${SMOKE_FAILS:-/nowhere}\"/*; do [ ! -e \"$f\" ] || { rm \"$f\"; exit 1; }; done; exit ;; esac; done\nexec '%s' \"$@\"\n", terraform)
	writeProgram(t, program, script)
	return program
}

// forge is a stand-in for GitHub: comments of one pull request, and pull requests.
type forge struct {
	server   *httptest.Server
	mutex    sync.Mutex
	comments []map[string]any
	requests []map[string]any
	problems []string
}

func newForge(t *testing.T) *forge {
	t.Helper()
	f := &forge{comments: []map[string]any{{"id": 1, "body": "Looks good", "user": map[string]any{"login": "jane"}}, {"id": 2, "body": "<!-- enms pipeline -->\nNot the pipeline's", "user": map[string]any{"login": "mallory"}}}}
	mux := http.NewServeMux()
	for path, list := range map[string]*[]map[string]any{"/repos/net/work/issues/7/comments": &f.comments, "/repos/net/work/pulls": &f.requests} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			_ = json.NewEncoder(w).Encode(append([]map[string]any{}, *list...))
		})
		mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
			one := f.read(r)
			one["user"] = map[string]any{"login": "github-actions[bot]"}
			one["id"], one["number"] = 11+len(*list), 11+len(*list)
			*list = append(*list, one)
			w.WriteHeader(http.StatusCreated)
		})
		one := strings.Replace(path, "/7/", "/", 1) + "/{id}"
		mux.HandleFunc("PATCH "+one, func(w http.ResponseWriter, r *http.Request) {
			for _, has := range *list {
				if fmt.Sprint(has["id"]) == r.PathValue("id") {
					has["body"] = f.read(r)["body"]
					return
				}
			}
			w.WriteHeader(http.StatusNotFound)
		})
	}
	f.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mutex.Lock()
		defer f.mutex.Unlock()
		if r.Header.Get("Authorization") != "Bearer a-token" {
			f.problems = append(f.problems, "no token: "+r.URL.Path)
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(f.server.Close)
	return f
}

func (f *forge) read(r *http.Request) (one map[string]any) {
	one = map[string]any{}
	if err := json.NewDecoder(r.Body).Decode(&one); err != nil {
		f.problems = append(f.problems, err.Error())
	}
	return one
}

// TestForge has forge.sh comment and open merge requests on GitLab: what is there is updated, and
// what it holds arrives as it is.
func TestForge(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	var sent []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("PRIVATE-TOKEN") != "a-token" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		there := len(sent) >= 2
		switch {
		case r.Method != http.MethodGet:
			body := map[string]string{}
			if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
				t.Error(err)
			}
			sent = append(sent, fmt.Sprint(r.Method, " ", r.URL.Path, " ", body))
			fmt.Fprint(w, "{}")
		case r.URL.Path == "/user":
			fmt.Fprint(w, `{"id": 9}`)
		case there && strings.HasSuffix(r.URL.Path, "/notes"):
			fmt.Fprint(w, `[{"id": 3, "body": "a", "author": {"id": 8}}, {"id": 4, "body": "<!-- enms pipeline -->\nof another one", "author": {"id": 8}}, {"id": 12345678, "body": "<!-- enms pipeline -->\nx", "author": {"id": 9}}]`)
		case there:
			fmt.Fprint(w, `[{"id": 90, "iid": 4}]`)
		default:
			fmt.Fprint(w, `[]`)
		}
	}))
	t.Cleanup(server.Close)
	gitlab := []string{"GITHUB_ACTIONS=", "CI_API_V4_URL=" + server.URL, "CI_PROJECT_ID=5", "CI_MERGE_REQUEST_IID=7"}
	text := "a \"b\" \\n\tc\nd ✓ `e` $(f)\n"
	p.write("text", text)
	p.run("git switch -q -c enms-capture && git commit -q --allow-empty -m x")
	for range 2 {
		p.run("pipeline/forge.sh comment text && pipeline/forge.sh pull-request text", gitlab...)
	}
	want := []string{
		"POST /projects/5/merge_requests/7/notes map[body:<!-- enms pipeline -->\n" + text + "]",
		"POST /projects/5/merge_requests map[description:" + text + " source_branch:enms-capture target_branch:main title:What has changed on the development server]",
		"PUT /projects/5/merge_requests/7/notes/12345678 map[body:<!-- enms pipeline -->\n" + text + "]",
		"PUT /projects/5/merge_requests/4 map[description:" + text + "]",
	}
	if !slices.Equal(sent, want) {
		t.Errorf("sent\n%s\nwant\n%s", strings.Join(sent, "\n"), strings.Join(want, "\n"))
	}
	p.run("git fetch -q origin enms-capture && git diff --quiet FETCH_HEAD HEAD")
	if code, out := runShell(p.w, "pipeline/forge.sh comment text", append(gitlab, "FORGE_TOKEN=wrong")...); code == 0 || strings.Contains(out, "wrong") {
		t.Errorf("with a wrong token it ended with %d:\n%s", code, out)
	}
}

// What a text holds closes no fence of a comment, and is no command for the runner of GitHub.
func TestPipeline_hostileOutput(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	p.write("prod/main.tf", "output \"o\" {\n  value = \"a\\n``````\\n@everyone ![x](https://example.com/x)\\n::add-mask::a\"\n}\n")
	_, out := runShell(p.w, "pipeline/check.sh plan", at(p.prod)...)
	checkMarkdown(t, "the comment", contentOf(p.w, ".pipeline/comment.md"))
	checkLog(t, "the check", out)
	if token, stops := strings.CutPrefix(out, "::stop-commands::"); !stops || strings.Index(token, "\n") != 32 || !strings.Contains(out, "::add-mask::") {
		t.Errorf("the runner would take commands from\n%s", out)
	}
}

// After a capture, what runs next is the script of the tree that was checked out, and not one that
// somebody has pushed to the branch of the capture.
func TestPipeline_captureLeavesTheTree(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	p.run("git switch -q -c enms-capture && echo 'echo stolen' >pipeline/forge.sh && git commit -qam x && git push -q origin enms-capture && git switch -q main")
	p.dev.Put("python_snippet_service", enms.Object{"name": "[Shared] one", "scoped_name": "one", "shared": true, "source_code": "x = 1"})()
	hostile := "a`|![x](y) @everyone"
	p.dev.Put("python_snippet_service", enms.Object{"name": "[Shared] " + hostile, "scoped_name": hostile, "shared": true})()
	p.run("echo mine >>pipeline/README.md") // somebody runs it by hand
	p.run("pipeline/capture.sh -type service", at(p.dev)...)
	if out := p.run("git status --porcelain --untracked-files=no"); out != " M pipeline/README.md\n" {
		t.Errorf("the capture has changed the tree:\n%s", out)
	}
	if text := contentOf(p.w, ".pipeline/pull-request.md"); !strings.Contains(text, "\n`[Shared] a'\\|![x](y) @everyone` | service | new | ") {
		t.Errorf("a name is more than code:\n%s", text)
	}
	if out := p.run("git rev-parse --abbrev-ref HEAD; pipeline/forge.sh pull-request .pipeline/pull-request.md"); out != "main\n" || len(p.forge.requests) != 1 {
		t.Errorf("after the capture:\n%s", out)
	}
}

// Whoever can push may move the tag of the last release: a commit that was never merged is no way back.
func TestPipeline_backIsWhatWasMerged(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	p.run("git switch -q -c stranger && git commit -q --allow-empty -m x && git push -q origin HEAD:refs/tags/enms-production && git switch -q main")
	for _, back := range []string{"", " back"} {
		ends(p.w, 1, "does not contain the last release", "pipeline/release.sh plan"+back, at(p.prod)...)
	}
}

// run runs a command in the clone, which must succeed, and returns what it printed.
func (p *pipeline) run(command string, environment ...string) string {
	p.t.Helper()
	code, out := runShell(p.w, command, environment...)
	if code != 0 {
		p.t.Fatalf("%s ended with %d:\n%s", command, code, out)
	}
	return out
}

func (p *pipeline) write(name, text string) {
	p.t.Helper()
	writeBelow(p.t, p.w.Dir, name, text)
}

// at returns the environment of a script for a server.
func at(s *acctest.Server) []string {
	return []string{"ENMS_BASE_URL=" + s.URL, "ENMS_USERNAME=" + s.User, "ENMS_PASSWORD=" + s.Password}
}

// capture exports the development server, offers what has changed, and returns the description.
func (p *pipeline) capture() string {
	p.t.Helper()
	p.run("pipeline/capture.sh -modules -type service,workflow_edge,task", at(p.dev)...)
	p.run("pipeline/forge.sh pull-request .pipeline/pull-request.md")
	text := contentOf(p.w, ".pipeline/pull-request.md")
	if n := len(p.forge.requests); n != 1 || p.forge.requests[0]["body"] != text || p.forge.requests[0]["head"] != "enms-capture" {
		p.t.Fatalf("%d pull requests, and not %s:\n%v", n, text, p.forge.requests)
	}
	return text
}

// complete is what a person does in the pull request: production calls the modules as the
// development server does.
func (p *pipeline) complete() {
	p.t.Helper()
	p.run("git checkout -q enms-capture")
	p.write("prod/main.tf", strings.ReplaceAll(contentOf(p.w, "dev/main.tf"), `"./modules/`, `"../dev/modules/`))
	p.run("git add prod && { git diff --cached --quiet || git commit -qm 'Production follows'; } && git push -q origin HEAD:refs/heads/enms-capture")
}

// check checks what a merge would make, and returns the comment.
func (p *pipeline) check() string {
	p.t.Helper()
	p.run("git fetch -q origin && git checkout -q -B merge origin/main && git merge -q --no-ff --no-edit origin/enms-capture")
	p.run("pipeline/check.sh code")
	return p.plan()
}

// plan makes the plan that is reviewed.
func (p *pipeline) plan() string {
	p.t.Helper()
	p.run("pipeline/check.sh plan", at(p.prod)...)
	p.run("pipeline/forge.sh comment .pipeline/comment.md")
	text := contentOf(p.w, ".pipeline/comment.md")
	if n := len(p.forge.comments); n != 3 || p.forge.comments[2]["body"] != "<!-- enms pipeline -->\n"+text {
		p.t.Fatalf("%d comments, and the last is not\n%s\n%v", n, text, p.forge.comments[n-1])
	}
	return text
}

// merge merges what was checked.
func (p *pipeline) merge() {
	p.t.Helper()
	p.run("git push -q origin HEAD:main && { git push -q origin :enms-capture 2>/dev/null || true; }")
	p.forge.requests = nil
}

// release plans, has that approved, and brings it to production, which ends as apply does.
func (p *pipeline) release(exitCode int, words string, environment ...string) string {
	p.t.Helper()
	return p.apply(exitCode, words, p.approve(environment...), environment...)
}

// approve returns the digest of the plan for production that a person is shown.
func (p *pipeline) approve(environment ...string) string {
	p.t.Helper()
	p.run("pipeline/release.sh plan", append(at(p.prod), environment...)...)
	return strings.TrimSpace(contentOf(p.w, ".pipeline/digest"))
}

// apply applies what was approved, which ends with an exit code and prints some words, and records it if it succeeds.
func (p *pipeline) apply(exitCode int, words, digest string, environment ...string) string {
	p.t.Helper()
	out := ends(p.w, exitCode, words, "pipeline/release.sh apply "+digest, append(at(p.prod), environment...)...)
	if exitCode == 0 {
		p.run("pipeline/forge.sh released \"$(cat .pipeline/released)\"")
	}
	return out
}

// round carries what has changed on the development server to production. It returns the
// description of the pull request, and the comment.
func (p *pipeline) round() (description, comment string) {
	p.t.Helper()
	description = p.capture()
	p.complete()
	comment = p.check()
	p.merge()
	p.release(0, "invoked action.enms_run_service.smoke\nrelease: production is as merged")
	p.same()
	return description, comment
}

// automation returns what a server has of services, edges and tasks, without ids and names of
// edges.
func automation(s *acctest.Server) (all []string) {
	s.T.Helper()
	for typ, fields := range map[string][]string{
		"service":       {"name", "type", "source_code", "scoped_name", "shared", "workflows"},
		"workflow_edge": {"workflow", "source", "destination", "subtype"},
		"task":          {"name", "service", "crontab_expression", "is_active"},
	} {
		objects := s.All(typ)
		for _, o := range objects {
			line := typ
			for _, field := range fields {
				line += fmt.Sprintf(" %s=%v", field, o[field])
			}
			all = append(all, line)
		}
	}
	slices.Sort(all)
	return all
}

// same checks that production is as the development server and as the repository.
func (p *pipeline) same() {
	p.t.Helper()
	if dev, prod := automation(p.dev), automation(p.prod); !slices.Equal(dev, prod) {
		p.t.Fatalf("production has\n%s\nand the development server\n%s", strings.Join(prod, "\n"), strings.Join(dev, "\n"))
	}
	p.run("pipeline/drift.sh", at(p.prod)...)
}

// draw puts the first version of the workflows onto the development server. Real servers are left as
// they were.
func (p *pipeline) draw() {
	for _, s := range []*acctest.Server{p.dev, p.prod} {
		if s.Simulator != nil {
			continue
		}
		p.t.Cleanup(func() {
			for _, object := range [][2]string{{"task", "nightly"}, {"workflow", "Site check"}, {"workflow", "Backup"}, {"workflow", "Backup v2"}, {"service", "[Shared] Notify"}} {
				s.Drop(object[0], object[1])()
			}
		})
	}
	p.dev.Put("workflow", enms.Object{"name": "Site check", "scoped_name": "Site check"})()
	p.dev.Put("workflow", enms.Object{"name": "Backup", "scoped_name": "Backup"})()
	p.step("Site check", "Collect", "x = 1")
	p.step("Site check", "Compare", "x = 2")
	p.step("Backup", "Save", "x = 3")
	p.dev.Put("python_snippet_service", enms.Object{"name": "[Shared] Notify", "scoped_name": "Notify", "shared": true, "workflows": []string{"Site check", "Backup"}, "source_code": "print(1)"})()
	p.path("Site check", "[Shared] Start", "[Site check] Collect", "[Site check] Compare", "[Shared] Notify", "[Shared] End")
	p.path("Backup", "[Shared] Start", "[Backup] Save", "[Shared] Notify", "[Shared] End")
	p.dev.Put("task", enms.Object{"name": "nightly", "service": "Site check", "scheduling_mode": "cron", "crontab_expression": "0 2 * * *", "is_active": true})()
}

func (p *pipeline) step(workflow, name, code string) {
	p.dev.Put("python_snippet_service", enms.Object{"name": "[" + workflow + "] " + name, "scoped_name": name, "workflows": []string{workflow}, "source_code": code})()
}

// path draws the edges of a way through a workflow, and deletes those that are not on it.
func (p *pipeline) path(workflow string, steps ...string) {
	p.t.Helper()
	edges, err := p.dev.Client.Search(p.dev.Context(), "workflow_edge", []string{"name"}, map[string]any{"workflow": []string{workflow}})
	if err != nil {
		p.t.Fatal(err)
	}
	exists := map[string]bool{}
	for _, e := range edges {
		exists[fmt.Sprint(e["name"])] = true
	}
	wanted := map[string][]string{}
	for i, source := range steps[:len(steps)-1] {
		wanted[fmt.Sprintf("%s from %s to %s", workflow, source, steps[i+1])] = []string{source, steps[i+1]}
	}
	for name := range exists { // first, as eNMS refuses a second edge between the same ends
		if wanted[name] == nil {
			p.dev.Drop("workflow_edge", name)()
		}
	}
	for name, ends := range wanted {
		if !exists[name] {
			p.dev.Put("workflow_edge", enms.Object{"name": name, "workflow": workflow, "source": ends[0], "destination": ends[1], "subtype": "success"})()
		}
	}
}

// A designer's change goes from the development server through a pull request to production. A
// hot fix on production in between refuses the release; after a smoke run that fails, it is taken back on request.
func TestPipeline(t *testing.T) {
	acctest.ParallelIfSimulated(t)
	acctest.OnlyLong(t, "it takes a minute")
	p := newPipeline(t)
	p.draw()
	p.round()
	p.step("Site check", "Report", "x = 4")
	p.path("Site check", "[Shared] Start", "[Site check] Collect", "[Site check] Report", "[Shared] Notify", "[Shared] End")
	p.dev.Put("python_snippet_service", enms.Object{"name": "[Site check] Collect", "source_code": "x = 5"})()
	description := p.capture()
	if strings.Contains(description, "### `Backup`") {
		t.Errorf("the description shows a workflow that has not changed:\n%s", description)
	}
	p.complete()
	if comment := p.check(); !strings.HasPrefix(comment, "**For production: Plan: ") || !strings.Contains(comment, "module.site_check.enms_service.report will be created") {
		t.Errorf("the comment is\n%s", comment)
	}
	ends(p.w, 1, "", "pipeline/check.sh plan", append(at(p.prod), "POLICIES=policies", "OPA=echo")...) // an OPA that has something to say
	if text := contentOf(p.w, ".pipeline/comment.md"); !strings.HasPrefix(text, "**Policies refuse this: Plan: ") {
		t.Errorf("with policies, the comment is\n%s", text)
	}
	p.plan()
	p.run("git commit -q --allow-empty -m 'Never released alone'") // what was merged and never applied is no way back
	p.merge()

	before, approved := automation(p.prod), p.approve()
	p.prod.Put("python_snippet_service", enms.Object{"name": "[Site check] Collect", "source_code": "hot fix"})()
	fixed := automation(p.prod)
	ends(p.w, 2, `"[Site check] Collect" differs (last written by "admin" at 2`, "pipeline/drift.sh", append(at(p.prod), "DRIFT_TERRAFORM_USER=terraform")...)
	if out := p.apply(3, "not the approved one", approved); !slices.Equal(automation(p.prod), fixed) {
		t.Errorf("after a hot fix, the release has changed production:\n%s", out)
	}
	p.prod.Put("python_snippet_service", enms.Object{"name": "[Site check] Collect", "source_code": "x = 1"})()

	// A smoke run that fails takes nothing back by itself: what was the last release is told, and
	// planned and applied when it is asked for.
	fails := t.TempDir()
	writeFile(t, filepath.Join(fails, "one"), "")
	last := strings.TrimSpace(p.run("git ls-remote -q origin refs/tags/enms-production | cut -f 1"))
	if out := p.release(4, "the last release that succeeded is "+last, "SMOKE_FAILS="+fails); slices.Equal(automation(p.prod), before) {
		t.Errorf("with a smoke run that fails, production is as before:\n%s", out)
	}
	p.run("pipeline/release.sh plan back", at(p.prod)...)
	if shown := contentOf(p.w, ".pipeline/release.md"); !strings.Contains(shown, "of the commit "+last) || !strings.Contains(shown, "module.site_check.enms_service.report will be destroyed") {
		t.Errorf("the plan of the way back is\n%s", shown)
	}
	digest := strings.TrimSpace(contentOf(p.w, ".pipeline/digest"))
	p.apply(3, "not the approved one", digest) // without back
	if out := p.apply(0, "production is as the last release, "+last, digest+" back"); !slices.Equal(automation(p.prod), before) {
		t.Errorf("after the way back, production is not as before:\n%s", out)
	}
	p.release(0, "")
	// An older run is approved late.
	ends(p.w, 1, "does not contain the last release", "git checkout -q "+last+" && code=0 && { pipeline/release.sh plan || code=$?; } && git checkout -q merge && exit $code", at(p.prod)...)
	p.same()
	if len(p.forge.problems) > 0 {
		t.Error(p.forge.problems)
	}
}

// Ten rounds of a designer's work: after each, production is what was merged, and the repository says
// so. The tests of a module beside the configuration run in each check.
func TestPipeline_tenRounds(t *testing.T) {
	acctest.ParallelIfSimulated(t)
	acctest.OnlyLong(t, "it takes three minutes")
	p := newPipeline(t)
	copyDirectory(t, filepath.Join(p.w.Dir, "modules", "scheduled-service"), filepath.Join(moduleDirectory, "scheduled-service"))
	program := filepath.Join(t.TempDir(), "enms-simulator")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, acctest.Repository+"/internal/simulator/cmd/enms-simulator")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	free := httptest.NewServer(nil) // its port is free afterwards
	free.Close()
	p.w.Environment = append(p.w.Environment, "ENMS_SIMULATOR="+program, "SIMULATOR_PORT="+free.URL[strings.LastIndex(free.URL, ":")+1:])
	p.run("git add -A && git commit -qm 'A module' && git push -q origin main")
	for _, round := range []struct {
		does string
		do   func()
		says []string // in the description
	}{
		{"everything is new", p.draw, []string{"`Site check` | service | new", "`nightly` | task | new", "### `Backup`", "`notify_workflows` of `module.shared`"}},
		{"a step is added", func() {
			p.step("Site check", "Report", "x = 4")
			p.path("Site check", "[Shared] Start", "[Site check] Collect", "[Site check] Compare", "[Site check] Report", "[Shared] Notify", "[Shared] End")
		}, []string{"`[Site check] Report` | service | new | `admin` | 2", "### `Site check`\n\n```mermaid\nflowchart LR\n", "class s_Report added"}},
		{"a step is renamed", func() {
			p.dev.Put("python_snippet_service", enms.Object{"name": "[Site check] Report", "new_name": "[Site check] Publish", "scoped_name": "Publish"})()
		}, []string{"`[Site check] Publish` | service | renamed, was `Report`", "class s_Publish changed"}},
		{"a step moves to another workflow", func() {
			p.path("Site check", "[Shared] Start", "[Site check] Collect", "[Site check] Compare", "[Shared] Notify", "[Shared] End")
			p.dev.Drop("service", "[Site check] Publish")()
			p.step("Backup", "Publish", "x = 4")
			p.path("Backup", "[Shared] Start", "[Backup] Save", "[Backup] Publish", "[Shared] Notify", "[Shared] End")
		}, []string{"Publish", "### `Backup`", "### `Site check`"}},
		{"a script is edited", func() { p.step("Backup", "Save", strings.Repeat("print('saved')\n", 20)) }, []string{"`[Backup] Save` | service | changed", "class s_Save changed"}},
		{"a workflow gets a version", func() {
			p.dev.Put("workflow", enms.Object{"name": "Backup", "new_name": "Backup v2", "scoped_name": "Backup v2"})()
		}, []string{"Backup v2"}},
		{"a step is deleted", func() {
			p.path("Backup v2", "[Shared] Start", "[Backup v2] Save", "[Shared] Notify", "[Shared] End")
			p.dev.Drop("service", "[Backup v2] Publish")()
		}, []string{"`[Backup v2] Publish` | service | gone", "class s_Publish removed"}},
		{"a shared service changes", func() {
			p.dev.Put("python_snippet_service", enms.Object{"name": "[Shared] Notify", "source_code": "print(2)"})()
		}, []string{"`[Shared] Notify` | service | changed", "### `Backup v2`", "### `Site check`"}},
		{"a schedule changes", func() { p.dev.Put("task", enms.Object{"name": "nightly", "crontab_expression": "30 3 * * *"})() }, []string{"`module.site_check` | values | changed: `"}},
		{"a hot fix on production", func() {
			p.prod.Put("python_snippet_service", enms.Object{"name": "[Backup v2] Save", "source_code": "hot fix"})()
			ends(p.w, 2, `properties.source_code: eNMS has "hot fix"`, "pipeline/drift.sh", at(p.prod)...)
			p.step("Site check", "Compare", "x = 9")
		}, []string{"`[Site check] Compare` | service | changed"}},
	} {
		round.do()
		description, comment := p.round()
		t.Logf("%s:\n%s\n%s", round.does, description, comment)
		for _, want := range round.says {
			if !strings.Contains(description, want) {
				t.Errorf("%s: the description lacks %q:\n%s", round.does, want, description)
			}
		}
		if out := p.run("git diff --stat origin/main && git status --porcelain"); out != "" {
			t.Errorf("%s: the repository says otherwise:\n%s", round.does, out)
		}
		ends(p.w, 3, "nothing has changed", "pipeline/capture.sh -modules -type service,workflow_edge,task", at(p.dev)...)
	}
	if len(p.forge.problems) > 0 {
		t.Error(p.forge.problems)
	}
}
