// Package helpdesk serves the help desk of the tests, to be tried by hand:
//
//	go run ./bench helpdesk -address 127.0.0.1:8123 -fault edit-not-saved
package helpdesk

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	app "github.com/assay-qa/assay/internal/helpdesk"
)

// Run serves the help desk until ctx ends.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("helpdesk", flag.ContinueOnError)
	f.SetOutput(stderr)
	address := f.String("address", "127.0.0.1:8123", "where it is served")
	var o app.Options
	f.StringVar(&o.Fault, "fault", "", "what is wrong: "+strings.Join(app.Faults(), ", "))
	f.StringVar(&o.Change, "change", "", "what is otherwise: "+strings.Join(app.Changes(), ", "))
	f.BoolVar(&o.Broken, "broken", false, "answers each write with 500")
	if err := f.Parse(args); err != nil {
		return err
	}
	if o.Fault != "" && !slices.Contains(app.Faults(), o.Fault) || o.Change != "" && !slices.Contains(app.Changes(), o.Change) {
		return fmt.Errorf("there is no fault %q or no change %q; -h lists all", o.Fault, o.Change)
	}
	o.Clock = time.Now
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", *address)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: app.New(o), ReadHeaderTimeout: time.Minute}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // ends Serve
	defer stop()
	fmt.Fprintf(stdout, "http://%s, sign in as %q with %q\n", listener.Addr(), app.User, app.Password)
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
