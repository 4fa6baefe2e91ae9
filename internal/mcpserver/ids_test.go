package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"
)

// Ids as clients may write them; the last ones begin with the mark of those that are kept.
var manyIDs = []string{
	`2`, `-7`, `0`, `-0`, `1.5`, `2.50`, `1e3`, `1e400`, `9007199254740993`, `123456789012345678901234567890`, `-0.25`,
	`"a"`, `"1.5"`, `""`, `"` + asWritten + `1.5"`, `"` + asWritten + `\"x\u0000"`, `"\u0069` + asWritten[1:] + `1.5"`,
}

// What is kept goes through the library as a text, and is written as it came.
func TestKeptIDsAreWrittenAsTheyCame(t *testing.T) {
	ordinary := []string{
		`{"jsonrpc":"2.0","id":7,"method":"ping"}`, `{"id":1.5,"result":{}}`, `[]`, `1.5`, `"` + asWritten + `"`,
		`{"id":"1.5","method":"x","params":{"id":1.5,"requestId":2.5,"arguments":{"id":1e3,"progressToken":1.5}}}`,
		`{"id":true,"method":"x"}`, `{"id":null,"method":"x","params":[1.5]}`,
		`{"id":[1.5],"method":"x","params":{"_meta":[]}}`,
	}
	for _, text := range ordinary {
		if got, changed := keep([]byte(text)); changed || string(got) != text {
			t.Errorf("%s became %s", text, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom(manyIDs)
		one := func() string {
			return `{"params": {"_meta":{"a":"}\"","progressToken":` + id.Draw(t, "token") +
				`},"requestId":` + id.Draw(t, "request") +
				` },"jsonrpc":"2.0","method":"notifications\/cancelled" , "\u0069d" : ` + id.Draw(t, "id") + "}"
		}
		text := one()
		if rapid.Bool().Draw(t, "list") {
			text = " [" + text + " , " + one() + "]"
		}
		kept, _ := keep([]byte(text))
		if !json.Valid(kept) || len(kept) > mostGrown*len(text) {
			t.Fatalf("%s became %s", text, kept)
		}
		for one := range strings.SplitSeq(string(kept), `"jsonrpc"`) {
			for _, number := range []string{"1.5", "1e", "2.50", "993", "890", "-0"} {
				if strings.Contains(strings.ReplaceAll(one, asWritten+number, ""), ":"+number) {
					t.Fatalf("a number is left in %s", kept)
				}
			}
		}
		if got := written(kept); string(got) != text {
			t.Fatalf("%s came back as %s", text, got)
		}
	})
	if got := written([]byte(`{"message":"duplicate ` + asWritten + `1.5, \"` + asWritten + `\""}`)); string(got) !=
		`{"message":"duplicate 1.5, \"\""}` {
		t.Errorf("in words it is written as %s", got)
	}
}

// No list of requests becomes longer than the library may read.
func TestKeptIDsAreBounded(t *testing.T) {
	for _, one := range []string{
		`{"id":-0,"method":0},`, `{"method":0,"params":{"_meta":{"progressToken":-0}},"id":-0},`,
		`{"method":0,"id":"` + asWritten + strings.Repeat(`\"`, 1000) + `"},`,
		`{"method":0,"id":"` + asWritten + strings.Repeat(`\u0000`, 1000) + `"},`,
	} {
		text := "[" + strings.Repeat(one, MaxRequest/len(one)) + "0]"
		if kept, _ := keep([]byte(text)); len(kept) >= mostGrown*len(text) || len(kept) <= len(text) {
			t.Errorf("%.60s: %d bytes became %d", one, len(text), len(kept))
		}
	}
}

// An answer has the id of its request to the digit, whatever number or text that is; what was cancelled is not answered
// by an error, and the server goes on.
func TestIDsComeBackAsTheyWere(t *testing.T) {
	in := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
			`"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
	for _, id := range manyIDs {
		in = append(in, `{"jsonrpc":"2.0","id":`+id+`,"method":"ping","params":{"_meta":{"progressToken":`+id+`}}}`)
	}
	in = append(in, `{"jsonrpc":"2.0","id":2.25,"method":"nosuch"}`,
		`{"jsonrpc":"2.0","id":7.75,"method":"tools/call","params":{"name":"status","arguments":{}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7.75}}`,
		`{"jsonrpc":"2.0","id":99,"method":"ping"}`)
	var out bytes.Buffer
	err := Serve(t.Context(), strings.NewReader(strings.Join(in, "\n")+"\n"), &out, Options{Open: opener(t)})
	if err != nil {
		t.Fatal(err)
	}
	said := out.String()
	for _, id := range append(manyIDs, "99") {
		if id == manyIDs[len(manyIDs)-1] { // as a text it is another that begins with the mark
			continue
		}
		if !strings.Contains(said, `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`+"\n") {
			t.Errorf("no answer to %s", id)
		}
	}
	if !strings.Contains(said, `"id":2.25`) || !strings.Contains(said, "-32601") {
		t.Errorf("an error has another id")
	}
	for line := range strings.Lines(said) {
		if strings.Contains(line, "7.75") && strings.Contains(line, `"error"`) {
			t.Errorf("who cancelled was answered: %s", line)
		}
	}
	if t.Failed() {
		t.Log(said)
	}
}

// The same over HTTP: in streams, in errors, in lists of requests, with a session and without one.
func TestIDsComeBackAsTheyWereOverHTTP(t *testing.T) {
	s := wired(t, Options{})
	begun, said := post(t, s, "a", strings.Replace(hello, `"id":1,`, `"id":1.50,`, 1))
	if !strings.Contains(said, `"id":1.50,`) {
		t.Errorf("the first answer is %s", said)
	}
	session := []string{sessionHeader, begun.Header.Get(sessionHeader), versionHeader, "2025-11-25"}
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":1e3,` +
		`"io.modelcontextprotocol/clientInfo":{"name":"late","version":"3"},"io.modelcontextprotocol/clientCapabilities":{}}`
	late := []string{versionHeader, "2026-07-28", "Mcp-Method", "tools/list"}
	for _, id := range manyIDs {
		for _, r := range []struct {
			body, want string
			header     []string
		}{
			{`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`, `"id":` + id + `,"result":{}}`, session},
			{`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"nosuch"}}`,
				`"id":` + id + `,"error":`, session},
			{`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/list","params":{` + meta + `}}`,
				`"id":` + id + `,"result":`, late},
			{`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/list"}`, `"id":` + id + `,"error":`, late},
			{`{"jsonrpc":"2.0","id":` + id + `,"method":"subscriptions/listen","params":{"notifications":{},` + meta + `}}`,
				`subscriptionId":` + id, []string{versionHeader, "2026-07-28", "Mcp-Method", "subscriptions/listen"}},
		} {
			_, said := post(t, s, "a", r.body, r.header...)
			if left := strings.Contains(said, asWritten) && !strings.Contains(id, asWritten[1:]); left ||
				!strings.Contains(said, r.want) {
				t.Errorf("%s is answered by %s", r.body, said)
			}
		}
	}
	begun, _ = post(t, s, "a", strings.Replace(hello, "2025-11-25", "2025-03-26", 1))
	_, said = post(t, s, "a", `[{"jsonrpc":"2.0","id":1.5,"method":"ping"}, {"jsonrpc":"2.0","id":3,"method":"ping"},`+
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}]`, sessionHeader, begun.Header.Get(sessionHeader))
	for _, id := range []string{"1.5", "3", "9007199254740993"} {
		if !strings.Contains(said, `"id":`+id+`,"result":{}}`) {
			t.Errorf("a list of requests is answered by %s", said)
		}
	}
}

// A request whose ids are kept may be as long as any, and no longer. What follows a message is no message.
func TestKeptIDsChangeNoLimit(t *testing.T) {
	s := wired(t, Options{})
	begun, _ := post(t, s, "a", hello)
	ping := func(size int, id, more string) int {
		body := `{"jsonrpc":"2.0","id":` + id + `,"method":"ping","params":{"_meta":{"x":""}}}`
		body = strings.Replace(body, `""`, `"`+strings.Repeat("x", size-len(body)-len(more))+`"`, 1) + more
		got, _ := post(t, s, "a", body, sessionHeader, begun.Header.Get(sessionHeader), versionHeader, "2025-11-25")
		return got.StatusCode
	}
	for _, id := range []string{"3", "1.5"} {
		got := []int{ping(MaxRequest, id, ""), ping(MaxRequest+1, id, ""), ping(200, id, "x"), ping(200, id, "{}")}
		if !slices.Equal(got, []int{200, 413, 400, 400}) {
			t.Errorf("with the id %s the answers are %v", id, got)
		}
	}
}

// waiting is a server on which a call tells of its progress and then waits until it is cancelled.
func waiting(t *testing.T, session func() string) (s *mcp.Server, ended chan error) {
	s, err := server(Options{}, session)
	if err != nil {
		t.Fatal(err)
	}
	ended = make(chan error, 1)
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			r, is := req.(*mcp.CallToolRequest)
			if !is {
				return next(ctx, method, req)
			}
			err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken()})
			if err != nil {
				t.Error(err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(time.Minute):
			}
			ended <- ctx.Err()
			return nil, ctx.Err()
		}
	})
	return s, ended
}

// A client that asks for progress finds its own token, and the request whose id it names stops: over a pipe.
func TestKeptIDsAreCancelled(t *testing.T) {
	for _, id := range []string{"3", "1.5", "9007199254740993", `"` + asWritten + `1.5"`} {
		s, ended := waiting(t, nil)
		in, client := io.Pipe()
		answers, out := io.Pipe()
		go func() { _ = s.Run(t.Context(), &pipe{in, out, newHeld()}) }()
		lines := json.NewDecoder(answers)
		next := func() string {
			var line json.RawMessage
			if err := lines.Decode(&line); err != nil {
				t.Fatal(err)
			}
			return string(line)
		}
		say := func(text string) {
			if _, err := io.WriteString(client, text+"\n"); err != nil {
				t.Fatal(err)
			}
		}
		say(hello)
		next()
		say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		say(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"status","_meta":` +
			`{"progressToken":` + id + `}}}`)
		if said := next(); !strings.Contains(said, `"progressToken":`+id) {
			t.Errorf("progress is named by %s", said)
		}
		say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
		stopped(t, id, ended)
		_ = client.Close()
	}
}

