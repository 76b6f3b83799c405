// This file declares stores and secrets, which are in the data store of eNMS 5 (enms-rest.md 11.4, 11.5).

package kinds

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

func store() *kind.Kind {
	return inDataStore(&kind.Kind{
		Name:        "store",
		ExampleName: ">Customers",
		Summary:     "A store of eNMS's data store: it contains secrets, other data and further stores. When it is renamed, eNMS renames what it contains. When it is deleted, its content stays.",
		BuiltIn:     []kind.BuiltIn{{Name: ">Secrets"}},
		Relations:   []string{"data"},
	}, kind.Attribute{Name: "data_type", Default: "store", Suggest: dataTypes, Doc: "The type of the data that eNMS offers to create in the store, such as `secret`. eNMS does not check it."})
}

func secret() *kind.Kind {
	return inDataStore(&kind.Kind{
		Name:        "secret",
		ExampleName: ">Secrets>SNMP",
		Summary:     "A secret of eNMS's data store, such as a token that the code of services uses.",
	}, kind.Attribute{Name: "secret_value", Role: kind.Secret, MaxLength: kind.Unbounded, Doc: "The value of the secret."})
}

// dataTypes are the types of the data store.
var dataTypes = []string{"store", "secret", "json", "vlan", "ip_address", "port", "cable"}

// dataNamespace is the type that dataTypes are subtypes of. No two of its instances have the same name.
const dataNamespace = "data"

// inDataStore adds to a kind what all types of the data store have. own is the kind's own row.
func inDataStore(k *kind.Kind, own kind.Attribute) *kind.Kind {
	k.Line, k.Namespace, k.Rules = 5, dataNamespace, kind.Rules{Check: checkDataName}
	k.Attributes = append([]kind.Attribute{
		own,
		{Name: "store", Type: kind.One, Of: "store", IDField: "store_id", Derived: true,
			Doc: "The name of the store that contains the " + k.Name + ". It is computed from `name`, which begins with it: `>Store>Name`."},
		{Name: "scoped_name", Derived: true, Default: "",
			Doc: "The last part of the name. It is computed from `name`. Set it only if that part itself contains `>`."},
		{Name: "description", Default: "", MaxLength: kind.Unbounded, Doc: "The description of the " + k.Name + "."},
		{Name: "admin_only", Section: sectionRights, Type: kind.Flag, Default: false, Doc: "Whether only administrators see the " + k.Name + "."},
	}, rights(dataNamespace, "rbac_use")...)
	k.Scope = &kind.Scope{Attribute: "store", Type: "store", Split: splitStore, Join: func(store, own string) string { return store + pathSign + own }}
	k.Unwatched = append([]string{"path", "ui_name"}, volatileFields...)
	return k
}

// wrongDataName is the summary of errors about names of data.
const wrongDataName = "The name does not match store and scoped_name"

// pathSign separates the parts of names of data.
const pathSign = ">"

// splitStore splits the name of data into that of its store, which may be empty, and its own part.
func splitStore(name string) (store, own string) {
	at := strings.LastIndex(name, pathSign)
	return name[:max(at, 0)], name[at+1:]
}

// checkDataName plans the store and the scoped_name that follow from the name, because eNMS composes the
// name from them at every write. It refuses those that are configured and do not match.
func checkDataName(p *kind.Plan) {
	name, known := p.Text("name")
	scoped, scopedKnown := p.Text("scoped_name")
	if p.ConfigOnly || !known || p.Configured("scoped_name") && !scopedKnown {
		for _, derived := range []string{"store", "scoped_name"} {
			if !p.Configured(derived) {
				p.SetUnknown(derived)
			}
		}
		return
	}
	if !p.Configured("scoped_name") && (p.Creating() || p.Changed("name")) {
		_, scoped = splitStore(name)
		p.SetText("scoped_name", scoped)
	}
	store, endsWithScoped := strings.CutSuffix(name, pathSign+scoped)
	isPath := endsWithScoped && (store == "" || strings.HasPrefix(store, pathSign))
	switch {
	case isPath && scoped != "":
		checkStore(p, store, scoped)
	case p.Configured("scoped_name") && scoped != "":
		p.Error("scoped_name", "scoped_name does not match name",
			fmt.Sprintf("The name must end with %q. Remove scoped_name: it is computed from the name.", pathSign+scoped))
	default:
		p.Error("name", wrongDataName, dataNames(p.Kind.Name, scoped))
	}
}

// checkStore plans the store in a name, which is "" if the name has none, or refuses another one that is configured.
func checkStore(p *kind.Plan, inName, scoped string) {
	configured, known := p.Text("store")
	switch isConfigured := p.Configured("store"); {
	case isConfigured && known && configured != inName:
		p.Error("store", wrongDataName,
			fmt.Sprintf("eNMS would name the %s %q. Use this name, or remove store: it is computed from the name.", p.Kind.Name, configured+pathSign+scoped))
	case !isConfigured && inName == "":
		p.Planned["store"] = p.Kind.Row("store").Null()
	case !isConfigured:
		p.SetText("store", inName)
	}
}

// dataNames says how data is named.
func dataNames(typ, scoped string) string {
	return fmt.Sprintf("eNMS names a %s after the store that contains it. Write %q, or %q if it is in no store.", typ, ">Store>"+cmp.Or(scoped, "Name"), pathSign+cmp.Or(scoped, "Name"))
}

// checkData checks the name of data of a type without a kind of its own: eNMS composes the name from
// scoped_name and store, which are properties.
func checkData(p *kind.Plan) {
	typ, _ := p.Text("type")
	name, nameKnown := p.Text("name")
	known := nameKnown && p.Config[kind.RowProperties].IsFullyKnown() && !p.ConfigOnly
	named := p.Creating() || p.Changed("name")
	if !slices.Contains(dataTypes, typ) || !known || !named {
		return
	}
	scoped, _ := p.FieldText("scoped_name")
	store, storeBefore := p.FieldText("store")
	switch {
	case scoped == "":
		_, own := splitStore(name)
		p.Error(kind.RowProperties, wrongDataName, fmt.Sprintf("eNMS makes the name of a %s of its store and its scoped_name. Write scoped_name = %q in properties, and store unless it is in no store.", typ, own))
	case store+pathSign+scoped != name:
		p.Error("name", wrongDataName, fmt.Sprintf("eNMS would name the %s %q. Use this name, or change store and scoped_name in properties.", typ, store+pathSign+scoped))
	case store == "" && storeBefore != "":
		p.Error("name", wrongDataName, fmt.Sprintf("A property that is removed keeps its value, so the %s would stay in %q. Keep it in a store, or take it out of its store in eNMS.", typ, storeBefore))
	}
}
