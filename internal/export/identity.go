// This file asks the changelog what became of the objects of the last export, and says of which of them it does not tell
// (exportmerge.Matching.Untold).

package export

import (
	"context"
	"fmt"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

// askChangelog returns the function that asks the changelog since a mark. Without a mark, which records of older exports
// do not have, nothing is asked, and nothing told.
func askChangelog(ctx context.Context, client *enms.Client, mark *exportmerge.Mark) exportmerge.Ask {
	return func(questions []exportmerge.Question) (fates []exportmerge.Fate, isOther bool, err error) {
		if mark == nil {
			return nil, false, nil
		}
		since := enms.Mark(*mark)
		status, err := client.FindMark(ctx, since)
		if err != nil || status == enms.MarkLost {
			return nil, status == enms.MarkLost, err
		}
		fates, err = resources.Each(ctx, questions, func(ctx context.Context, q exportmerge.Question) (exportmerge.Fate, error) {
			if q.ID == "" || q.Subtype == "" { // it was gone before, or the export was an older one
				return exportmerge.Fate{}, nil
			}
			fate, err := client.Fate(ctx, enms.Subject{Type: q.Subtype, Name: q.Name, NameNow: q.NameNow, Since: since})
			return exportmerge.Fate{Renamed: fate.Renamed != nil, Deleted: fate.Deleted != nil}, err
		})
		return fates, false, err
	}
}

// untoldFindings returns what report.json says about the objects in Untold: once for all of them after a restore.
func untoldFindings(m *exportmerge.Matching) (all []finding) {
	const exportOnce = " If this is right, export once with -identify-by name."
	switch {
	case len(m.Untold) == 0:
		return nil
	case m.IsOther:
		return []finding{{At: fileRecord, What: "eNMS has another database than at the last export: it was restored, or ENMS_BASE_URL is that of another server. Objects are identified by their names, and none counts as gone." + exportOnce}}
	case m.Restored:
		return []finding{{At: fileRecord, What: "No object has its id of the last export, and the changelog does not say why. eNMS may have been restored. Objects are identified by their names." + exportOnce}}
	}
	for _, u := range m.Untold {
		what := fmt.Sprintf("%q has another id than at the last export, and the changelog does not say why. The block stays with the name.", u.Name) + exportOnce
		if u.ByID != nil {
			what = fmt.Sprintf("%q has the id that %q had, and the changelog does not say why. The block stays as it is, and %[1]q is not written. Write the new name into the block, or export once with -identify-by name.", u.ByID.Name, u.Name)
		}
		all = append(all, finding{At: u.Address, What: what})
	}
	return all
}

// firstOf returns the first finding and how many more there are, for a message of the command.
func firstOf(all []finding) string {
	message := all[0].At + ": " + all[0].What
	if more := len(all) - 1; more > 0 {
		message += fmt.Sprintf(" And %d more, see %s.", more, fileReport)
	}
	return message
}
