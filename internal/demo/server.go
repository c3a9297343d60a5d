package demo

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// closeGrace says how long Close waits for answers under way. They take
// milliseconds; what is left after it is a browser's spare connection, which
// would never end by itself.
const closeGrace = 500 * time.Millisecond

// Server serves a demo. Close it, or cancel the context given to Start.
type Server struct {
	listener net.Listener
	http     *http.Server
	done     chan struct{} // closed when serving has ended
	serveErr error         // why it ended; read after done
	stop     func() bool   // detaches Start's context
	once     sync.Once
	closeErr error
}

// Start listens on opts.Addr and serves until Close, or until ctx is cancelled.
// An address that other machines could reach is refused.
func Start(ctx context.Context, opts Options) (*Server, error) {
	opts = opts.withDefaults()
	if _, err := opts.variant(); err != nil {
		return nil, err
	}
	addr, err := loopbackAddress(opts.Addr)
	if err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("demo: listen on %s: %w; choose another port, or 0 for any free one", addr, err)
	}
	s := &Server{
		listener: listener,
		http: &http.Server{
			Handler:           Handler(opts),
			ReadHeaderTimeout: 5 * time.Second,
			ReadTimeout:       10 * time.Second,
			WriteTimeout:      10 * time.Second,
			IdleTimeout:       60 * time.Second,
			MaxHeaderBytes:    64 << 10,
			// Without it net/http writes to the process's stderr.
			ErrorLog: slog.NewLogLogger(opts.Log.Handler(), slog.LevelWarn),
		},
		done: make(chan struct{}),
	}
	go s.serve()
	s.stop = context.AfterFunc(ctx, func() {
		if err := s.closeOnce(); err != nil {
			opts.Log.Error("demo: not closed cleanly", "error", err)
		}
	})
	return s, nil
}

func (s *Server) serve() {
	defer close(s.done)
	if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		s.serveErr = fmt.Errorf("demo: serving on %s ended: %w", s.listener.Addr(), err)
	}
}

// URL returns the address of the demo, without a slash at the end.
func (s *Server) URL() string {
	return "http://" + s.listener.Addr().String()
}

// Close lets answers under way finish, for half a second at most, cuts what is
// left and returns when nothing listens any more. It may be called more than
// once and answers the same each time.
func (s *Server) Close() error {
	s.stop()
	return s.closeOnce()
}

func (s *Server) closeOnce() error {
	s.once.Do(func() { s.closeErr = s.shutDown() })
	return s.closeErr
}

func (s *Server) shutDown() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.http.Close() // only idle browsers are left; cutting them is no fault
	}
	<-s.done
	if err != nil {
		err = fmt.Errorf("demo: close %s: %w", s.listener.Addr(), err)
	}
	return errors.Join(s.serveErr, err)
}

// loopbackAddress returns addr with a literal host, or an error when it is not one
// that only this machine can reach.
func loopbackAddress(addr string) (string, error) {
	const remedy = "use 127.0.0.1:PORT or [::1]:PORT; the demo's password is public, so it is never served to other machines"
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return "", fmt.Errorf("demo: address %q is not host:port: %w; %s", addr, err, remedy)
	}
	if host == "localhost" {
		host = "127.0.0.1" // a hosts file could point the name anywhere
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.IsLoopback() {
		return "", fmt.Errorf("demo: address %q is not a loopback address; %s", addr, remedy)
	}
	return net.JoinHostPort(host, port), nil
}
