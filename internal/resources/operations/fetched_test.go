// Tests of the data source enms_device_configuration.

package operations_test

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

func TestDeviceConfiguration_read(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	for typ, name := range map[string]string{"device": "NAME-d", "router": "NAME-r"} {
		s.Put(typ, enms.Object{"name": name, "configuration": "hostname x\n!\n", "last_configuration_status": "Success",
			"last_configuration_runtime": "2026-01-02 03:04:05.678", "last_configuration_update": "2026-01-02 03:04:05.678"})()
	}
	c, typ := s.Core(nil), "enms_device_configuration"
	for _, name := range []string{"NAME-d", "NAME-r"} {
		data, diags := c.ReadDataSourceBy(typ, acctest.Attributes{"device": s.Expand(name)})
		if diags.Failed() {
			t.Fatal(diags)
		}
		got := acctest.Members(t, data)
		for attribute, want := range map[string]any{"text": "hostname x\n!\n", "status": "Success", "update": "2026-01-02 03:04:05.678", "failure": nil} {
			if is := acctest.GoValue(t, got[attribute]); is != want {
				t.Errorf("%s of %s is %v, want %v", attribute, name, is, want)
			}
		}
		if data, diags = c.ReadDataSourceBy(typ, acctest.Attributes{"device": s.Expand(name), "property": "operational_data"}); diags.Failed() {
			t.Fatal(diags)
		}
		if got = acctest.Members(t, data); acctest.GoValue(t, got["text"]) != "" || acctest.GoValue(t, got["status"]) != nil {
			t.Errorf("of %s there is %v, %v", name, got["text"], got["status"])
		}
	}
	if _, diags := c.ReadDataSourceBy(typ, acctest.Attributes{"device": s.Expand("NAME-none")}); !acctest.ErrorOn(diags, "device") || !strings.Contains(diags.String(), "no device with that name") {
		t.Errorf("a device that does not exist: %s", diags)
	}
}

// The lines are selected before a text is in a state: it has nothing of the others, comments included. A list
// without expressions selects nothing.
func TestDeviceConfiguration_selectedLines(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("device", enms.Object{"name": "NAME-d", "configuration": "! saved by hush\nenable secret hush\ninterface Gi1\n description d\n key hush\nntp server 192.0.2.1\n"})()
	c, typ := s.Core(nil), "enms_device_configuration"
	for _, test := range []struct {
		only, ignore any
		want         string
	}{
		{[]string{"^ntp ", "^description"}, nil, "interface Gi1\n description d\nntp server 192.0.2.1\n"},
		{[]string{"^interface"}, []string{"^key"}, "interface Gi1\n description d\n"},
		{nil, []string{"^enable", "^interface"}, "ntp server 192.0.2.1\n"},
		{[]string{}, nil, ""},
	} {
		config := acctest.Attributes{"device": s.Expand("NAME-d"), "only": test.only, "ignore": test.ignore}
		data, diags := c.ReadDataSourceBy(typ, config)
		if diags.Failed() {
			t.Fatal(diags)
		}
		opened, diags := openEphemeral(c, typ, config)
		if diags.Failed() {
			t.Fatal(diags)
		}
		if text := acctest.GoValue(t, acctest.Members(t, data)["text"]); text != test.want || !opened.Equal(data) {
			t.Errorf("only %v without %v: %q, want %q; the ephemeral resource has %s", test.only, test.ignore, text, test.want, opened)
		}
	}
	for _, attribute := range []string{"only", "ignore"} {
		if _, diags := c.ReadDataSourceBy(typ, acctest.Attributes{"device": s.Expand("NAME-d"), attribute: []string{"^a", "("}}); !acctest.ErrorOn(diags, attribute) || !strings.Contains(diags.String(), `"(" is not a regular expression`) {
			t.Errorf("an invalid expression in %s: %s", attribute, diags)
		}
	}
}

