package hub

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/access"
	"github.com/stemma-memory/stemma/internal/metrics"
)

// Listen says where and how a hub is served.
type Listen struct {
	Addr      string
	Cert, Key string // files of a certificate and its key; none is plain http
	Insecure  bool   // plain http to other machines, since something in front encrypts
	Ready     func(url string)
}

// endsWithin is how long requests may take to end once the hub is stopped.
const endsWithin = 20 * time.Second

// Run serves until ctx ends, and lets running requests finish.
func (s *Server) Run(ctx context.Context, l Listen) error {
	if (l.Cert == "") != (l.Key == "") {
		return errors.New("serve a hub: `cert=FILE` and `key=FILE` belong together")
	}
	host, _, err := net.SplitHostPort(l.Addr)
	if err != nil {
		return fmt.Errorf("serve a hub: the address is HOST:PORT: %w", err)
	}
	if ip := net.ParseIP(host); l.Cert == "" && !l.Insecure && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("serve a hub on %s: without `cert=FILE` and `key=FILE` it would send plain text to other "+
			"machines; "+
			"`insecure_http=true` allows that, behind a proxy that encrypts", l.Addr)
	}
	var unasked access.Unasked
	server := &http.Server{
		ConnState: unasked.Follow,
		Handler:   s.Handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: 2 * time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
		// what strangers do to a connection is not logged
		ErrorLog: nil,
	}
	scheme := "http"
	if l.Cert != "" {
		own := &certificate{cert: l.Cert, key: l.Key, log: s.o.Log}
		if err := own.read(); err != nil {
			return fmt.Errorf("serve a hub: %w", err)
		}
		scheme, server.TLSConfig = "https", &tls.Config{GetCertificate: own.get, MinVersion: tls.VersionTLS12}
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", l.Addr)
	if err != nil {
		return fmt.Errorf("serve a hub: %w", err)
	}
	telling, hush := context.WithCancel(context.WithoutCancel(ctx))
	var refused sync.WaitGroup
	refused.Go(func() { s.o.Traces.Run(telling) })
	refused.Go(func() { metrics.Run(telling, s.o.Sends, s.list) })
	defer func() { hush(); refused.Wait() }()
	if l.Ready != nil {
		l.Ready(scheme + "://" + listener.Addr().String())
	}
	ended := make(chan error, 1)
	go func() {
		if scheme == "https" {
			ended <- server.ServeTLS(listener, "", "")
			return
		}
		ended <- server.Serve(listener)
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), endsWithin)
	defer cancel()
	unasked.End()
	err = server.Shutdown(last)
	s.Settle()
	<-ended // it says that it was closed
	return err
}
