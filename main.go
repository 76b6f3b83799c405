// Command terraform-provider-enms serves the provider over the plugin protocol.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
)

// version is set by the release.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "serve for a debugger: print the TF_REATTACH_PROVIDERS to use")
	flag.Parse()
	err := providerserver.Serve(context.Background(), provider.New(version), providerserver.ServeOpts{
		Address: "registry.terraform.io/terraform-provider-enms/enms",
		Debug:   *debug,
	})
	if err != nil {
		log.Fatal(err)
	}
}
