// This file runs the scripts of the pipeline as those would who attack it: a designer with few rights on the development
// server, and somebody who may push branches, but not merge.

package docstest

import (
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// commit puts a configuration of production on main.
func (p *pipeline) commit(production string) {
	p.t.Helper()
	p.write("prod/main.tf", production)
	p.run("git add -A && git commit -qm x && git push -q origin HEAD:main")
}

// A plan that a branch has left beside that of the release, of the same changes and with a command in it, is not
// applied, and an approval is of one tree: another one with the same changes has not got it. A check leaves a text.
func TestPipeline_appliesWhatWasApproved(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	const value = "resource \"terraform_data\" \"value\" {\n  input = 1\n"
	stolen := filepath.Join(t.TempDir(), "stolen")
	p.commit(value + "}\n")
	approved := p.approve()

	p.run("git switch -q -c stranger")
	p.write("prod/main.tf", value+"\n  provisioner \"local-exec\" {\n    command = \"touch '"+stolen+"'\"\n  }\n}\n")
	p.run("git commit -qam x && rm -r .pipeline && pipeline/check.sh plan", at(p.prod)...)
	if left := p.run("ls -A .pipeline"); left != "comment.md\n" {
		t.Errorf("a check leaves\n%s", left)
	}
	p.apply(3, "not the approved one", approved)
	p.run(`"$TERRAFORM" -chdir=prod plan -out=../.pipeline/plan && cp .pipeline/plan .pipeline/plan.gpg && echo `+approved+" >.pipeline/digest && git switch -q main", at(p.prod)...)
	p.apply(0, "", approved)
	if _, err := os.Stat(stolen); err == nil {
		t.Error("the command of the branch has run with what the release holds")
	}
}

// Whether a release was applied is told by exit codes, whatever an apply prints.
func TestPipeline_outputDecidesNothing(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	says := func(name, then string) string {
		return "resource \"terraform_data\" \"" + name + "\" {\n  provisioner \"local-exec\" {\n    command = \"echo 'Error: Saved plan is stale'; " + then + "\"\n  }\n}\n"
	}
	p.commit(says("a", "true"))
	if out := p.release(0, "release: production is as merged"); !strings.Contains(out, "Saved plan is stale") {
		t.Errorf("it did not print what it is to print:\n%s", out)
	}
	p.commit(says("a", "true") + "\n" + says("b", "false"))
	if out := p.release(4, "may have a part of"); strings.Contains(out, "nothing was applied") || strings.Contains(out, "production is as") {
		t.Errorf("a release that fails says\n%s", out)
	}
}

// Of a release that is cancelled while it applies, nobody says that nothing was applied, nor that it succeeded.
func TestPipeline_cancelledRelease(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	pid := filepath.Join(t.TempDir(), "pid")
	p.commit("resource \"terraform_data\" \"slow\" {\n  provisioner \"local-exec\" {\n    command = \"kill -TERM $(cat '" + pid + "')\"\n  }\n}\n")
	out := ends(p.w, 4, "was interrupted: production may have", "echo $$ >'"+pid+"' && exec pipeline/release.sh apply "+p.approve(), at(p.prod)...)
	if _, err := os.Stat(filepath.Join(p.w.Dir, ".pipeline", "released")); err == nil || !strings.Contains(out, "Apply complete!") {
		t.Errorf("%v:\n%s", err, out)
	}
}

// hostileName is what a designer may write into a name, in which eNMS lets be neither a slash nor a quote, and hostileText
// into a script: Markdown, HTML, a mention, settings of Mermaid, the end of a cell, of a line and of a fence, and
// commands for the runner of GitHub.
const (
	hostileName = "x`|![x](www.example.com)<img src=x> @everyone %%{init: {}}%%"
	hostileText = hostileName + "\n``````\n::add-mask::x\n##[add-mask]x"
)

var (
	fenceLine = regexp.MustCompile("^ {0,3}(`{3,})([^`]*?)\\s*$")
	spans     = regexp.MustCompile("`[^`\n]+`")
	active    = regexp.MustCompile(`!\[|\]\(|<img|www\.|::|##\[`)
)

// checkMarkdown checks that nothing of hostileText is more than text in what GitHub or GitLab renders.
func checkMarkdown(t *testing.T, name, text string) {
	t.Helper()
	rest, open, info := "", "", ""
	for line := range strings.Lines(text) {
		fence := fenceLine.FindStringSubmatch(line)
		switch {
		case open == "" && fence != nil:
			open, info = fence[1], fence[2]
		case open == "":
			rest += line
		case fence != nil && len(fence[1]) >= len(open) && fence[2] == "":
			open = ""
		case info == "mermaid" && strings.Contains(line, "%%"):
			t.Errorf("%s has settings of Mermaid:\n%s", name, text)
		}
	}
	rest = regexp.MustCompile(`\\[[:punct:]]`).ReplaceAllString(rest, "") // escaped
	rest = spans.ReplaceAllString(rest, "")
	if found := active.FindString(rest); found != "" || strings.Contains(rest, "@everyone") && name != "README.md" { // a file notifies nobody
		t.Errorf("%s has %q outside of code:\n%s", name, found, text)
	}
	if !strings.Contains(text, "@everyone") {
		t.Errorf("%s has nothing of the name:\n%s", name, text)
	}
}

// checkLog checks that the runner of GitHub takes no command from a log.
func checkLog(t *testing.T, name, log string) {
	t.Helper()
	token := ""
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		command := strings.HasPrefix(line, "::") || strings.Contains(line, "##[")
		switch stopped, stops := strings.CutPrefix(line, "::stop-commands::"); {
		case token == "" && stops:
			token = stopped
		case line == "::"+token+"::":
			token = ""
		case command && token == "":
			t.Errorf("the runner would take %q from %s:\n%s", line, name, log)
		}
	}
}

