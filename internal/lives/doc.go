// Package lives tests the provider with random lives: configurations that grow and
// change, others who write to the same eNMS, faults, and processes that are killed. A
// model of Terraform's core drives the provider over its protocol, and after each step
// the laws of the provider are checked.
//
// There is nothing here but tests. To read them, begin with life_test.go, which plays a
// life:
//
//	steps_test.go          the steps of a life: what is edited, applied, and done by others
//	configuration_test.go  what a configuration is, and how steps edit it
//	generator_test.go      random lives
//	terraform_test.go      the working directory of a life, with the model of Terraform
//	hcl_test.go            configurations in HCL, which the model reads
//	server_test.go         the simulated eNMS, and what it holds
//	laws_test.go           the laws
//	remedies_test.go       doing what an error says must be done
//	shrink_test.go         the shortest life that still breaks a law
//	lives_test.go          the tests: random lives
//	oldlives_test.go       lives that broke a law once
//	model_test.go          the comparison of the model of Terraform with the real one
package lives
