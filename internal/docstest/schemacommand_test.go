// This file holds the schemas that the documentation is made of against those that
// Terraform itself writes.

package docstest

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

func TestSchemaCommand_writesWhatTerraformWrites(t *testing.T) {
	t.Parallel()
	w := acctest.NewWorkspace(t)
	w.NeedsVersion(1, 14, "schemas of actions and list resources")
	w.Configure(`
		terraform {
		  required_providers {
		    enms = { source = "terraform-provider-enms/enms" }
		  }
		}`)
	code, out := w.Run("providers", "schema", "-json")
	var document struct {
		Providers map[string]map[string]any `json:"provider_schemas"`
	}
	if err := json.Unmarshal([]byte(out), &document); code != 0 || err != nil {
		t.Fatalf("providers schema ended with %d: %v\n%s", code, err, out)
	}
	var own map[string]any
	written, err := exec.CommandContext(t.Context(), "go", "run", "../provider/cmd/docs", "schema").Output()
	if err == nil {
		err = json.Unmarshal(written, &own)
	}
	if err != nil {
		t.Fatal(err)
	}
	for address, schemas := range document.Providers {
		if filepath.Base(address) != "enms" {
			continue
		}
		for part, schema := range own {
			if !reflect.DeepEqual(schema, schemas[part]) {
				t.Errorf("%s is not what Terraform writes", part)
			}
			delete(own, part)
		}
	}
	if len(own) > 0 {
		t.Errorf("Terraform does not write %v", own)
	}
}
