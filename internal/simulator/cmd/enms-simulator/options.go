// The flags that say what kind of server is simulated: a switch of
// simulator.Options each.

package main

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// choice declares a flag that is one of some words.
func choice[T any](flags *flag.FlagSet, value *T, name, usage string, words map[string]T) {
	flags.Func(name, usage, func(text string) error {
		chosen, known := words[text]
		if !known {
			return fmt.Errorf("not one of %s", strings.Join(slices.Sorted(maps.Keys(words)), ", "))
		}
		*value = chosen
		return nil
	})
}

// serverFlags declares a flag for each option, whose values go into opts.
func serverFlags(flags *flag.FlagSet, opts *simulator.Options) {
	flags.DurationVar(&opts.Latency, "latency", 0, "what each authenticated request costs, such as 250ms")
	flags.BoolVar(&opts.Serial, "serial", false, "answer one request at a time, as one eNMS process does")
	flags.IntVar(&opts.RunPolls, "run-polls", 0, "questions about the result of an asynchronous run that find it running")
	flags.Func("database", "sqlite, postgresql, mariadb or mariadb-utf8 (default sqlite)", func(name string) error {
		database, err := simulator.ParseDatabase(name)
		opts.Database = database
		return err
	})
	flags.IntVar(&opts.Workers, "workers", 1, "processes that answer in turn")
	flags.BoolVar(&opts.StaleReads, "stale-reads", false, "a worker that refused a request answers the next one from the database as it was then")
	flags.BoolVar(&opts.NoMatch403, "no-match-403", false, "a query without a match is 403, unless it asks for allow_none")
	flags.BoolVar(&opts.AllowNone500, "allow-none-500", false, "a query that asks for allow_none is 500")
	flags.Func("missing-fields", "properties that the server does not know, such as service.disabled,task.pools", func(list string) error {
		opts.MissingFields = strings.Split(list, ",")
		return opts.Check()
	})
	flags.BoolVar(&opts.NoNode, "no-node", false, "there is no type node")
	flags.BoolVar(&opts.GenericDevice, "generic-device", false, "devices are of type generic_device; there is no type node")
	flags.BoolVar(&opts.SiteTypes, "site-types", false, "there are types of a site's own: rack, collector and site_service")
	flags.BoolVar(&opts.IgnoreNewName, "ignore-new-name", false, "new_name is an unknown property")
	flags.BoolVar(&opts.SoftDeleted, "soft-deleted", false, "services have a flag soft_deleted")
	flags.BoolVar(&opts.CommitFailures, "commit-failures", false, "what the database refuses is a failure of the entry instead of 500")
	choice(flags, &opts.DeleteAnswer, "delete-answer", "what a deletion answers: whole, properties or null (default whole)",
		map[string]simulator.DeleteAnswer{"whole": simulator.DeletedWhole, "properties": simulator.DeletedProperties, "null": simulator.DeletedNull})
	choice(flags, &opts.DeleteRefusal, "delete-refusal", "what a deletion answers that is not allowed: aborted, 403 or alert (default aborted)",
		map[string]simulator.DeleteRefusal{"aborted": simulator.RefusalAborted, "403": simulator.RefusalForbidden, "alert": simulator.RefusalAlert})
	flags.IntVar(&opts.RequestLimit, "request-limit", 0, "requests that are answered in each -request-window; 429 beyond")
	flags.DurationVar(&opts.RequestWindow, "request-window", 0, "the time that -request-limit is for (default 1m)")
	flags.BoolVar(&opts.NoREST, "no-rest", false, "every path under /rest/ is 404")
	flags.BoolVar(&opts.BrokenLogin, "broken-login", false, "every request with credentials is an error page")
}
