package serve

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
)

// Who begins a request and never ends it is hung up on, at its head or in its body,
// and others are answered meanwhile.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	r := start(t)
	at, err := url.Parse(r.url)
	if err != nil {
		t.Fatal(err)
	}
	head := "POST %s HTTP/1.1\r\nHost: " + at.Host + "\r\n"
	body := head + "Authorization: Bearer " + r.tokens.Agent +
		"\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: " +
		"1000\r\n\r\n{\"text\":"
	for name, sent := range map[string]string{
		"a head": fmt.Sprintf(head, "/v1/capture"), "a body": fmt.Sprintf(body, "/v1/capture"),
		"a body for MCP": fmt.Sprintf(body, "/mcp"), "a body for the page": fmt.Sprintf(body, "/ui/graph"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := net.Dial("tcp", at.Host)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := io.WriteString(c, sent); err != nil {
				t.Fatal(err)
			}
			if got, _ := r.do(
				t, http.DefaultClient, "POST", "/v1/stats", "", "Authorization: Bearer "+r.tokens.Agent,
			); got.StatusCode != http.StatusOK {
				t.Errorf("another client is answered %d meanwhile", got.StatusCode)
			}
			if err := c.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
			said, err := io.ReadAll(c)
			if errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error("nobody hung up on it")
			}
			if name == "a body" && !strings.HasPrefix(string(said), "HTTP/1.1 408 ") {
				t.Errorf("it is told %.200q, want that it took too long", said)
			}
		})
	}
}
