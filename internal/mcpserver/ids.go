package mcpserver

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/stemma-memory/stemma/internal/strict"
)

// The library reads the number of a request as a whole one of 64 bits, through one with a fraction: 1.5 came back as
// 1, and 9007199254740993 as another number. Numbers that it would change go through it as texts: a mark, and the
// number as it was written. What is sent has the number in the place of the text, wherever the library put it. The
// same holds for the id in a cancellation, and for the token of a request that wants to hear of progress.

// asWritten is the mark. It cannot be guessed, so that no reply has it in itself.
var asWritten = "id-" + rand.Text()[:16] + "-"

// mostGrown is more than how many times as long as a message a kept one can be.
const mostGrown = 4

// isSmallWhole reports whether a number is one that comes back from the library as it is written.
func isSmallWhole(number []byte) bool {
	digits := bytes.TrimPrefix(number, []byte("-"))
	const most = 15
	return string(number) == "0" || len(digits) <= most && digits[0] != '0' && len(bytes.Trim(digits, "0123456789")) == 0
}

// changes reports whether the library would change an id. A text that begins with the mark is kept like a number.
func changes(id []byte) bool {
	switch {
	case id[0] == '-' || id[0] >= '0' && id[0] <= '9':
		return !isSmallWhole(id)
	case id[0] == '"':
		var text string
		return len(id) > len(asWritten) && json.Unmarshal(id, &text) == nil && isKept(text)
	}
	return false
}

func isKept(text string) bool {
	return len(text) >= len(asWritten) && text[:len(asWritten)] == asWritten
}

// keep returns a message, or a list of them, in which the ids that the library would change are texts. The text must
// be JSON, without a member that appears twice. Where there is nothing to keep, that is the text itself.
func keep(text []byte) (kept []byte, changed bool) {
	var found []strict.Span
	for one := range strict.Elements(text) {
		found = idsIn(text, one.From, found)
	}
	found = idsIn(text, 0, found)
	if len(found) == 0 {
		return text, false
	}
	slices.SortFunc(found, func(a, b strict.Span) int { return cmp.Compare(a.From, b.From) })
	at := 0
	for _, id := range found {
		kept = append(kept, text[at:id.From]...)
		quoted, _ := json.Marshal(asWritten + string(text[id.From:id.To])) // a string has a JSON form
		kept, at = append(kept, quoted...), id.To
	}
	return append(kept, text[at:]...), true
}

// idsIn appends the places of ids that the library would change in the request that begins at a place of a text.
func idsIn(text []byte, at int, found []strict.Span) []strict.Span {
	var id, method, params strict.Span
	for name, value := range strict.Members(text, at) {
		switch name {
		case "id":
			id = value
		case "method":
			method = value
		case "params":
			params = value
		}
	}
	if method.To == 0 {
		return found // an answer to what the library asked
	}
	add := func(value strict.Span) {
		if value.To > 0 && changes(text[value.From:value.To]) {
			found = append(found, value)
		}
	}
	add(id)
	if params.To == 0 {
		return found
	}
	for name, value := range strict.Members(text, params.From) {
		switch name {
		case "requestId":
			var called string
			if json.Unmarshal(text[method.From:method.To], &called) == nil && called == methodCancelled {
				add(value)
			}
		case "_meta":
			for name, value := range strict.Members(text, value.From) {
				if name == "progressToken" {
					add(value)
				}
			}
		}
	}
	return found
}

// written returns a message that is sent, with the ids as the client wrote them.
func written(text []byte) []byte {
	var out []byte
	for {
		at := bytes.Index(text, []byte(asWritten))
		if at < 0 {
			break
		}
		var id string
		if quote := at - 1; quote >= 0 && text[quote] == '"' && (quote == 0 || text[quote-1] != '\\') {
			if end := strict.End(text, quote); json.Unmarshal(text[quote:end], &id) == nil {
				out = append(append(out, text[:quote]...), id[len(asWritten):]...)
				text = text[end:]
				continue
			}
		}
		out = append(out, text[:at]...) // in the words of an error
		text = text[at+len(asWritten):]
	}
	if out == nil {
		return text
	}
	return append(out, text...)
}

// A restoring writer sends ids as the client wrote them. The library writes each message at once.
type restoring struct{ http.ResponseWriter }

func (w restoring) Write(text []byte) (int, error) {
	if _, err := w.ResponseWriter.Write(written(text)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Unwrap returns the writer that sends: the library flushes it after each message.
func (w restoring) Unwrap() http.ResponseWriter { return w.ResponseWriter }

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
