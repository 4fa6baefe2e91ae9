package mcpserver

import (
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// The library reads the number of a request as a whole one of 64 bits, through one with a fraction: 1.5 came back as 1,
// and 9007199254740993 as another number. Numbers that it would change go through it as texts.
const asNumber = "\x00number:"

var smallWhole = lazy.Regexp(`^-?(0|[1-9][0-9]{0,14})$`)

// keepID returns the id of a request as the library can keep it, from how it was written.
func keepID(raw json.RawMessage) (id jsonrpc.ID, changed bool) {
	text := strings.TrimSpace(string(raw))
	if text == "" || text == "null" || text[0] == '"' || smallWhole.Get().MatchString(text) {
		return jsonrpc.ID{}, false
	}
	id, err := jsonrpc.MakeID(asNumber + text)
	return id, err == nil
}

// isKept reports whether an id goes through the library as a text.
func isKept(id jsonrpc.ID) bool {
	text, is := id.Raw().(string)
	return is && strings.HasPrefix(text, asNumber)
}

// writtenID is an id as the client wrote it.
func writtenID(id jsonrpc.ID) (json.RawMessage, error) {
	if isKept(id) {
		return json.RawMessage(strings.TrimPrefix(id.Raw().(string), asNumber)), nil
	}
	return json.Marshal(id.Raw())
}

// keepIDs puts ids that the library would change into its keeping: that of a request, and the one that a cancellation
// names.
func keepIDs(r *jsonrpc.Request, text []byte) {
	var m struct {
		ID     json.RawMessage
		Params struct {
			RequestID json.RawMessage `json:"requestId"`
		}
	}
	if json.Unmarshal(text, &m) != nil {
		return
	}
	if id, changed := keepID(m.ID); changed && r.IsCall() {
		r.ID = id
	}
	if r.Method != methodCancelled {
		return
	}
	id, changed := keepID(m.Params.RequestID)
	var params map[string]json.RawMessage
	if !changed || json.Unmarshal(r.Params, &params) != nil {
		return
	}
	if params["requestId"], _ = json.Marshal(id.Raw()); params["requestId"] != nil {
		r.Params, _ = json.Marshal(params)
	}
}

const methodCancelled = "notifications/cancelled"

// cancels returns the id of the request that a notification cancels.
func cancels(r *jsonrpc.Request) (id jsonrpc.ID, is bool) {
	var m struct {
		RequestID any `json:"requestId"`
	}
	if r.Method != methodCancelled || json.Unmarshal(r.Params, &m) != nil || m.RequestID == nil {
		return id, false
	}
	id, err := jsonrpc.MakeID(m.RequestID)
	return id, err == nil
}

// withID is an answer with the id as the client wrote it.
func withID(text []byte, id jsonrpc.ID) ([]byte, error) {
	var m map[string]json.RawMessage
	err := json.Unmarshal(text, &m)
	if err == nil {
		m["id"], err = writtenID(id)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(m)
}