// What an ephemeral resource reads is used, and is in no file that Terraform writes.
func TestDeviceConfiguration_ephemeral(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("the secret is looked for in the server")
	s.Put("device", enms.Object{"name": "NAME-d", "configuration": "secret hush-1234\n", "last_configuration_status": "Success"})()
	w := acctest.NewWorkspace(t)
	w.Configure(s.HCL(`
		ephemeral "enms_device_configuration" "d" {
		  device = "NAME-d"
		  lifecycle {
		    postcondition {
		      condition     = self.status == "Success" && strcontains(self.text, "secret hush") && self.failure == null
		      error_message = "It is not as it should be."
		    }
		  }
		}
		resource "enms_credential" "c" {
		  name                = "NAME-c"
		  password_wo         = ephemeral.enms_device_configuration.d.text
		  password_wo_version = 1
		}`))
	if code, out := w.Run("plan", "-no-color", "-out=plan"); code != 0 {
		t.Fatal(out)
	}
	plan, err := zip.OpenReader(filepath.Join(w.Dir, "plan")) // which is compressed
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = plan.Close() })
	for _, part := range plan.File {
		content, err := fs.ReadFile(plan, part.Name)
		if err != nil || bytes.Contains(content, []byte("hush-1234")) {
			t.Errorf("%v: %s of the plan has the secret", err, part.Name)
		}
	}
	if code, out := w.Run("apply", "-no-color", "plan"); code != 0 {
		t.Fatal(out)
	}
	if s.Get("credential", "NAME-c") == nil {
		t.Error("there is no credential")
	}
	files := 0
	if err := filepath.WalkDir(w.Dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(file) == ".tf" {
			return err
		}
		files++
		content, err := os.ReadFile(file) // #nosec G304,G122 -- a test's own
		if bytes.Contains(content, []byte("hush-1234")) {
			t.Errorf("%s has the secret", file)
		}
		return err
	}); err != nil || files == 0 {
		t.Errorf("%d files: %v", files, err)
	}
}

// openEphemeral validates and opens an ephemeral resource, as Terraform does.
func openEphemeral(c *acctest.Core, typ string, config acctest.Attributes) (tftypes.Value, acctest.Problems) {
	c.T.Helper()
	schemas, err := c.Provider.GetProviderSchema(c.T.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		c.T.Fatal(err)
	}
	schema := schemas.EphemeralResourceSchemas[typ]
	encoded := c.Encode(acctest.ObjectOf(c.T, schema, config))
	valid, err := c.Provider.ValidateEphemeralResourceConfig(c.T.Context(), &tfprotov6.ValidateEphemeralResourceConfigRequest{TypeName: typ, Config: encoded})
	if err != nil {
		c.T.Fatal(err)
	}
	if acctest.Problems(valid.Diagnostics).Failed() {
		return tftypes.Value{}, valid.Diagnostics
	}
	opened, err := c.Provider.OpenEphemeralResource(c.T.Context(), &tfprotov6.OpenEphemeralResourceRequest{TypeName: typ, Config: encoded})
	if err != nil {
		c.T.Fatal(err)
	}
	if acctest.Problems(opened.Diagnostics).Failed() {
		return tftypes.Value{}, opened.Diagnostics
	}
	result, err := opened.Result.Unmarshal(schema.ValueType())
	if err != nil {
		c.T.Fatal(err)
	}
	return result, opened.Diagnostics
}

// The ephemeral resource shows a run as the data source does, and refuses what that refuses.
func TestRunResult_ephemeral(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 0)
	c := s.core(nil)
	if started := invokeAction(c, runAction, acctest.Attributes{"service": "NAME-fails", "devices": []string{"NAME-d2"}, "name": "mine"}, nil); !started.diags.Failed() {
		t.Fatal("the run succeeded")
	}
	const typ = "enms_run_result"
	sorted := func(p acctest.Problems) string { // validators run in any order
		lines := strings.Split(p.String(), "\n")
		slices.Sort(lines)
		return strings.Join(lines, "\n")
	}
	for _, config := range []acctest.Attributes{{"name": "mine"}, {"name": "none"}, {"service": "NAME-fails"}, {"name": "mine", "runtime": "2020-01-01 00:00:00.000000", "service": "NAME-fails"}} {
		want, refused := c.ReadDataSourceBy(typ, config)
		got, diags := openEphemeral(c, typ, config)
		if sorted(diags) != sorted(refused) || refused.Failed() != (config["name"] != "mine" || len(config) > 1) || !refused.Failed() && !got.Equal(want) {
			t.Errorf("%v: %s, want %s\n%s\n%s", config, got, want, diags, refused)
		}
	}
}