// stopped waits until a call that was cancelled ends.
func stopped(t *testing.T, id string, ended <-chan error) {
	t.Helper()
	select {
	case err := <-ended:
		if err == nil {
			t.Errorf("the call %s was not cancelled", id)
		}
	case <-time.After(30 * time.Second):
		t.Fatalf("the call %s goes on", id)
	}
}

// The same over HTTP, by a message of its own; since 2026-07-28 a client cancels by hanging up.
func TestKeptIDsAreCancelledOverHTTP(t *testing.T) {
	for _, id := range []string{"3", "1.5", "9007199254740993", `"` + asWritten + `1.5"`} {
		o := Options{Caller: func(*http.Request) (Caller, error) { return Caller{ID: "a"}, nil }}
		made, err := Handler(o)
		if err != nil {
			t.Fatal(err)
		}
		h := made.(*handler)
		mine, ended := waiting(t, func() string { return h.sign("a", "n") })
		h.servers["a"] = mine
		s := httptest.NewServer(h)
		begun, _ := post(t, s, "a", hello)
		header := []string{sessionHeader, begun.Header.Get(sessionHeader), versionHeader, "2025-11-25"}
		post(t, s, "a", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, header...)
		call := `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"status","_meta":` +
			`{"progressToken":` + id
		stream := begin(t, t.Context(), s.URL, call+"}}}", header...)
		event := make([]byte, 1000) // comes before the answer: nothing waits for more
		n, err := stream.Read(event)
		if said := string(event[:n]); err != nil || !strings.Contains(said, `"progressToken":`+id) {
			t.Errorf("progress is named by %q: %v", said, err)
		}
		if _, said := post(t, s, "a", call+"}}}", header...); !strings.Contains(said, "duplicate") ||
			!strings.Contains(said, `"id":`+id) || strings.Contains(said, asWritten) && !strings.Contains(id, asWritten) {
			t.Errorf("the same id again is answered by %s", said)
		}
		post(t, s, "a", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+id+`}}`, header...)
		stopped(t, id, ended)
		if rest, err := io.ReadAll(stream); err != nil || !strings.Contains(string(rest), `"id":`+id+`,"error"`) {
			t.Errorf("what was cancelled is answered by %s: %v", rest, err)
		}
		ctx, hangUp := context.WithCancel(t.Context())
		begin(t, ctx, s.URL, call+`,"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientInfo":{"name":"late","version":"3"},`+
			`"io.modelcontextprotocol/clientCapabilities":{}}}}`,
			versionHeader, "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "status")
		hangUp()
		stopped(t, id, ended)
		s.CloseClientConnections()
		s.Close()
	}
}

// begin posts a message, and returns the stream of the answer.
func begin(t *testing.T, ctx context.Context, url, body string, header ...string) io.ReadCloser {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = got.Body.Close() })
	return got.Body
}

// An ordinary request is looked through once, and not copied.
func BenchmarkKeep(b *testing.B) {
	text := []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"remember",` +
		`"_meta":{"progressToken":7},"arguments":{"text":"` +
		strings.Repeat("words of a test ", 60) + `","tags":["a","b"]}}}`)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, changed := keep(text); changed {
			b.Fatal("it was changed")
		}
	}
}