// What a designer writes into names, keys, scripts and the name of a user stays text through the whole pipeline.
func TestPipeline_hostileNames(t *testing.T) {
	t.Parallel()
	acctest.OnlyLong(t, "it takes half a minute")
	p := newPipeline(t)
	p.prod.OnlySimulated("a name with the end of a line stays on a real one")
	designer := "mallory` @everyone ![x](www.example.com)"
	p.dev.Put("user", enms.Object{"name": designer, "password": "x", "is_admin": true})()
	as := func(s *acctest.Server, payload enms.Object) {
		client, err := enms.New(enms.Config{BaseURL: s.URL, Username: designer, Password: "x"}, enms.Words{})
		if err == nil {
			t.Cleanup(client.Close)
			err = client.Upsert(t.Context(), enms.Type{Name: "python_snippet_service"}, payload)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	p.dev.Put("workflow", enms.Object{"name": hostileName, "scoped_name": hostileName, "description": hostileText})()
	p.dev.Put("rest_call_service", enms.Object{"name": "[" + hostileName + "] a", "scoped_name": "a", "workflows": []string{hostileName}, "headers": map[string]any{hostileText: "token = 'abcdefgh'"}})()
	as(p.dev, enms.Object{"name": "[Shared] " + hostileName, "scoped_name": hostileName, "shared": true, "workflows": []string{hostileName}, "source_code": hostileText})
	as(p.dev, enms.Object{"name": "[Shared] " + hostileText, "scoped_name": hostileText, "shared": true}) // which an export leaves out
	p.path(hostileName, "[Shared] Start", "["+hostileName+"] a", "[Shared] "+hostileName, "[Shared] End")

	checkLog(t, "the capture", p.run("pipeline/capture.sh -modules -type service,workflow_edge,task", at(p.dev)...))
	description := contentOf(p.w, ".pipeline/pull-request.md")
	checkMarkdown(t, "the description", description)
	for _, want := range []string{"mallory", "headers.x'", "contains a line break"} { // the author, the key, the name that is left out
		if !strings.Contains(description, want) {
			t.Errorf("the description lacks %q:\n%s", want, description)
		}
	}
	p.complete()
	checkMarkdown(t, "README.md", contentOf(p.w, "dev/README.md"))
	p.run("git checkout -q -B merge && git push -q origin HEAD:main")
	checkLog(t, "the check", p.run("pipeline/check.sh plan", at(p.prod)...))
	checkMarkdown(t, "the comment", contentOf(p.w, ".pipeline/comment.md"))
	checkLog(t, "the plan of the release", p.run("pipeline/release.sh plan", at(p.prod)...))
	checkMarkdown(t, "the plan for the reviewer", contentOf(p.w, ".pipeline/release.md"))
	checkLog(t, "the release", p.apply(0, "", strings.TrimSpace(contentOf(p.w, ".pipeline/digest"))))

	p.prod.Put("user", enms.Object{"name": designer, "password": "x", "is_admin": true})()
	as(p.prod, enms.Object{"name": "[Shared] " + hostileName, "source_code": "changed\n" + hostileText})
	checkLog(t, "the drift check", ends(p.w, 2, "", "pipeline/drift.sh", at(p.prod)...))
	if text := contentOf(p.w, "prod/drift.md"); !strings.Contains(text, "mallory") {
		t.Errorf("drift.md does not name the author:\n%s", text)
	}
	checkMarkdown(t, "drift.md", contentOf(p.w, "prod/drift.md"))
}

// A name with the end of a line, and an output that only looks like a diagram, stay text in what the drift check prints
// and writes.
func TestDriftCheck_hostileNames(t *testing.T) {
	t.Parallel()
	s, w := driftChecked(t)
	s.OnlySimulated("a name with the end of a line stays on a real one")
	writeFile(t, filepath.Join(w.Dir, "outputs.tf"), "output \"drawn\" {\n  value = \"flowchart LR\\n%%%{init: {}}%%\"\n}\n")
	w.Apply(10)
	s.Put("device", enms.Object{"name": s.Prefix + "edge", "new_name": hostileText})()
	checkLog(t, "the drift check", ends(w, 2, "", "./drift-check/drift-check.sh", "GITHUB_ACTIONS=true"))
	checkMarkdown(t, "drift.md", contentOf(w, "drift.md"))
}

// Where a repository can be read with a token alone, which a checkout has not kept, the scripts use the one that
// they are given, and no program that they run has it.
func TestPipeline_privateRepository(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	backend := filepath.Join(strings.TrimSpace(p.run("git --exec-path")), "git-http-backend")
	if _, err := os.Stat(backend); err != nil {
		t.Skip("git has no server for HTTP")
	}
	origin := strings.TrimSpace(p.run("git remote get-url origin"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, token, _ := r.BasicAuth()
		writes := slices.Contains([]string{"x-access-token a-token", "oauth2 a-token"}, user+" "+token)
		reads := slices.Contains([]string{"x-access-token a-fetch-token", "gitlab-ci-token a-job-token"}, user+" "+token)
		if !writes && (!reads || strings.Contains(r.URL.String(), "receive-pack")) {
			w.Header().Set("WWW-Authenticate", "Basic")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		(&cgi.Handler{Path: backend, Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(origin), "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=a"}}).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	p.run("git remote set-url origin '" + server.URL + "/" + filepath.Base(origin) + "'")
	p.w.Environment = append(p.w.Environment, "GIT_TERMINAL_PROMPT=0")
	p.write("prod/main.tf", "data \"external\" \"token\" {\n  program = [\"false\"]\n}\n")
	p.dev.Put("python_snippet_service", enms.Object{"name": "[Shared] one", "scoped_name": "one", "shared": true, "source_code": "x = 1"})()

	for _, script := range []string{"capture.sh -type service", "release.sh plan"} {
		ends(p.w, 1, "could not be read", "pipeline/"+script, at(p.prod)...)
	}
	log := filepath.Join(t.TempDir(), "environment")
	spy := filepath.Join(t.TempDir(), "terraform")
	writeProgram(t, spy, "#!/bin/sh\nenv >>'"+log+"'\nexec '"+p.w.Terraform+"' \"$@\"\n")
	with := []string{"FETCH_TOKEN=a-fetch-token", "FORGE_TOKEN=", "TERRAFORM=" + spy}
	p.run("pipeline/capture.sh -type service", slices.Concat(at(p.dev), with)...)
	p.run("pipeline/forge.sh pull-request .pipeline/pull-request.md && pipeline/forge.sh released \"$(git rev-parse HEAD)\"")
	p.run("rm prod/main.tf && pipeline/release.sh plan", slices.Concat(at(p.prod), with)...)
	if text := readFile(t, log); strings.Contains(text, "a-fetch-token") || strings.Contains(text, "Basic ") {
		t.Errorf("Terraform has the token:\n%s", text)
	}

	// On GitLab, the URL has a token that can read.
	p.run("git remote set-url origin '" + strings.Replace(server.URL, "://", "://gitlab-ci-token:a-job-token@", 1) + "/" + filepath.Base(origin) + "'")
	p.run("pipeline/release.sh plan && pipeline/forge.sh released \"$(git rev-parse HEAD)\"", append(at(p.prod), "GITHUB_ACTIONS=", "CI_API_V4_URL="+server.URL, "CI_PROJECT_ID=5")...)
}

// What is not there, or is a link that a branch has made, is not posted: the comment says that there is no plan.
func TestForge_withoutPlan(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	p.write("secret", "a-secret\n")
	p.run("mkdir .pipeline && ln -s ../secret .pipeline/link && pipeline/forge.sh comment .pipeline/comment.md && pipeline/forge.sh comment .pipeline/link")
	if n := len(p.forge.comments); n != 3 || p.forge.comments[2]["body"] != "<!-- enms pipeline -->\n**There is no plan for production.** The log of the check says why.\n" {
		t.Errorf("%d comments:\n%v", n, p.forge.comments)
	}
}

// stepOf returns the script of a step of a workflow that contains given words.
func stepOf(t *testing.T, file, contains string) string {
	t.Helper()
	text := readFile(t, acctest.Repository+"/examples/"+file)
	for _, step := range stepStart.Split(text, -1) {
		if _, script, is := strings.Cut(step, "run: |\n"); is && strings.Contains(script, contains) {
			return script
		}
	}
	t.Fatalf("no step of %s has %s", file, contains)
	return ""
}

// The job of an export replaces the branch of its last pull request, but not one that has commits of people.
func TestExportJob_keepsCommitsOfPeople(t *testing.T) {
	t.Parallel()
	p := newPipeline(t)
	script := stepOf(t, "drift-check/export-github-actions.yml", "gh pr create")
	temp := t.TempDir()
	said := filepath.Join(temp, "said")
	writeProgram(t, filepath.Join(temp, "gh"), "#!/bin/sh\necho \"$@\" >>'"+said+"'\n")
	environment := []string{"PATH=" + temp + string(os.PathListSeparator) + os.Getenv("PATH"), "RUNNER_TEMP=" + temp, "GITHUB_REF_NAME=main"}
	for i, pair := range p.w.Environment { // the job has names of its own
		if strings.HasPrefix(pair, "GIT_AUTHOR_") || strings.HasPrefix(pair, "GIT_COMMITTER_") {
			p.w.Environment[i] = "UNUSED=" + pair
		}
	}
	export := func(text string) (int, string) {
		p.run("git fetch -q origin && git checkout -q -B main origin/main")
		p.write("network/main.tf", "# "+text+"\n")
		writeFile(t, filepath.Join(temp, "changes.txt"), text+"\n```` @everyone\n")
		return runShell(p.w, script, environment...)
	}
	branch := func() string { return p.run("git fetch -q origin enms-export && git show FETCH_HEAD:network/main.tf") }
	for _, text := range []string{"first", "second"} {
		if code, out := export(text); code != 0 || branch() != "# "+text+"\n" {
			t.Fatalf("the %s export ended with %d:\n%s", text, code, out)
		}
	}
	if text := readFile(t, filepath.Join(temp, "body.md")); text != "`````\nsecond\n```` @everyone\n`````\n" {
		t.Errorf("the text is\n%s", text)
	}
	p.run("git checkout -q enms-export && git -c user.name=Jane -c user.email=jane@example.com commit -q --allow-empty -m fix && git push -q origin enms-export")
	if code, out := export("third"); code != 1 || branch() != "# second\n" || !strings.Contains(out, "has commits of people") {
		t.Errorf("over the commit of somebody, the export ended with %d:\n%s", code, out)
	}
	if text := readFile(t, said); strings.Count(text, "pr create") != 2 {
		t.Errorf("gh was asked\n%s", text)
	}
}
