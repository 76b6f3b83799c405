// This file plays the guide "Installing without a registry": its commands run as they are written, with a release
// that is made of the program of the tree, and Terraform installs it in each of the ways.

package docstest

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// releaseDirectory is where the guide downloads a release from.
const releaseDirectory = "/terraform-provider-enms/terraform-provider-enms/releases/download/v1.2.3/"

// installing is the guide at play.
type installing struct {
	*testing.T
	guide       page
	root        string // for the directories that the guide makes, and for those of the user
	server      *httptest.Server
	environment []string // for certificates and keys
	assigned    string   // the variables that commands so far have set

	lock  sync.Mutex
	asked []string // the paths of requests
}

// newInstalling returns the guide, and a server that has a release as GitHub does, the mirror and the registry.
func newInstalling(t *testing.T) *installing {
	t.Helper()
	if testing.Short() {
		t.Skip("an acceptance test")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the guide shows the commands for linux_amd64")
	}
	for _, name := range []string{"sh", "curl", "gpg", "gpgconf", "jq", "sha256sum", "unzip"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	i := &installing{T: t, root: t.TempDir()}
	i.guide = readPage(t, filepath.Join(acctest.Repository, "templates", "guides", "installing.md"))
	release := i.release()
	files := http.NewServeMux()
	files.Handle(releaseDirectory, http.StripPrefix(releaseDirectory, http.FileServer(http.Dir(release))))
	files.Handle("/providers/", http.FileServer(http.Dir(i.root)))
	files.Handle("/", http.FileServer(http.Dir(filepath.Join(i.root, "registry"))))
	i.server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i.lock.Lock()
		i.asked = append(i.asked, r.URL.Path)
		i.lock.Unlock()
		if filepath.Ext(r.URL.Path) == "" { // of the registry
			w.Header().Set("Content-Type", "application/json")
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(i.server.Close)
	certificate := filepath.Join(i.root, "ca.pem")
	writeFile(t, certificate, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: i.server.Certificate().Raw})))
	i.environment = append(i.environment, "SSL_CERT_FILE="+certificate, "CURL_CA_BUNDLE="+certificate, "GNUPGHOME="+i.keyring())
	return i
}

// release makes the files of a release, signed with a key that users get as signing-key.asc.
func (i *installing) release() (directory string) {
	i.Helper()
	directory = i.TempDir()
	program, sums := readFile(i.T, acctest.Program(i.T)), ""
	for _, platform := range []string{"linux_amd64", "darwin_arm64"} {
		name := "terraform-provider-enms_1.2.3_" + platform + ".zip"
		file, err := os.Create(filepath.Join(directory, name))
		if err != nil {
			i.Fatal(err)
		}
		archive := zip.NewWriter(file)
		header := &zip.FileHeader{Name: "terraform-provider-enms_v1.2.3", Method: zip.Store}
		header.SetMode(0o755)
		w, err := archive.CreateHeader(header)
		if err == nil {
			_, err = io.WriteString(w, program+platform) // no two platforms have the same program
		}
		for _, closes := range []func() error{archive.Close, file.Close} {
			if e := closes(); err == nil {
				err = e
			}
		}
		if err != nil {
			i.Fatal(err)
		}
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(readFile(i.T, file.Name()))), name)
	}
	sums += strings.Repeat("0", 64) + "  terraform-provider-enms_1.2.3_manifest.json\n" // which users do not download
	writeFile(i.T, filepath.Join(directory, "terraform-provider-enms_1.2.3_SHA256SUMS"), sums)
	i.shell(directory, []string{"GNUPGHOME=" + i.keyring()}, `
		gpg --batch --quiet --passphrase "" --quick-gen-key "Releases <releases@example.com>" rsa2048 sign
		gpg --batch --detach-sign terraform-provider-enms_1.2.3_SHA256SUMS
		gpg --armor --export > `+filepath.Join(i.root, "signing-key.asc"))
	return directory
}

// keyring returns an empty directory for keys, whose agent ends with the test.
func (i *installing) keyring() string {
	i.Helper()
	// The path of the agent's socket may have 107 bytes.
	directory, err := os.MkdirTemp("", "gpg-")
	if err != nil {
		i.Fatal(err)
	}
	i.Cleanup(func() {
		end := exec.Command("gpgconf", "--kill", "all")
		end.Env = append(os.Environ(), "GNUPGHOME="+directory)
		if out, err := end.CombinedOutput(); err != nil {
			i.Errorf("gpgconf: %v\n%s", err, out)
		}
		if err := os.RemoveAll(directory); err != nil {
			i.Error(err)
		}
	})
	return directory
}

// shell runs commands in a directory and returns what they print.
func (i *installing) shell(directory string, environment []string, commands string) string {
	i.Helper()
	cmd := exec.CommandContext(i.Context(), "sh", "-euc", commands)
	cmd.Dir, cmd.Env = directory, append(os.Environ(), environment...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		i.Fatalf("%v\n%s\n%s", err, commands, out)
	}
	return string(out)
}

