package mcpserver

import (
	"bytes"
	"strings"
	"testing"
)

// An answer has the id of its request to the digit, whatever number or text that is; what was cancelled is not answered
// by an error, and the server goes on.
func TestIDsComeBackAsTheyWere(t *testing.T) {
	ids := []string{
		`2`, `-7`, `1.5`, `2.50`, `1e3`, `9007199254740993`, `123456789012345678901234567890`, `-0.25`, `"a"`, `"1.5"`, `""`,
	}
	in := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
			`"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
	for _, id := range ids {
		in = append(in, `{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`)
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
	for _, id := range append(ids, "99") {
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
