// This file tests what Terraform is found, and that it is fetched only as HashiCorp
// has signed it.

package workshop

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
)

// program makes an executable file.
func program(t *testing.T, path string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv("TERRAFORM", "")
	for _, name := range []string{"tofu", "terraform"} { // The later one is preferred.
		path := program(t, filepath.Join(dir, name))
		if found, err := Find(t.Context(), io.Discard); err != nil || found != path {
			t.Errorf("got %q, %v, want %q", found, err, path)
		}
	}
	other := program(t, filepath.Join(t.TempDir(), "other"))
	t.Setenv("TERRAFORM", other)
	if found, err := Find(t.Context(), io.Discard); err != nil || found != other {
		t.Errorf("got %q, %v, want %q", found, err, other)
	}
	t.Setenv("TERRAFORM", "none")
	if found, err := Find(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), "TERRAFORM names no program") {
		t.Errorf("got %q, %v", found, err)
	}
}

// TestFindFetched: what was fetched before is found without a network, and without a
// word.
func TestFindFetched(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("PATH", t.TempDir())
	t.Setenv("TERRAFORM", "")
	for _, name := range []string{"XDG_CACHE_HOME", "LocalAppData", "HOME"} {
		t.Setenv(name, cache)
	}
	base, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(base, "terraform-provider-enms", "terraform-"+FetchedVersion)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := program(t, filepath.Join(dir, "terraform"))
	var told strings.Builder
	if found, err := Find(t.Context(), &told); err != nil || found != path || told.Len() > 0 {
		t.Errorf("got %q, %v, %s", found, err, told.String())
	}
}

// signer is a key pair.
type signer struct {
	entity *openpgp.Entity
	public string
}

func newSigner(t *testing.T) signer {
	t.Helper()
	entity, err := openpgp.NewEntity("tests", "", "tests@example.com", nil)
	if err != nil {
		t.Fatal(err)
	}
	var public bytes.Buffer
	w, err := armor.Encode(&public, openpgp.PublicKeyType, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := entity.Serialize(w); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return signer{entity: entity, public: public.String()}
}

// sign returns a signature of a text.
func (s signer) sign(t *testing.T, text []byte) []byte {
	t.Helper()
	var signature bytes.Buffer
	if err := openpgp.DetachSign(&signature, s.entity, bytes.NewReader(text), nil); err != nil {
		t.Fatal(err)
	}
	return signature.Bytes()
}

// What the program in the served archive is.
const served = "#!/bin/sh\necho served\n"

// releaseFiles returns the files of a release by path, signed by a key.
func releaseFiles(t *testing.T, key signer) map[string][]byte {
	t.Helper()
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	name := "terraform"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	file, err := w.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(file, served); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	base := "terraform_" + FetchedVersion
	zipped := fmt.Sprintf("%s_%s_%s.zip", base, runtime.GOOS, runtime.GOARCH)
	dir := "/terraform/" + FetchedVersion + "/"
	index, err := json.Marshal(map[string]any{
		"name": "terraform", "version": FetchedVersion, "shasums": base + "_SHA256SUMS", "shasums_signature": base + "_SHA256SUMS.sig",
		"builds": []any{map[string]any{"name": "terraform", "version": FetchedVersion, "os": runtime.GOOS, "arch": runtime.GOARCH,
			"filename": zipped, "url": "https://releases.hashicorp.com" + dir + zipped}},
	})
	if err != nil {
		t.Fatal(err)
	}
	sums := fmt.Appendf(nil, "%x  %s\n", sha256.Sum256(archive.Bytes()), zipped)
	return map[string][]byte{
		dir + "index.json": index, dir + zipped: archive.Bytes(),
		dir + base + "_SHA256SUMS": sums, dir + base + "_SHA256SUMS.sig": key.sign(t, sums),
	}
}

// serve serves files and counts the requests.
func serve(t *testing.T, files map[string][]byte) (url string, requests *atomic.Int64) {
	t.Helper()
	requests = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		content, there := files[r.URL.Path]
		if !there {
			http.NotFound(w, r)
			return
		}
		types := map[string]string{".zip": "application/zip", ".json": "application/json"}
		w.Header().Set("Content-Type", types[filepath.Ext(r.URL.Path)])
		_, _ = w.Write(content)
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

// TestFetch fetches Terraform once, and tells so once.
func TestFetch(t *testing.T) {
	t.Parallel()
	key := newSigner(t)
	url, requests := serve(t, releaseFiles(t, key))
	from := source{cache: filepath.Join(t.TempDir(), "a", "b"), url: url, key: key.public}
	var told strings.Builder
	path, err := from.fetch(t.Context(), &told)
	if err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(path); err != nil || string(content) != served {
		t.Errorf("got %q, %v", content, err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if want := "fetching Terraform " + FetchedVersion + " from " + url + " to " + filepath.Dir(path) + "\n"; !strings.HasSuffix(told.String(), want) {
		t.Errorf("told %q", told.String())
	}
	before := requests.Load()
	again, err := from.fetch(t.Context(), &told)
	if err != nil || again != path || requests.Load() != before || strings.Count(told.String(), "\n") != 1 {
		t.Errorf("got %q, %v, %d requests, %s", again, err, requests.Load()-before, told.String())
	}
}

// TestFetchRefuses what is not as it was signed, and what cannot be fetched, and leaves
// nothing behind.
func TestFetchRefuses(t *testing.T) {
	t.Parallel()
	key := newSigner(t)
	dir := "/terraform/" + FetchedVersion + "/terraform_" + FetchedVersion
	for name, spoil := range map[string]struct {
		files func(map[string][]byte)
		want  string
	}{
		"another archive": {func(files map[string][]byte) {
			for path := range files {
				if filepath.Ext(path) == ".zip" {
					files[path] = append(slices.Clone(files[path]), "more"...)
				}
			}
		}, "checksum does not match"},
		"other checksums": {func(files map[string][]byte) { files[dir+"_SHA256SUMS"] = []byte("0000  terraform.zip\n") }, "unable to verify checksums signature"},
		"another key": {func(files map[string][]byte) {
			files[dir+"_SHA256SUMS.sig"] = newSigner(t).sign(t, files[dir+"_SHA256SUMS"])
		}, "unable to verify checksums signature"},
		"no signature":    {func(files map[string][]byte) { delete(files, dir+"_SHA256SUMS.sig") }, "404"},
		"no such version": {func(files map[string][]byte) { clear(files) }, "404"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := releaseFiles(t, key)
			spoil.files(files)
			url, _ := serve(t, files)
			refuses(t, source{cache: t.TempDir(), url: url, key: key.public}, spoil.want)
		})
	}
	t.Run("no network", func(t *testing.T) {
		t.Parallel()
		gone := httptest.NewServer(http.NotFoundHandler())
		gone.Close()
		refuses(t, source{cache: t.TempDir(), url: gone.URL, key: key.public}, "could not be fetched from "+gone.URL)
	})
}

// refuses expects that nothing is fetched, with an error that says what to do.
func refuses(t *testing.T, from source, want string) {
	t.Helper()
	path, err := from.fetch(t.Context(), io.Discard)
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "TERRAFORM=/path/to/terraform") {
		t.Errorf("got %q, %v, want %s", path, err, want)
	}
	left, err := os.ReadDir(from.cache)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
