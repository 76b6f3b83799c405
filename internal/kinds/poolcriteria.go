// This file checks the criteria of pools. If the database of eNMS cannot search by one criterion, eNMS
// computes no pool on the server any more (enms-rest.md 2.4), so such a criterion must not be written.

package kinds

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dlclark/regexp2"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// numbers are the properties that eNMS stores as whole numbers, by the attribute with the criteria. Only
// the server knows the types of custom properties.
var numbers = map[string][]string{
	"device_criteria": {"id", "port"},
	"link_criteria":   {"id", "source_id", "destination_id"},
}

// The properties that pools can compare in every eNMS. A site may declare others.
var (
	deviceProperties = []string{"name", "description", "creator", "subtype", "model", "location", "vendor", "icon", "operating_system", "os_version",
		"netmiko_driver", "napalm_driver", "scrapli_driver", "netconf_driver", "ip_address", "port", "latitude", "longitude",
		"configuration", "operational_data", "specialized_data"}
	linkProperties = []string{"name", "description", "creator", "subtype", "model", "location", "vendor", "color", "source_name", "destination_name"}
)

// breaksAll is the consequence of a criterion by which a database cannot search.
const breaksAll = "With it, eNMS could not compute the members of any pool on the server."

// criterionCheck is a planned criterion during its check.
type criterionCheck struct {
	kind.Criterion

	plan                *kind.Plan
	attribute, property string
	exists              bool // the state has it
}

// checkCriteria refuses criteria by which some database cannot search. For a criterion that eNMS already
// has, it only warns, because eNMS may use another database.
func checkCriteria(p *kind.Plan, attribute string) {
	planned, before := kind.KnownCriteria(p.Effective(attribute)), kind.KnownCriteria(p.Prior[attribute])
	for _, property := range slices.Sorted(maps.Keys(planned)) {
		c := criterionCheck{Criterion: planned[property], plan: p, attribute: attribute, property: property, exists: before[property] == planned[property]}
		isNumber := slices.Contains(numbers[attribute], property)
		isStandard := isNumber || slices.Contains(p.Kind.Row(attribute).Properties, property)
		isBoolean := c.Value == "bool-true" || c.Value == "bool-false"
		switch {
		case isStandard && isBoolean:
			c.refuse("Invalid value of a criterion", fmt.Sprintf("eNMS treats %q as a Boolean, and PostgreSQL cannot compare %s with it. %s Use another value.", c.Value, property, breaksAll))
		case c.Match == kind.MatchRegex:
			c.checkExpression()
		case isNumber:
			c.checkNumber()
		}
	}
}

// refuse adds an error about the criterion, or a warning if eNMS already has it.
func (c criterionCheck) refuse(summary, detail string) {
	if c.plan.ConfigOnly { // eNMS may already have the value: the plan decides
		return
	}
	if c.exists {
		c.plan.WarnAt(c.attribute, c.property, summary, detail+" eNMS already has this value.")
		return
	}
	c.plan.ErrorAt(c.attribute, c.property, summary, detail)
}

// checkNumber refuses what PostgreSQL cannot compare with a number (enms-rest.md 10.6).
func (c criterionCheck) checkNumber() {
	isNumber := wholeNumber(c.Value) && c.Match != kind.MatchEmpty && c.Match != kind.MatchInclusion
	if isNumber || !c.HasEffect() {
		return
	}
	why := fmt.Sprintf("and %q is not a whole number of at most 32 bits, so PostgreSQL cannot compare the two", c.Value)
	switch c.Match {
	case kind.MatchEmpty:
		why = "which is never empty, and PostgreSQL cannot compare it with a string"
	case kind.MatchInclusion:
		why = fmt.Sprintf("and match = \"inclusion\", the default, searches for %q in a string, which PostgreSQL cannot do", c.Value)
	}
	c.refuse("Invalid criterion for a number", fmt.Sprintf("%s is a number, %s. %s Use match = \"equality\" with a whole number, or match = \"regex\".", c.property, why, breaksAll))
}

// wholeNumber reports whether PostgreSQL reads a string as a number of 32 bits.
func wholeNumber(s string) bool {
	_, err := strconv.ParseInt(strings.Trim(s, " \t\n\v\f\r"), 10, 32)
	return err == nil
}

// possessive matches possessive quantifiers, which Python and PCRE have and regexp2 does not.
var possessive = regexp.MustCompile(`([*+?}])\+`)

// checkExpression refuses regular expressions that no database reads, and all regular expressions for the
// ends of a link.
func (c criterionCheck) checkExpression() {
	if c.attribute == "link_criteria" && (c.property == "source_name" || c.property == "destination_name") {
		c.refuse("Invalid regular expression for an end of a link",
			fmt.Sprintf("eNMS cannot search %s by a regular expression. %s Use match = \"inclusion\" or \"equality\".", c.property, breaksAll))
		return
	}
	if _, err := regexp2.Compile(possessive.ReplaceAllString(c.Value, "$1"), regexp2.RE2); err != nil {
		c.refuse("Invalid regular expression", fmt.Sprintf("%q cannot be read: %s. %s", c.Value, err, breaksAll))
	}
}

// portable returns a function that reports whether every database can search by a criterion. It
// expects criteria that checkCriteria has accepted. A criterion is not portable if its property is not among the
// standard ones, because only the server knows its type, or if it is a regular expression that only some
// databases read.
func portable(standard []string) func(property string, c kind.Criterion) bool {
	return func(property string, c kind.Criterion) bool {
		if c.Match == kind.MatchRegex && !plainExpression(c.Value) {
			return false
		}
		return slices.Contains(standard, property)
	}
}

// plain matches expressions that have only literal characters, dots, classes, groups, alternatives and
// simple quantifiers, and may begin with (?i).
var plain = regexp.MustCompile(`^(?:\(\?i\))?(?:\^?(?:(?:[\p{L}0-9 _,:;@#%&=<>!~/.-]|\\[dws[:punct:]]|\[\^?[A-Za-z0-9 _-]+\]|\([\p{L}0-9 _.|-]+\))[*+?]?)*\$?(?:\||$))+$`)

// maxPlain is the length up to which every database reads a plain expression.
const maxPlain = 4096

// plainExpression reports whether every database reads an expression (enms-rest.md 10.6).
func plainExpression(expression string) bool {
	if len(expression) > maxPlain || !plain.MatchString(expression) {
		return false
	}
	_, err := regexp.Compile(expression)
	return err == nil
}
