// This file finds Terraform, or downloads it.

package workshop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hc-install/product"
	"github.com/hashicorp/hc-install/releases"
)

// FetchedVersion is the version of Terraform that is downloaded.
const FetchedVersion = "1.11.4"

// downloadTimeout is how long the download may take.
const downloadTimeout = 5 * time.Minute

// advice is for users whose Terraform cannot be downloaded.
const advice = "install Terraform (https://developer.hashicorp.com/terraform/install) or OpenTofu (https://opentofu.org/docs/intro/install), or name a program by TERRAFORM=/path/to/terraform"

// Find returns the path of the program in the environment variable TERRAFORM, or else of Terraform
// or OpenTofu on the PATH. If there is none, it downloads Terraform into the user's cache, and
// reports this to progress.
func Find(ctx context.Context, progress io.Writer) (string, error) {
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
	return source{cache: filepath.Join(cache, "terraform-provider-enms")}.fetch(ctx, progress)
}

// source is a server with releases of Terraform, and the directory for them.
type source struct {
	// cache is the directory. It is created if missing.
	cache string
	// url is the server, "" for HashiCorp's.
	url string
	// key is the public PGP key of the checksums, in ASCII armour, "" for HashiCorp's.
	key string
}

// fetch downloads Terraform unless it is in the cache, and returns its path.
func (s source) fetch(ctx context.Context, progress io.Writer) (string, error) {
	dir := filepath.Join(s.cache, "terraform-"+FetchedVersion)
	program := filepath.Join(dir, product.Terraform.BinaryName())
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	server := cmp.Or(s.url, "https://releases.hashicorp.com")
	fmt.Fprintf(progress, "neither terraform nor tofu is on the PATH: fetching Terraform %s from %s to %s\n", FetchedVersion, server, dir)
	if err := s.download(ctx, dir); err != nil {
		return "", fmt.Errorf("neither terraform nor tofu is on the PATH, and Terraform %s could not be fetched from %s: %w; %s", FetchedVersion, server, err, advice)
	}
	return program, nil
}

// download downloads Terraform into a directory. Another directory is filled first and renamed
// then, so that this one is complete or missing.
func (s source) download(ctx context.Context, dir string) (err error) {
	if err := os.MkdirAll(s.cache, 0o700); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(s.cache, "fetching-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(fresh)) }()
	if err := s.install(ctx, fresh); err != nil {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil && !isDirectory(dir) { // It exists if another run has been quicker.
		return err
	}
	return nil
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// install downloads an archive and unpacks it into a directory after its checksum, and the
// signature of the checksums, are verified. hc-install refuses an archive with another checksum,
// but does not return the reason: it is in the log.
func (s source) install(ctx context.Context, dir string) error {
	var steps strings.Builder
	release := releases.ExactVersion{Product: product.Terraform, Version: version.Must(version.NewVersion(FetchedVersion)),
		InstallDir: dir, Timeout: downloadTimeout, ApiBaseURL: s.url, ArmoredPublicKey: s.key}
	release.SetLogger(log.New(&steps, "", 0))
	_, err := release.Install(ctx)
	if !strings.Contains(steps.String(), "checksum matches") {
		return cmp.Or(wrongChecksum(steps.String()), err, errors.New("the checksum of the archive was not verified"))
	}
	return err
}

// wrongChecksum returns the line of a log about a wrong checksum as an error.
func wrongChecksum(steps string) error {
	for line := range strings.Lines(steps) {
		if strings.HasPrefix(line, "checksum does not match") {
			return errors.New(strings.TrimSpace(line))
		}
	}
	return nil
}
