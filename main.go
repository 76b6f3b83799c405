// Command terraform-provider-enms serves the provider over the plugin protocol, exports a
// server as configuration, or prints the JSON Schema of a directory of YAML.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/export"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/yamldir"
)

// version is set by the release.
var version = "dev"

// address is the provider's in the registry.
const address = "registry.terraform.io/terraform-provider-enms/enms"

// The cost of a plan of thousands of instances is this process's memory and
// logging, hardly anything else.
const (
	// gcPercent is the garbage collector's target, as GOGC: a plan allocates much
	// that is used once.
	gcPercent = 300
	// sdkLog is the environment variable with the log level of the framework.
	sdkLog = "TF_LOG_SDK"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "export" {
		os.Exit(runExport(os.Args[2:]))
	}
	if len(os.Args) > 1 && os.Args[1] == "json-schema" {
		os.Exit(yamldir.Main(os.Args[2:], kinds.All(), os.Stdout, os.Stderr))
	}
	attach := flag.Bool("debug", false, "serve for a debugger: print the TF_REATTACH_PROVIDERS to use")
	flag.Parse()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if err := silenceSDK(); err != nil {
		log.Fatal(err)
	}
	server, err := provider.NewServer(version)
	if err != nil {
		log.Fatal(err)
	}
	var options []tf6server.ServeOpt
	if *attach {
		options = append(options, tf6server.WithManagedDebug())
	}
	if err := tf6server.Serve(address, func() tfprotov6.ProviderServer { return server }, options...); err != nil {
		log.Fatal(err)
	}
}

// runExport runs the command export until it is done or interrupted, and returns its exit
// status.
func runExport(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return export.Main(ctx, args, version, os.Stdout, os.Stderr, func() (*resources.Provider, []string, error) {
		return provider.FromEnvironment(version)
	})
}

// silenceSDK turns off the framework's log unless the environment asks for one: Terraform
// reads the same variables, and would discard it.
func silenceSDK() error {
	for _, variable := range []string{"TF_LOG", "TF_LOG_PROVIDER", sdkLog} {
		if os.Getenv(variable) != "" {
			return nil
		}
	}
	return os.Setenv(sdkLog, "off")
}
