// Package faultstest tests the provider against what goes wrong: requests and answers that get
// lost, answers that cannot be, and processes that are killed. It holds nothing but tests.
package faultstest
