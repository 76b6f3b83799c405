// Tests of the guide "Troubleshooting": it has an entry for each error and each warning
// of the source, and none besides.

package docstest

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// reasonsSection is the part of the guide about the second part of messages.
const reasonsSection = "Reasons"

// unreachable is why an error has no entry that is one of the reasons for another one.
const unreachable = "the entry about an eNMS that cannot be reached has it"

// neverShown are errors that no diagnostic shows as they are, and why.
var neverShown = map[string]string{
	`it is unknown whether eNMS has started the run "…" of "…": …`:                                      "the diagnostics of runs show its cause",
	`its id is that of "…" now`:                                                                         "a read keeps the instance, and a deletion warns in words of its own",
	"it speaks plain HTTP, and base_url begins with https://":                                           unreachable,
	"it speaks HTTPS, and base_url begins with http://":                                                 unreachable,
	`it speaks HTTPS, and base_url begins with http://: it says "…"`:                                    unreachable,
	"…. Perhaps this user may read it, but not edit it: then add a group of this user to its rbac_edit": "it follows the answer 500, which has an entry",
	varying: "it only passes another error on",
}

// troubleshooting returns the entries of the guide, as they are compared: those of its
// sections about summaries, and its reasons.
func troubleshooting(t *testing.T) (summaries, reasons []string) {
	t.Helper()
	section := ""
	for _, line := range readPage(t, filepath.Join(acctest.Repository, "templates", "guides", "troubleshooting.md")).lines {
		if title, is := strings.CutPrefix(line, "## "); is {
			section = title
		}
		entry, is := strings.CutPrefix(line, "### ")
		switch {
		case !is:
		case section == reasonsSection:
			reasons = append(reasons, compared(entry))
		default:
			summaries = append(summaries, compared(entry))
		}
	}
	return summaries, reasons
}

// placeholder is a word in capitals, which in the guide stands for what varies.
var placeholder = regexp.MustCompile(`\b[A-Z]{3,}\b`)

// compared returns a message as it is compared: it may begin a sentence, and names vary.
func compared(message string) string {
	message = placeholder.ReplaceAllString(message, varying)
	if strings.HasPrefix(message, "eNMS") || message == "" {
		return message
	}
	return strings.ToLower(message[:1]) + message[1:]
}

func TestTroubleshooting_hasEverySummary(t *testing.T) {
	t.Parallel()
	found, unread := readSource(t).summaries()
	for _, where := range unread {
		t.Errorf("%s: the summary of this diagnostic cannot be read from the source: write it as a text, a format, or a constant", where)
	}
	if len(found) < 90 {
		t.Errorf("only %d summaries are found", len(found))
	}
	entries, _ := troubleshooting(t)
	known := map[string]bool{}
	for _, summary := range slices.Sorted(maps.Keys(found)) {
		known[compared(summary)] = true
		if !slices.Contains(entries, compared(summary)) {
			t.Errorf("no entry %q (made at %s)", summary, strings.Join(found[summary], ", "))
		}
	}
	seen := map[string]bool{}
	for _, entry := range entries {
		switch {
		case !known[entry]:
			t.Errorf("nothing in the source says %q", entry)
		case seen[entry]:
			t.Errorf("two entries are %q", entry)
		}
		seen[entry] = true
	}
}

func TestTroubleshooting_hasEveryReason(t *testing.T) {
	t.Parallel()
	found := readSource(t).reasons()
	if len(found) < 20 {
		t.Errorf("only %d reasons are found", len(found))
	}
	_, entries := troubleshooting(t)
	used := map[string]bool{}
	for _, reason := range found {
		entry := slices.IndexFunc(entries, func(entry string) bool { return strings.HasPrefix(compared(reason), entry) })
		switch {
		case entry >= 0:
			used[entries[entry]] = true
		case neverShown[reason] == "":
			t.Errorf("no entry begins %q", reason)
		}
	}
	for _, entry := range entries {
		if !used[entry] {
			t.Errorf("nothing in the source begins %q", entry)
		}
	}
}
