// This file tests what happens before anything is built.

package workshop

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestCheckRoot(t *testing.T) {
	t.Parallel()
	if err := checkRoot(filepath.Join("..", "..", "..")); err != nil {
		t.Error(err)
	}
	for _, root := range []string{t.TempDir(), filepath.Join("..", "..")} {
		if err := checkRoot(root); err == nil {
			t.Errorf("%s was taken for the provider's source tree", root)
		}
	}
}

func TestEnvironmentIsClean(t *testing.T) {
	t.Setenv("TF_LOG", "TRACE")
	t.Setenv("ENMS_BASE_URL", "https://enms.example.com")
	t.Setenv("SOMETHING_ELSE", "kept")
	w := &Workshop{Dir: "here"}
	env := w.Environment()
	for _, pair := range []string{"TF_LOG=TRACE", "ENMS_BASE_URL=https://enms.example.com"} {
		if slices.Contains(env, pair) {
			t.Errorf("Terraform would get %s", pair)
		}
	}
	for _, pair := range []string{"SOMETHING_ELSE=kept", "TF_CLI_CONFIG_FILE=" + w.cliConfig()} {
		if !slices.Contains(env, pair) {
			t.Errorf("Terraform would not get %s", pair)
		}
	}
}
