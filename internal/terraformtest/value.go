// Values of the protocol, and of HCL as values of the protocol.

package terraformtest

import (
	"bytes"
	"encoding/json"
	"maps"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	ctymsgpack "github.com/zclconf/go-cty/cty/msgpack"
)

// Members returns the members of an object or a map. A null or unknown value has none.
func Members(v tftypes.Value) map[string]tftypes.Value {
	members := map[string]tftypes.Value{}
	if v.IsNull() || !v.IsKnown() {
		return members
	}
	if err := v.As(&members); err != nil {
		panic(err)
	}
	return maps.Clone(members) // As hands out the value's own map
}

// GoValue returns a value as encoding/json has it, with numbers as json.Number; nil for a null or unknown value.
func GoValue(v tftypes.Value) any {
	if v.IsNull() {
		return nil
	}
	return jsonOf(cty.UnknownAsNull(ctyValue(v)))
}

// Encode encodes a value for a request.
func Encode(v tftypes.Value) *tfprotov6.DynamicValue {
	d, err := tfprotov6.NewDynamicValue(v.Type(), v)
	if err != nil {
		panic(err)
	}
	return &d
}

// Decode decodes a value of a response.
func Decode(typ tftypes.Type, d *tfprotov6.DynamicValue) tftypes.Value {
	if d == nil {
		return tftypes.NewValue(typ, nil)
	}
	v, err := d.Unmarshal(typ)
	if err != nil {
		panic(err)
	}
	return v
}

// protocolValue returns a value of HCL that has a type of the protocol.
func protocolValue(v cty.Value, typ tftypes.Type) tftypes.Value {
	packed, err := ctymsgpack.Marshal(v, ctyType(typ))
	if err != nil {
		panic(err)
	}
	return Decode(typ, &tfprotov6.DynamicValue{MsgPack: packed})
}

// ctyValue returns a value of the protocol as HCL has it.
func ctyValue(v tftypes.Value) cty.Value {
	value, err := ctymsgpack.Unmarshal(Encode(v).MsgPack, ctyType(v.Type()))
	if err != nil {
		panic(err)
	}
	return value
}

// jsonOf returns a known value as encoding/json has it.
func jsonOf(v cty.Value) (value any) {
	written, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		panic(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(written))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		panic(err)
	}
	return value
}

// ctyType returns a type of the protocol as HCL has it.
func ctyType(typ tftypes.Type) cty.Type {
	switch typ := typ.(type) {
	case tftypes.List:
		return cty.List(ctyType(typ.ElementType))
	case tftypes.Set:
		return cty.Set(ctyType(typ.ElementType))
	case tftypes.Map:
		return cty.Map(ctyType(typ.ElementType))
	case tftypes.Tuple:
		types := make([]cty.Type, len(typ.ElementTypes))
		for i, member := range typ.ElementTypes {
			types[i] = ctyType(member)
		}
		return cty.Tuple(types)
	case tftypes.Object:
		types := map[string]cty.Type{}
		for name, member := range typ.AttributeTypes {
			types[name] = ctyType(member)
		}
		return cty.Object(types)
	}
	switch {
	case typ.Is(tftypes.String):
		return cty.String
	case typ.Is(tftypes.Number):
		return cty.Number
	case typ.Is(tftypes.Bool):
		return cty.Bool
	}
	return cty.DynamicPseudoType
}