// shown returns the blocks of a section in a language, with the addresses and directories of this test.
func (i *installing) shown(section, language string) (blocks []string) {
	i.Helper()
	at := slices.Index(i.guide.lines, "## "+section)
	end := slices.IndexFunc(i.guide.lines[at+1:], func(line string) bool { return strings.HasPrefix(line, "## ") })
	here := strings.NewReplacer("/srv/terraform", i.root, "https://mirror.example.com", i.server.URL, "https://github.com", i.server.URL,
		"registry.example.com", strings.TrimPrefix(i.server.URL, "https://"))
	for _, f := range i.guide.fences {
		if f.language == language && at < f.line && f.line <= at+end {
			blocks = append(blocks, here.Replace(f.code))
		}
	}
	if at < 0 || len(blocks) == 0 {
		i.Fatalf("the guide shows no %s in %q", language, section)
	}
	return blocks
}

// assignment is a line that sets a variable of the shell.
var assignment = regexp.MustCompile(`(?m)^\w+=.*\n`)

// follow runs the commands of a section in a directory, as somebody who has run those before.
func (i *installing) follow(w *acctest.Workspace, section, directory string) {
	i.Helper()
	for _, commands := range i.shown(section, "shell") {
		commands = strings.ReplaceAll(commands, "terraform providers", w.Terraform+" providers")
		if w.OpenTofu() {
			commands = strings.ReplaceAll(commands, "plugins/registry.terraform.io", "plugins/registry.opentofu.org")
		}
		i.shell(directory, append(slices.Clip(w.Environment), i.environment...), i.assigned+commands)
		for _, line := range assignment.FindAllString(commands, -1) {
			i.assigned += line
		}
	}
}

// user returns a workspace with a configuration, of a user who has settings if they are not empty.
func (i *installing) user(settings, configuration string) *acctest.Workspace {
	i.Helper()
	w, home := newHome(i.T)
	takeOffline(w)
	w.Environment = append(w.Environment, i.environment...)
	if settings != "" {
		writeFile(i.T, filepath.Join(home, ".terraformrc"), settings)
	}
	w.Configure(configuration)
	return w
}

// Each way of the guide leads to a provider that Terraform installs, with a lock file for the platforms that it names.
func TestInstalling_everyWay(t *testing.T) {
	t.Parallel()
	i := newInstalling(t)
	const source = "terraform-provider-enms/enms"
	h1 := regexp.MustCompile(`"h1:`)
	locked := func(w *acctest.Workspace, checksums int) {
		t.Helper()
		lock := contentOf(w, ".terraform.lock.hcl")
		if found := len(h1.FindAllString(lock, -1)); found != checksums || !strings.Contains(lock, `"1.2.3"`) {
			t.Errorf("the lock file has %d checksums, want %d:\n%s", found, checksums, lock)
		}
	}

	w := i.user(i.shown("Filesystem mirror", "hcl")[0], ownProvider)
	i.follow(w, "Download a release", i.root)
	i.follow(w, "Filesystem mirror", i.root)
	succeeds(w, "init", "-no-color")
	locked(w, 1)
	if code, out := w.Run("providers", "mirror", t.TempDir()); code == 0 {
		t.Errorf("providers mirror takes the provider from a mirror:\n%s", out)
	}
	i.follow(w, "Lock file for several platforms", w.Dir)
	locked(w, 2)
	succeeds(w, "init", "-no-color")

	i.follow(w, "Network mirror", i.root)
	w = i.user(i.shown("Network mirror", "hcl")[0], ownProvider)
	succeeds(w, "init", "-no-color")
	locked(w, 1)
	succeeds(w, "providers", "lock", "-net-mirror="+i.server.URL+"/providers/", "-platform=linux_amd64", "-platform=darwin_arm64", source)
	locked(w, 2)
	if !slices.ContainsFunc(i.asked, func(path string) bool { return strings.HasSuffix(path, "/1.2.3.json") }) {
		t.Errorf("the mirror was not asked: %q", i.asked)
	}

	w = i.user("", i.shown("Private registry", "hcl")[0])
	i.follow(w, "Private registry", i.root)
	out := succeeds(w, "init", "-no-color")
	locked(w, 1)
	if !strings.Contains(out, "self-signed") && !strings.Contains(out, "signed, key ID") {
		t.Errorf("the signature was not verified:\n%s", out)
	}

	w = i.user("", ownProvider)
	const archive = "terraform-provider-enms_1.2.3_linux_amd64.zip"
	if err := os.Link(filepath.Join(i.root, archive), filepath.Join(w.Dir, archive)); err != nil {
		t.Fatal(err)
	}
	i.follow(w, "HCP Terraform", w.Dir)
	succeeds(w, "init", "-no-color")
	locked(w, 1)
}
