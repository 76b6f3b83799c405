// This file finds Terraform, or fetches it.

package workshop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hc-install/product"
	"github.com/hashicorp/hc-install/releases"
)

// FetchedVersion is the version of Terraform that is fetched.
const FetchedVersion = "1.11.4"

// download is how long fetching Terraform may take.
const download = 5 * time.Minute

// advice is what to do where Terraform cannot be fetched.
const advice = "install Terraform (https://developer.hashicorp.com/terraform/install) or OpenTofu (https://opentofu.org/docs/intro/install), or name a program by TERRAFORM=/path/to/terraform"

// Find returns the path of the program that the environment names by TERRAFORM, or else of
// Terraform, or else of OpenTofu on the PATH. Where there is none of them, it fetches
// Terraform into the user's cache, and tells so.
func Find(ctx context.Context, tell io.Writer) (string, error) {
	if name := os.Getenv("TERRAFORM"); name != "" {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", fmt.Errorf("TERRAFORM names no program: %w", err)
		}
		return filepath.Abs(path)
	}
	for _, name := range []string{"terraform", "tofu"} {
		if path, err := exec.LookPath(name); err == nil {
			return filepath.Abs(path)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("neither terraform nor tofu is on the PATH, and there is no place to fetch one to: %w; %s", err, advice)
	}
	return source{cache: filepath.Join(cache, "terraform-provider-enms")}.fetch(ctx, tell)
}

// source is where Terraform is fetched from, and where to.
type source struct {
	// cache is a directory that need not be there.
	cache string
	// url is the server, "" for HashiCorp's.
	url string
	// key is the public key (PGP, in armour) that signs the checksums, "" for HashiCorp's.
	key string
}

// fetch returns the path of the fetched Terraform. The archive is held against a checksum
// whose signature is verified, before anything is unpacked.
func (s source) fetch(ctx context.Context, tell io.Writer) (string, error) {
	dir := filepath.Join(s.cache, "terraform-"+FetchedVersion)
	program := filepath.Join(dir, product.Terraform.BinaryName())
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	server := cmp.Or(s.url, "https://releases.hashicorp.com")
	fmt.Fprintf(tell, "neither terraform nor tofu is on the PATH: fetching Terraform %s from %s to %s\n", FetchedVersion, server, dir)
	err := reach(ctx, server)
	if err == nil {
		err = s.unpack(dir, func(to string) error { return s.install(ctx, to) })
	}
	if err != nil {
		return "", fmt.Errorf("neither terraform nor tofu is on the PATH, and Terraform %s could not be fetched from %s: %w; %s", FetchedVersion, server, err, advice)
	}
	return program, nil
}

// install downloads, verifies and unpacks. hc-install refuses an archive with another
// checksum, but loses the reason on the way: that is only in its log.
func (s source) install(ctx context.Context, to string) error {
	var steps strings.Builder
	from := releases.ExactVersion{Product: product.Terraform, Version: version.Must(version.NewVersion(FetchedVersion)),
		InstallDir: to, Timeout: download, ApiBaseURL: s.url, ArmoredPublicKey: s.key}
	from.SetLogger(log.New(&steps, "", 0))
	_, err := from.Install(ctx)
	if !strings.Contains(steps.String(), "checksum matches") {
		return cmp.Or(mismatch(steps.String()), err, errors.New("the checksum of the archive was not verified"))
	}
	return err
}

// mismatch returns the line of a log that tells of a wrong checksum, as an error.
func mismatch(steps string) error {
	for line := range strings.Lines(steps) {
		if strings.HasPrefix(line, "checksum does not match") {
			return errors.New(strings.TrimSpace(line))
		}
	}
	return nil
}

// reach asks a server for anything at all. What fetches asks again and again for a
// quarter of a minute before it gives up, which is too long where there is no network.
func reach(ctx context.Context, server string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, server, nil)
	if err != nil {
		return err
	}
	answer, err := (&http.Client{Timeout: 30 * time.Second}).Do(request)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// unpack has a directory filled, which is there with all that is in it or not at all.
func (s source) unpack(dir string, fill func(to string) error) (err error) {
	if err := os.MkdirAll(s.cache, 0o700); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(s.cache, "fetching-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(fresh)) }()
	if err := fill(fresh); err != nil {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, statErr := os.Stat(dir); statErr != nil { // and not another run that has fetched it meanwhile
			return err
		}
	}
	return nil
}
