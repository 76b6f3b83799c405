// This file reads the state of another type of resource, for a moved block from it to the resource
// of a kind. The name identifies an instance, so only the name is needed.

package identify

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// The types of resources of generic REST providers from which a moved block may lead to a kind.
const (
	sourceRESTAPI = "restapi_object"   // of Mastercard/restapi
	sourceRestful = "restful_resource" // of magodo/restful
)

// cannotMove returns the error of a state that cannot be moved to another type of resource: a sentence
// with the reason, and one with advice.
func cannotMove(reason, advice string) error { return errors.New(reason + " " + advice) }

// source is what the state of the moved resource says about its instance.
type source struct {
	typ, name string
	id        string         // only of a resource of this provider
	settings  map[string]any // its adopt_existing and deletion_policy, if it is a resource of this provider
}

// named adds the name to a source: the name in the content that was sent, or else the id. It refuses a source without a
// type, which path did not show, and one with two names: a provider that does not rename has changed the name. An id of
// digits is that of eNMS, and no name.
func (s source) named(sourceType, path, sent, id string) (source, error) {
	if s.typ == "" {
		return s, cannotMove(fmt.Sprintf("The path of the %s is %q, and not that of an instance of eNMS, such as /instance/device.", sourceType, path),
			"Remove the resource from the state with a removed block and destroy = false, and import the instance.")
	}
	if sent != "" && sent != id && strings.Trim(id, "0123456789") != "" {
		return s, cannotMove(fmt.Sprintf("The state has two names: %q is the id, and %q was sent.", id, sent),
			"Both may exist in eNMS. Remove the resource from the state with a removed block and destroy = false, and import the instance that you want.")
	}
	s.name = cmp.Or(sent, id)
	return s, nil
}

// Moved returns the values that the state of a moved resource begins with: the name, the type if
// the kind has several, and the id and the settings of a resource of this provider. kinds are all kinds of
// the provider. sourceType is the type of the resource that is moved, and state its state in
// JSON.
func Moved(k *kind.Kind, kinds []*kind.Kind, sourceType string, state []byte) (kind.Values, error) {
	found, err := sourceOf(kinds, sourceType, state)
	if err != nil {
		return nil, err
	}
	if found.name == "" {
		return nil, cannotMove("The state of the "+sourceType+" has no name.", adviceToImport(k))
	}
	if err := checkMovedType(k, kinds, found.typ); err != nil {
		return nil, err
	}
	values := kind.Values{kind.RowName: tftypes.NewValue(tftypes.String, found.name)}
	if found.id != "" {
		values[kind.RowID] = tftypes.NewValue(tftypes.String, found.id)
	}
	if isWholeType(k, found.typ) {
		values[k.SubtypeRow()] = tftypes.NewValue(tftypes.String, found.typ)
	}
	if policy, _ := found.settings[kind.RowDeletionPolicy].(string); slices.Contains(k.Policies(), policy) {
		values[kind.RowDeletionPolicy] = tftypes.NewValue(tftypes.String, policy)
	}
	if adopt, is := found.settings[kind.RowAdoptExisting].(bool); is {
		values[kind.RowAdoptExisting] = tftypes.NewValue(tftypes.Bool, adopt)
	}
	return values, nil
}

// isWholeType reports whether an instance can have the type itself, and not only a type derived from it:
// "device", but not "service".
func isWholeType(k *kind.Kind, typ string) bool {
	return typ != k.Name || slices.Contains(k.Table().Subtype.OneOf, typ)
}

// checkMovedType returns an error if the instances of a type have another resource.
func checkMovedType(k *kind.Kind, kinds []*kind.Kind, typ string) error {
	of := kind.Named(kinds, typ)
	if k.AnyType != nil || of.Resource() == k.Resource() {
		return nil
	}
	if of.AnyType != nil && k.HasSubtypes() && strings.HasSuffix(typ, "_"+k.Name) {
		return nil // a type that a site has added
	}
	return cannotMove(fmt.Sprintf("The instance is a %s.", typ), fmt.Sprintf("Move it to a resource of type %s.", of.TypeName()))
}

