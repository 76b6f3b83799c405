// Package policies tests the policies among the examples with OPA. It holds nothing but tests.
package policies
