// This file names instances in errors.

package lifecycle

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// instance identifies an instance.
type instance struct{ typ, name, id string }

// instanceOf returns the instance of an answer.
func instanceOf(typ string, answer value.Object) instance {
	name, _ := answer["name"].(string)
	return instance{typ: typ, name: name, id: fmt.Sprint(answer["id"])}
}

// maxNamed is how many dependents an error names.
const maxNamed = 10

// listed names instances for an error.
func listed(found []instance) string {
	var named []string
	for _, x := range found {
		named = append(named, fmt.Sprintf("%s %q", x.typ, x.name))
	}
	sort.Strings(named)
	if rest := len(named) - maxNamed; rest > 0 {
		return strings.Join(named[:maxNamed], ", ") + fmt.Sprintf(" and %d more", rest)
	}
	return strings.Join(named, ", ")
}

// quoted writes a text as HCL does.
func quoted(s string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(strconv.Quote(s))
}
