// Command terraform-provider-enms serves the provider over the plugin protocol.
package main

import (
	"flag"
	"log"
	"os"
	"runtime/debug"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/protocol"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
)

// version is set by the release.
var version = "dev"

// address is the provider's in the registry.
const address = "registry.terraform.io/terraform-provider-enms/enms"

// The cost of a plan of thousands of instances is this process's memory and
// logging, hardly anything else.
const (
	// garbage is how much the heap may grow before it is collected, in percent
	// of what is in use: a plan makes much that is used once.
	garbage = 300
	// sdkLog is the variable that says what the framework logs.
	sdkLog = "TF_LOG_SDK"
)

func main() {
	attach := flag.Bool("debug", false, "serve for a debugger: print the TF_REATTACH_PROVIDERS to use")
	flag.Parse()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	if err := hush(); err != nil {
		log.Fatal(err)
	}
	server, err := provider.NewServer(version)
	if err != nil {
		log.Fatal(err)
	}
	var options []tf6server.ServeOpt
	served := protocol.WarnOnce(server)
	if *attach {
		options = append(options, tf6server.WithManagedDebug())
		served = server // for any number of runs
	}
	if err := tf6server.Serve(address, func() tfprotov6.ProviderServer { return served }, options...); err != nil {
		log.Fatal(err)
	}
}

// hush keeps the framework from writing its trace when Terraform, which is told
// what to show by the same variables, would throw it away.
func hush() error {
	for _, variable := range []string{"TF_LOG", "TF_LOG_PROVIDER", sdkLog} {
		if os.Getenv(variable) != "" {
			return nil
		}
	}
	return os.Setenv(sdkLog, "off")
}