// adviceToImport returns the advice to import the instance, which needs no moved block.
func adviceToImport(k *kind.Kind) string {
	return fmt.Sprintf("Remove the resource from the state with a removed block and destroy = false, and import the instance by its name: import { to = %s.…, id = %q }.",
		k.TypeName(), ImportID(k, "name"))
}

// sourceOf returns what the state of a resource says about its instance.
func sourceOf(kinds []*kind.Kind, sourceType string, raw []byte) (source, error) {
	var state map[string]any
	if err := json.Unmarshal(raw, &state); err != nil {
		return source{}, cannotMove("The state of the "+sourceType+" cannot be read: "+err.Error()+".", "Apply with the provider that wrote it, then move.")
	}
	switch sourceType {
	case sourceRESTAPI:
		return sourceOfRESTAPI(state)
	case sourceRestful:
		return sourceOfRestful(state)
	}
	for _, k := range kinds {
		if k.TypeName() != sourceType {
			continue
		}
		name, _ := state[kind.RowName].(string)
		typ, _ := state[k.SubtypeRow()].(string)
		id, _ := state[kind.RowID].(string)
		return source{typ: cmp.Or(typ, k.Name), name: name, id: id, settings: state}, nil
	}
	return source{}, cannotMove(
		fmt.Sprintf("A moved block can lead here from enms_instance, %s and %s, and to enms_instance from every other resource of one instance.", sourceRESTAPI, sourceRestful),
		"For other resources, use a removed block with destroy = false, and an import block.",
	)
}

// sourceOfRESTAPI reads the state of a restapi_object: its data or its id contains the name, its path the type.
func sourceOfRESTAPI(state map[string]any) (source, error) {
	text := func(name string) string { s, _ := state[name].(string); return s }
	found := source{typ: firstType(text("path"), text("create_path"), text("read_path"), text("update_path"))}
	var data map[string]any
	_ = json.Unmarshal([]byte(text("data")), &data) // without it, the id is the name
	inData, _ := data[kind.RowName].(string)
	return found.named(sourceRESTAPI, text("path"), inData, text("id"))
}

// sourceOfRestful reads the state of a restful_resource: its id is the path of the instance,
// which ends with the name; its body has the name, too.
func sourceOfRestful(state map[string]any) (source, error) {
	text := func(name string) string { s, _ := state[name].(string); return s }
	found := source{typ: firstType(text("path"), text("id"), text("read_path"))}
	var id string
	if at := strings.LastIndex(text("id"), "/"); at >= 0 {
		id, _, _ = strings.Cut(text("id")[at+1:], "?")
		if strings.HasSuffix(strings.TrimSuffix(text("id"), "/"+id), "/instance") {
			id = "" // the id is the path of all instances of the type
		}
		if unescaped, err := url.PathUnescape(id); err == nil {
			id = unescaped
		}
	}
	inBody, _ := members(state["body"])[kind.RowName].(string)
	return found.named(sourceRestful, text("path"), inBody, id)
}

// members returns the members of a dynamic value in a state, or of an object that older versions
// of the provider store as JSON.
func members(dynamic any) map[string]any {
	switch x := dynamic.(type) {
	case string:
		var object map[string]any
		_ = json.Unmarshal([]byte(x), &object) // anything but an object has no members
		return object
	case map[string]any:
		if inner, is := x["value"].(map[string]any); is && x["type"] != nil {
			return inner
		}
		return x
	}
	return nil
}

// firstType returns the type in the first path that is a path of instances: /instance/<type>, or
// /rest/instance/<type>/<name>.
func firstType(paths ...string) string {
	for _, path := range paths {
		segments := strings.Split(strings.Trim(path, "/"), "/")
		if at := slices.Index(segments, "instance"); at >= 0 && at+1 < len(segments) && !strings.ContainsAny(segments[at+1], "{$") {
			typ, _, _ := strings.Cut(segments[at+1], "?")
			return typ
		}
	}
	return ""
}
