// This file explains what to do if a name belongs to another instance.

package failures

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/identify"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

// TakenHint returns the advice if a name belongs to another instance. In the warning of a plan, the advice shows
// the import block to write; in the error of an apply, it names other causes.
func (s Subject) TakenHint(verb, name string, exists *enms.ExistsError) string {
	unchanged, entryUnchanged := NothingChanged+" ", "It was not changed. " // other entries may have changed
	if exists.MayBeOwn {
		unchanged = "This apply may have created it, while somebody else created another one. "
		entryUnchanged = unchanged
	}
	if verb == Plan || verb == Rename { // a rename may have given the other instance a temporary name
		unchanged = ""
	}
	hasOtherType := exists.FoundType != "" && exists.FoundType != exists.Type
	switch {
	case exists.SoftDeleted:
		return unchanged + "Restore it or delete it permanently in eNMS, or choose another name."
	case s.Entry && verb == Plan:
		return takenInManyHint
	case s.Entry && verb != Rename:
		return entryUnchanged + takenInManyHint + " If another address of this configuration gives the name up in this apply, apply again; or first apply a configuration without this entry. " + createFirstHint
	case exists.FoundName != "" && verb != Rename && s.Kind.Takes(exists.FoundType):
		return unchanged + fmt.Sprintf("Choose another name. Or, to manage that one, write name = %q and %s", exists.FoundName, s.importHint(verb, exists.FoundName))
	case verb == Rename:
		return "Choose another name, or rename or delete the other instance first. If this configuration gives the name up in the same apply, apply again; for more than ten renames that wait for each other, with -parallelism=100."
	case !s.Kind.Takes(exists.FoundType):
		return unchanged + fmt.Sprintf("A %s cannot have the name of a %s: both share one set of names in eNMS. Choose another name. If a resource of this configuration manages it and", s.Kind.Name, exists.FoundType) + releasedHint
	case verb == Adopt && hasOtherType:
		return unchanged + fmt.Sprintf("It is a %s, not a %s: write type = %q to take it over, or choose another name. ", exists.FoundType, exists.Type, exists.FoundType) + createFirstHint
	case hasOtherType:
		return unchanged + fmt.Sprintf("It is a %s, not a %s. To manage it, write type = %q and %s", exists.FoundType, exists.Type, exists.FoundType, s.importHint(verb, name))
	}
	return unchanged + "To manage it, set adopt_existing = true, or " + s.importHint(verb, name)
}

// takenInManyHint is the advice if the name of an entry belongs to another instance.
const takenInManyHint = "Choose another name; or, if it is of the same type, set adopt_existing = true, on this resource or in the provider block, to take it over."

// importHint returns how to import an instance. In an apply, the instance may be at another address of the
// same configuration, which a provider cannot know.
func (s Subject) importHint(verb, name string) string {
	if verb == Plan {
		return s.importBlock(name)
	}
	return fmt.Sprintf("import it with the id %s. If another resource of this configuration manages it, do neither: write a moved block if this is its new address. If the other resource%s %s",
		resources.Quoted(identify.ImportID(s.Kind, name)), releasedHint, createFirstHint)
}

// releasedHint is the end of a sentence about another resource, which may give the name up.
const releasedHint = " is renamed or destroyed in this apply, apply again; or first apply a configuration without this resource."

// createFirstHint is the advice if the name belongs to the instance that this resource replaces.
const createFirstHint = "If this resource is replaced with create_before_destroy, remove that."

// importBlock shows the block that imports an instance. A provider does not know the address of a
// resource, so the label is made of the name.
func (s Subject) importBlock(name string) string {
	address := s.Kind.TypeName() + "." + label(name)
	return fmt.Sprintf("add this block to the root module, with the address of this resource:\n\nimport {\n  to = %s\n  id = %s\n}",
		address, resources.Quoted(identify.ImportID(s.Kind, name)))
}

var notInLabels = regexp.MustCompile(`[^a-z0-9_]+`)

// label converts a name to the label of a resource block.
func label(name string) string {
	l := strings.Trim(notInLabels.ReplaceAllString(strings.ToLower(name), "_"), "_")
	if l == "" || l[0] <= '9' { // it begins with a digit
		l = "_" + l
	}
	return l
}
