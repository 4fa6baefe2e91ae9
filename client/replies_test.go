package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/client"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// asking starts a server and returns a client of it, with the store's directory.
func asking(t *testing.T) (c *client.Client, dir string) {
	t.Helper()
	dir = t.TempDir()
	url, token, stop, err := server(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return client.New(url, token), dir
}

// A newer server is one whose replies have changed on the way.
type newer struct{ old, new string }

func (n newer) RoundTrip(r *http.Request) (*http.Response, error) {
	got, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	got.Body = io.NopCloser(bytes.NewReader(bytes.Replace(body, []byte(n.old), []byte(n.new), 1)))
	return got, err
}

// The reply that a caller wants is the operation's, under each of its names. Where it is
// another, nothing is asked.
func TestDoRefusesAnotherReply(t *testing.T) {
	c, _ := asking(t)
	capture := api.CaptureRequest{Text: "the API felt slow today"}
	for _, name := range []string{"capture", "memory_capture"} {
		_, err := client.Do[api.CaptureRequest, api.SearchReply](t.Context(), c, name, capture)
		want := name + ": the reply is api.WriteReply, not api.SearchReply: nothing was asked"
		if !errors.Is(err, api.ErrInvalid) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		if _, err := client.Do[api.CaptureRequest, *api.WriteReply](t.Context(), c, name, capture); err == nil {
			t.Errorf("%s: a pointer is taken for the reply", name)
		}
	}
	if all, err := c.List(t.Context(), api.ListRequest{Kind: "raw"}); err != nil || len(all.Memories) != 0 {
		t.Errorf("what was refused was asked: %d records, %v", len(all.Memories), err)
	}
	_, err := client.Do[api.CaptureRequest, struct{ Ref string }](t.Context(), c, "captured", capture)
	if !errors.Is(err, api.ErrNotFound) {
		t.Errorf("an operation that is not known here: %v; the server says what it is", err)
	}
}

// A member that the client does not know is an error which names it, wherever it is. What
// was asked is done, and the text of the reply can be had.
func TestDoRefusesUnknownMembers(t *testing.T) {
	c, _ := asking(t)
	refused := func(what, member string, err error) {
		t.Helper()
		for _, part := range []string{`"` + member + `"`, "update the module"} {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v, want an error with %s", what, err, part)
			}
		}
	}
	c.HTTP = &http.Client{Transport: newer{`{"ref"`, `{"mood":1,"ref"`}}
	capture := api.CaptureRequest{Text: "the API felt slow today"}
	_, err := c.Capture(t.Context(), capture)
	refused("capture", "mood", err)
	_, err = client.Do[api.CaptureRequest, api.WriteReply](t.Context(), c, "capture", capture)
	refused("Do", "mood", err)

	c.HTTP = &http.Client{Transport: newer{`"headline"`, `"moods":[],"headline"`}}
	_, err = c.List(t.Context(), api.ListRequest{Kind: "raw"})
	refused("list", "moods", err)
	text, err := client.Do[api.ListRequest, json.RawMessage](t.Context(), c, "list", api.ListRequest{Kind: "raw"})
	if err != nil || !strings.Contains(string(text), `"moods"`) {
		t.Errorf("the text of a reply: %s, %v", text, err)
	}

	c.HTTP = nil
	if all, err := c.List(t.Context(), api.ListRequest{Kind: "raw"}); err != nil || len(all.Memories) != 2 {
		t.Errorf("%d records, %v; want the two captures, which were done", len(all.Memories), err)
	}

	c.HTTP = &http.Client{Transport: newer{"}\n", "} {}\n"}}
	if _, err := c.Stats(t.Context(), api.Nothing{}); err == nil {
		t.Error("a reply with something after it is taken")
	}
}

// A pack has the bytes that the library gives, in the format that was asked for.
func TestPacks(t *testing.T) {
	c, dir := asking(t)
	if _, err := c.Capture(t.Context(), api.CaptureRequest{Text: "the API felt slow today"}); err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(
		t.Context(), filepath.Join(dir, "memory.db"), engine.Config{Databases: sqlstore.Databases{}, ReadOnly: true},
	)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	here, err := e.Load(t.Context(), api.LoadRequest{})
	if err != nil {
		t.Fatal(err)
	}
	there, err := c.Load(t.Context(), api.LoadRequest{})
	if err != nil || !bytes.Equal(there.Body, here.Body) || !json.Valid(there.Body) {
		t.Errorf("the pack is %q, %v; the library's is %q", there.Body, err, here.Body)
	}
	for _, format := range []string{"text", "markdown"} {
		in := api.ContextRequest{Query: "slow", Format: format}
		here, err := e.Context(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		want, err := here.Render(format, false)
		if err != nil {
			t.Fatal(err)
		}
		there, err := c.Context(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		got, err := there.Render(format, false)
		if err != nil || !bytes.Equal(got, want) || there.Body != nil {
			t.Errorf("the pack is %q, %v; the library's is %q", got, err, want)
		}
		if _, err := there.Render("json", false); !errors.Is(err, api.ErrInvalid) {
			t.Errorf("asked for %s, rendered as JSON: %v", format, err)
		}
	}
	if _, err := c.Context(t.Context(), api.ContextRequest{Format: "runes"}); !errors.Is(err, api.ErrInvalid) {
		t.Errorf("a format there is not: %v", err)
	}
}

// methodNames returns the methods of the engine by the names of the operations that they do.
func methodNames() map[string]string {
	names := map[string]string{}
	for m := range reflect.TypeFor[*engine.Engine]().Methods() {
		if op := ops.NameOf(m.Func.Interface()); op != "" {
			names[op] = m.Name
		}
	}
	return names
}

// What a server writes, the client reads: no operation that only reads has a reply with
// members that its type does not have.
func TestMethodsReadWhatAServerWrites(t *testing.T) {
	c, _ := asking(t)
	kept, err := c.Remember(t.Context(), api.RememberRequest{Text: "We decided to deploy on Mondays", Speaker: "Ada"})
	if err != nil {
		t.Fatal(err)
	}
	note := kept.Memories[0].Ref
	belief, err := c.Consolidate(t.Context(), api.ConsolidateRequest{
		From: []string{note}, Draft: api.Draft{Text: "Mondays are for deploys"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Used(t.Context(), api.UsedRequest{Refs: []string{belief.Ref}}); err != nil {
		t.Fatal(err)
	}
	methods, answered := methodNames(), 0
	for _, op := range ops.All {
		if op.Writes {
			continue
		}
		in := reflect.New(op.In).Elem()
		for member, value := range map[string]any{
			"Ref": belief.Ref, "Refs": []string{belief.Ref}, "Name": "Ada", "Query": "deploy",
		} {
			f := reflect.Value{}
			if in.Kind() == reflect.Struct {
				f = in.FieldByName(member)
			}
			if f.IsValid() && f.Type() == reflect.TypeOf(value) {
				f.Set(reflect.ValueOf(value))
			}
		}
		m := reflect.ValueOf(c).MethodByName(methods[op.Name])
		if !m.IsValid() {
			t.Errorf("%s: there is no method %q", op.Name, methods[op.Name])
			continue
		}
		got := m.Call([]reflect.Value{reflect.ValueOf(context.Context(t.Context())), in})
		err, _ := got[1].Interface().(error)
		var said *client.Error
		switch {
		case err == nil:
			answered++
		case !errors.As(err, &said): // a problem the server may have with such a request
			t.Errorf("%s: %v", op.Name, err)
		}
	}
	const least = 40
	if answered < least {
		t.Errorf("%d operations answered, want at least %d", answered, least)
	}
}
