// Package docstest tests the documentation: that the links of pages lead somewhere, that
// Terraform plans what pages show, that examples and modules work, that "Troubleshooting" has
// an entry for each diagnostic, and that each row of the comparison in README.md is tested. It
// holds nothing but tests.
package docstest
