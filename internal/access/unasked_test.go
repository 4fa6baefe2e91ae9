package access

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

// What a browser opened ahead is closed when a server ends, what was asked is answered.
func TestUnasked(t *testing.T) {
	var u Unasked
	opened := make(chan bool, 10)
	begun, goOn := make(chan bool), make(chan bool)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		begun <- true
		<-goOn
		_, _ = io.WriteString(w, "done")
	}))
	server.Config.ConnState = func(c net.Conn, s http.ConnState) {
		u.Follow(c, s)
		if s == http.StateNew {
			opened <- true
		}
	}
	server.Start()
	defer server.Close()
	answered := make(chan string, 1)
	go func() {
		r, err := http.Get(server.URL)
		if err != nil {
			answered <- err.Error()
			return
		}
		defer r.Body.Close()
		text, _ := io.ReadAll(r.Body)
		answered <- string(text)
	}()
	<-begun
	<-opened
	open := func() net.Conn {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		<-opened
		return c
	}
	closed := func(c net.Conn) {
		t.Helper()
		if err := c.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("a connection on which nothing was asked: %v", err)
		}
		c.Close()
	}
	ahead := open()
	u.End()
	closed(ahead)
	closed(open()) // it comes while the server ends
	close(goOn)
	if got := <-answered; got != "done" {
		t.Errorf("what was asked before is answered %q", got)
	}
}
