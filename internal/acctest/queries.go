// Requests to data sources and list resources, and the identities in their results.

package acctest

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// IdentityTexts returns the members of an identity that are not null.
func IdentityTexts(c *Core, typ string, data *tfprotov6.ResourceIdentityData) map[string]string {
	c.T.Helper()
	types := map[string]tftypes.Type{}
	for _, a := range c.Identities()[typ].IdentityAttributes {
		types[a.Name] = a.Type
	}
	if data == nil {
		return nil
	}
	v, err := data.IdentityData.Unmarshal(tftypes.Object{AttributeTypes: types})
	if err != nil {
		c.T.Fatal(err)
	}
	texts := map[string]string{}
	for name, member := range Members(c.T, v) {
		if !member.IsNull() {
			texts[name] = TextOf(c.T, member)
		}
	}
	return texts
}

// IdentityOfState returns the identity that follows from a state.
func IdentityOfState(c *Core, typ string, state ResourceState) map[string]string {
	c.T.Helper()
	want := map[string]string{}
	for _, a := range c.Identities()[typ].IdentityAttributes {
		want[a.Name] = state.Text(c.T, a.Name)
	}
	return want
}

// Filter returns a map of strings, in which nil stands for null.
func Filter(members map[string]any) tftypes.Value {
	values := map[string]tftypes.Value{}
	for name, v := range members {
		values[name] = tftypes.NewValue(tftypes.String, v)
	}
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, values)
}

// ReadDataSource reads a data source by a name.
func (c *Core) ReadDataSource(typ, name string) (tftypes.Value, Problems) {
	c.T.Helper()
	return c.ReadDataSourceBy(typ, Attributes{"name": name})
}

// ReadDataSourceBy reads a data source.
func (c *Core) ReadDataSourceBy(typ string, config Attributes) (tftypes.Value, Problems) {
	c.T.Helper()
	return c.process.ReadData(context.Background(), typ, ObjectOf(c.T, c.process.Schema.DataSourceSchemas[typ], config))
}

// Listed returns the instances that a list data source returns.
func Listed(c *Core, typ string, config Attributes) ([]map[string]tftypes.Value, Problems) {
	c.T.Helper()
	answer, diags := c.ReadDataSourceBy(typ, config)
	if diags.Failed() {
		return nil, diags
	}
	var list []tftypes.Value
	if err := Members(c.T, answer)["instances"].As(&list); err != nil {
		c.T.Fatal(err)
	}
	var instances []map[string]tftypes.Value
	for _, v := range list {
		instances = append(instances, Members(c.T, v))
	}
	return instances, diags
}

// TextOf returns a string, a number or a Boolean as a string.
func TextOf(t testing.TB, v tftypes.Value) string {
	t.Helper()
	var text string
	if v.As(&text) == nil {
		return text
	}
	var number *big.Float
	if v.As(&number) == nil {
		return number.String()
	}
	var flag bool
	if err := v.As(&flag); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(flag)
}

// Query is what Terraform asks a list resource for.
type Query struct {
	Type   string
	Config Attributes
	Limit  int64 // 0 for none
	Whole  bool  // with the resources
}

// StreamQuery queries a list resource, and returns its results as they come.
func StreamQuery(ctx context.Context, c *Core, q Query) iter.Seq[tfprotov6.ListResourceResult] {
	c.T.Helper()
	schema, err := c.Provider.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		c.T.Fatal(err)
	}
	config := c.Encode(ObjectOf(c.T, schema.ListResourceSchemas[q.Type], q.Config))
	lists, is := c.Provider.(tfprotov6.ListResourceServer)
	if !is {
		c.T.Fatal("the server lists nothing")
	}
	valid, err := lists.ValidateListResourceConfig(ctx, &tfprotov6.ValidateListResourceConfigRequest{TypeName: q.Type, Config: config})
	if err != nil || Problems(valid.Diagnostics).Failed() {
		c.T.Fatal(err, valid)
	}
	stream, err := lists.ListResource(ctx, &tfprotov6.ListResourceRequest{TypeName: q.Type, Config: config, Limit: q.Limit, IncludeResource: q.Whole})
	if err != nil {
		c.T.Fatal(err)
	}
	return stream.Results
}
