// Command enms-simulator serves a simulated eNMS until it is told to stop: 4.7 on
// SQLite, unless its flags say otherwise.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
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
