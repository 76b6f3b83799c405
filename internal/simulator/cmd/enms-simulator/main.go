// Command enms-simulator serves a simulated eNMS until it is told to stop: 4.7 on
// SQLite, unless its flags say otherwise.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run serves until ctx ends and gives the exit code: 0 after a clean stop, 1 when
// it could not serve, 2 for wrong arguments.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("enms-simulator", flag.ContinueOnError)
	flags.SetOutput(stderr)
	listen := flags.String("listen", "127.0.0.1:5000", "address to listen on; port 0 picks a free one")
	opts := simulator.Options{Log: stderr}
	serverFlags(flags, &opts)
	rules := flags.String("faults", "", "file of rules (JSON) for requests that are to go wrong; see internal/simulator/faults")
	data := flags.String("data", "", "file of instances (JSON) to begin with, and to write back at the end")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "unexpected argument %q\n", flags.Arg(0))
		return 2
	}
	server := simulator.New(opts)
	handler, err := spoiled(server, *rules)
	if err == nil {
		err = load(server, *data)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 2
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", *listen)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	fmt.Fprintf(stdout, "listening on http://%s (user admin, password admin)\n", listener.Addr())
	if err := errors.Join(serve(ctx, listener, handler), save(server, *data)); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// serve answers until ctx ends, then lets the requests under way finish.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(patience); err != nil {
		return server.Close()
	}
	return nil
}

// serverFlags declares a flag for each option, whose values go into opts.
func serverFlags(flags *flag.FlagSet, opts *simulator.Options) {
	flags.DurationVar(&opts.Latency, "latency", 0, "what each authenticated request costs, such as 250ms")
	flags.BoolVar(&opts.Serial, "serial", false, "each of the -workers answers one request at a time, as an eNMS process does")
	flags.IntVar(&opts.RunPolls, "run-polls", 0, "questions about the result of an asynchronous run that find it running")
	flags.Func("database", "sqlite, postgresql, mariadb or mariadb-utf8 (default sqlite)", func(name string) error {
		database, err := simulator.ParseDatabase(name)
		opts.Database = database
		return err
	})
	flags.Func("version", "version of eNMS: 4.7 or 5.3 (default 4.7)", func(name string) error {
		version, known := map[string]simulator.Version{"4.7": simulator.V47, "5.3": simulator.V53}[name]
		opts.Version = version
		if !known {
			return errors.New("not one of 4.7, 5.3")
		}
		return nil
	})
	flags.IntVar(&opts.Workers, "workers", 1, "processes that answer in turn")
	flags.BoolVar(&opts.StaleReads, "stale-reads", false, "a worker that refused a request answers the next one from the database as it was then")
	flags.BoolVar(&opts.NoMatch403, "no-match-403", false, "a query without a match is 403, unless it asks for allow_none")
	flags.Func("missing-fields", "properties that the server does not know, such as service.disabled,task.pools", func(list string) error {
		opts.MissingFields = strings.Split(list, ",")
		return opts.Check()
	})
	flags.BoolVar(&opts.SiteTypes, "site-types", false, "there are types of a site's own: rack, collector and site_service")
	flags.BoolVar(&opts.CustomProperties, "custom-properties", false, "devices, links, services and tasks have the custom property managed_by, devices also cost_center")
	flags.BoolVar(&opts.Delete403, "delete-403", false, "a deletion that is not allowed is 403")
	flags.IntVar(&opts.RequestLimit, "request-limit", 0, "requests that are answered in each -request-window; 429 beyond, on 5.3 403")
	flags.DurationVar(&opts.RequestWindow, "request-window", 0, "the time that -request-limit is for (default 1m)")
	flags.BoolVar(&opts.NoREST, "no-rest", false, "every path under /rest/ is 404")
	flags.BoolVar(&opts.BrokenLogin, "broken-login", false, "every request with credentials is an error page")
}

// load has a server take up the instances of a file. Without a file, and when there
// is none of that name yet, it stays freshly installed.
func load(server *simulator.Server, name string) error {
	if name == "" {
		return nil
	}
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return writable(name)
	}
	if err != nil {
		return err
	}
	err = server.Load(file)
	_ = file.Close() // it was only read
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return writable(name)
}

// writable makes sure, before a server has anything to lose, that the place of a file can be written to.
func writable(name string) error {
	name, err := target(name)
	if err != nil {
		return err
	}
	probe, err := beside(name)
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// save writes the instances of a server to a file. What was there is replaced at once or not at all.
func save(server *simulator.Server, name string) (err error) {
	if name == "" {
		return nil
	}
	if name, err = target(name); err != nil {
		return err
	}
	file, err := beside(name)
	if err != nil {
		return err
	}
	if info, statErr := os.Stat(name); statErr == nil {
		err = file.Chmod(info.Mode().Perm())
	}
	err = errors.Join(err, server.Save(file), file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(file.Name()))
	}
	return err
}

// target returns the file that a name stands for, which may be a link.
func target(name string) (string, error) {
	resolved, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		return name, nil
	}
	return resolved, err
}

// beside makes a new file that only its owner can read, in the directory of another.
func beside(name string) (*os.File, error) {
	return os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.new")
}

// spoiled puts the faults of a file of rules in front of a server; without a file, none.
func spoiled(server http.Handler, file string) (http.Handler, error) {
	if file == "" {
		return server, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	rules, err := faults.Read(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return faults.New(server, rules...)
}
