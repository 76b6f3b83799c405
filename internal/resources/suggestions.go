// This file suggests existing names and types in place of missing ones.

package resources

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
)

// NameHint returns a hint for a message about a name that no instance of a type has, with a space
// before the hint, such as ` (did you mean "x"?)`. It suggests the instance whose id the name is, or the one
// with the most similar name. It returns "" if there is none or the request fails.
func (p *Provider) NameHint(ctx context.Context, typ, name string) string {
	if _, err := strconv.ParseUint(name, 10, 63); err == nil {
		if row, err := p.Client.FindByID(ctx, typ, name); err == nil {
			return fmt.Sprintf(" (%s is the id of %q; write the name, or .name in place of .id)", name, row[kind.RowName])
		}
	}
	switch near := p.nearestName(ctx, typ, name); {
	case near == "":
		return ""
	case norm.NFC.String(near) == norm.NFC.String(name): // Terraform normalizes every string to NFC
		return fmt.Sprintf(" (it has %+q, which looks the same, but has other code points: Terraform cannot write that name, so rename it in eNMS)", near)
	default:
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
}

// CreateFirst is what to do about a reference to an instance that does not exist.
const CreateFirst = "Create it first, or refer to the resource that does, so that Terraform knows the order."

// MissingRemedy returns what to do about references to instances that eNMS does not have, and whether eNMS may hide
// them from this user. Of instances that every eNMS has, such as [Shared] Start, it names the missing right alone.
func (p *Provider) MissingRemedy(ctx context.Context, missing ...applying.Reference) (remedy string, hidden bool) {
	const right = "rbac_read"
	builtIn, hidden := true, true
	for _, m := range missing {
		k := kind.Named(p.Kinds, m.Type)
		_, hasRight := k.Table().ByName[right]
		builtIn, hidden = builtIn && k.IsBuiltIn(m.Name, 0), hidden && hasRight
	}
	switch {
	case !hidden || p.Client.IsAdministrator(ctx):
		return CreateFirst, false
	case builtIn:
		return "Every eNMS has it, so this user lacks the right " + right + " to it. An administrator can grant it to a group of the user, as the page of the provider shows under \"The eNMS user\".", true
	}
	return CreateFirst + " If it exists, this user lacks the right to read it: add a group of the user to its " + right + ".", true
}

// nearestName returns the existing name of a type that is most similar to a missing one. It returns ""
// if none is similar or the request fails.
func (p *Provider) nearestName(ctx context.Context, typ, name string) string {
	names := p.Lookups.Names.Get(typ, func() (names []string) {
		rows, err := p.Client.List(ctx, typ, nil, map[string]any{})
		if err != nil {
			return nil
		}
		for _, row := range rows {
			if name, is := row[kind.RowName].(string); is {
				names = append(names, name)
			}
		}
		return names
	})
	if i := slices.IndexFunc(names, func(other string) bool { return norm.NFC.String(other) == norm.NFC.String(name) }); i >= 0 {
		return names[i]
	}
	near := checks.Nearest(name, names)
	prefix := 0 // what both have in common, such as the name of a site, does not make names similar
	for prefix < min(len(name), len(near)) && name[prefix] == near[prefix] {
		prefix++
	}
	if rest := near[prefix:]; rest != "" && checks.Nearest(name[prefix:], []string{rest}) == "" {
		return ""
	}
	return near
}

// hasType reports whether eNMS has a type. It returns true if the request fails.
func (p *Provider) hasType(ctx context.Context, typ string) bool {
	return p.Lookups.Types.Get(typ, func() bool {
		has, err := p.Client.HasType(ctx, typ)
		return has || err != nil
	})
}

// LacksType reports whether eNMS surely does not have a type. near is the known type with the most similar name,
// if eNMS has that, or "".
func (p *Provider) LacksType(ctx context.Context, known []string, typ string) (near string, lacks bool) {
	if p.hasType(ctx, typ) || !p.hasType(ctx, "service") { // a server that refuses even this type refuses every search
		return "", false
	}
	if near = nearestType(typ, known); near != "" && !p.hasType(ctx, near) {
		near = ""
	}
	return near, true
}

// serviceSuffix is the common suffix of the types of services.
const serviceSuffix = "_service"

// nearestType returns the known type with the most similar name, or "" if none is similar. The
// common suffix of services is ignored.
func nearestType(typ string, known []string) string {
	own, ofService := strings.CutSuffix(typ, serviceSuffix)
	if !ofService {
		return checks.Nearest(typ, known)
	}
	var services []string
	for _, candidate := range known {
		if name, is := strings.CutSuffix(candidate, serviceSuffix); is {
			services = append(services, name)
		}
	}
	if near := checks.Nearest(own, services); near != "" {
		return near + serviceSuffix
	}
	return ""
}
