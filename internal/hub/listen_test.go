package hub

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A hub that is stopped does not wait for who has connected and said nothing.
func TestAHubEndsBesideSilence(t *testing.T) {
	p := serveHub(t, openHub(t, filepath.Join(t.TempDir(), "hub.db")))
	ctx, stop := context.WithCancel(t.Context())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- p.server.Run(ctx, Listen{Addr: "127.0.0.1:0", Ready: func(url string) { ready <- url }})
	}()
	c, err := net.Dial("tcp", strings.TrimPrefix(<-ready, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	stop()
	if err := c.SetReadDeadline(time.Now().Add(4 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("who said nothing keeps the hub: %v", err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
