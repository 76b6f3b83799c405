// Tests of README.md: behind each row of the table that compares this provider with a
// generic one stand tests, and each page that somebody may look for is linked.

package docstest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// comparison is the section of README.md that holds the table.
const comparison = "Why not a generic REST provider"

// evidence names the tests that show what the rows of the table say, each with its
// directory: those in provider, kinds and resources show what this provider does, and the
// others what eNMS does, which a generic provider passes on.
var evidence = []struct {
	row   string
	tests []string
}{
	{"You create an instance that already exists", []string{
		"internal/simulator TestIdentity",
		"internal/resources/instance TestCreate_refusesTakenName", "internal/kinds TestEveryKind_createUpdateRenameImportDestroy"}},
	{"You change a name", []string{
		"internal/resources/instance TestRenameTogether_workflowAndServices", "internal/kinds TestEveryKind_createUpdateRenameImportDestroy"}},
	{"You delete a service", []string{
		"internal/simulator TestDeleteService", "internal/simulator TestChangelog_renamesAndDeletions",
		"internal/resources/instance TestDelete_requestsFail", "internal/resources/instance TestDelete_cascades", "internal/resources/instance TestDelete_policies"}},
	{"You remove an attribute", []string{
		"internal/resources/instance TestDevice_attributesRemoved"}},
	{"You write a schedule that eNMS ignores", []string{
		"internal/simulator TestScheduling",
		"internal/provider TestMistakes_diagnosticsOfEach"}},
	{"You write a pool", []string{
		"internal/simulator TestPoolCriteria", "internal/simulator TestPoolCounters",
		"internal/kinds TestPool_severalAreComputedOnce"}},
	{"You set a user's password or a credential's key", []string{
		"internal/resources/instance TestSecretVersion_sentWithANewVersion", "internal/provider TestWriteOnly_inNoFileAndNoLog"}},
	{"eNMS responds with 200 and a failure", []string{
		"internal/simulator TestRefusals",
		"internal/resources/instance TestApply_errors", "internal/resources/instance TestUpdate_failureLeavesWhatENMSHolds"}},
	{"Somebody deletes an instance", []string{
		"internal/simulator TestRequestLog", "internal/enms TestForbiddenAndAbsent",
		"internal/kinds TestEveryKind_createUpdateRenameImportDestroy"}},
	{"You plan 120 devices", []string{
		"internal/provider TestScale_devices"}},
}

// ofProvider matches a test of what this provider does.
var ofProvider = regexp.MustCompile(`^internal/(provider|kinds|resources/\w+) `)

// Each row of the table has a test that shows it, and the test exists.
func TestReadme_comparisonIsTested(t *testing.T) {
	t.Parallel()
	rows := tableOf(readPage(t, filepath.Join(acctest.Repository, "README.md")), comparison)
	var known []string
	for _, e := range evidence {
		known = append(known, e.row)
	}
	if len(rows) < 2 || !slices.Equal(rows, known) {
		t.Errorf("the table has the rows\n%q, and there are tests for\n%q", rows, known)
	}
	for _, e := range evidence {
		if !slices.ContainsFunc(e.tests, func(test string) bool { return ofProvider.MatchString(test) }) {
			t.Errorf("no test of the provider shows %q", e.row)
		}
		for _, test := range e.tests {
			dir, name, _ := strings.Cut(test, " ")
			if !slices.Contains(testsIn(t, dir+"/*_test.go"), name) {
				t.Errorf("%q is shown by %s, and %s has no such test", e.row, name, dir)
			}
		}
	}
}

// tableOf returns the first cells of the table in a section of a page, without its head.
func tableOf(p page, section string) (cells []string) {
	inSection := false
	for _, line := range p.lines {
		if found := heading.FindStringSubmatch(line); found != nil {
			inSection = found[1] == section
		}
		if cell, is := strings.CutPrefix(line, "| "); inSection && is {
			cell, _, _ = strings.Cut(cell, "|")
			cells = append(cells, strings.TrimSpace(cell))
		}
	}
	return slices.DeleteFunc(cells, func(cell string) bool { return cell == "" })
}

// What somebody may look for is linked from README.md: each guide, resource, action,
// function, module and whole configuration.
func TestReadme_linksEveryPage(t *testing.T) {
	t.Parallel()
	var links []string
	for _, line := range readPage(t, filepath.Join(acctest.Repository, "README.md")).lines {
		for _, found := range linked.FindAllStringSubmatch(line, -1) {
			links = append(links, found[2])
		}
	}
	for _, dir := range []string{"docs/guides", "docs/resources", "docs/actions", "docs/functions", "examples/modules"} {
		entries, err := os.ReadDir(filepath.Join(acctest.Repository, filepath.FromSlash(dir)))
		if err != nil || len(entries) == 0 {
			t.Fatalf("%s: %d entries, %v", dir, len(entries), err)
		}
		for _, entry := range entries {
			if !slices.Contains(links, dir+"/"+entry.Name()) {
				t.Errorf("README.md does not link %s/%s", dir, entry.Name())
			}
		}
	}
}
