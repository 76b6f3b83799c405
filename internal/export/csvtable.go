// This file reads CSV inventories of existing code.

package export

import (
	"bytes"
	"encoding/csv"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/export/existing"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// csvTable is a CSV file that a resource enms_instances reads.
type csvTable struct {
	typ      string
	resource *existing.Resource
	place    existing.Place // the place of `instances`
	path     string
	header   []string
	rows     []csvRow
	gone     map[string]bool // names that are no longer on the server
	grows    bool            // whether the server has rows that are not in the file
}

// csvRow is a record of the file.
type csvRow struct {
	cells []string
	raw   string
}

// parseCSV parses a file with a column for names.
func parseCSV(content []byte) (header []string, rows []csvRow, ok bool) {
	reader := csv.NewReader(bytes.NewReader(content))
	from := int64(0)
	for {
		cells, err := reader.Read()
		if err != nil {
			break
		}
		to := reader.InputOffset()
		rows = append(rows, csvRow{cells, string(content[from:to])})
		from = to
	}
	if len(rows) == 0 || from != int64(len(content)) || !slices.Contains(rows[0].cells, kind.RowName) {
		return nil, nil, false
	}
	return rows[0].cells, rows[1:], true
}
