package mcpserver

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// The library goes through all of a reply three times more once it is made, which takes as long as a third of what a
// long one is made by. So a reply over a pipe is held, the library writes a name in its place, and the pipe puts the
// reply in the place of the name.

// leastHeld is how many bytes a reply that is held has at the least.
const leastHeld = 1 << 10

// held are replies that are not written yet.
type held struct {
	prefix string // of names; nobody can guess it, so that no reply has it in itself

	sync.Mutex // guards what follows
	n          int
	replies    map[string]json.RawMessage
}

func newHeld() *held {
	return &held{prefix: "held-" + rand.Text() + "-", replies: make(map[string]json.RawMessage)}
}

// hold keeps a reply until it is written, and returns the name to write in its place: as text, and as structured
// content.
func (h *held) hold(reply json.RawMessage) (name string) {
	h.Lock()
	defer h.Unlock()
	h.n++
	name = fmt.Sprint(h.prefix, h.n)
	h.replies[name] = reply
	return name
}

// take returns the reply of a name, and holds it no more.
func (h *held) take(name string) json.RawMessage {
	h.Lock()
	defer h.Unlock()
	reply := h.replies[name]
	delete(h.replies, name)
	return reply
}

// appendTo appends a result with the reply in the place of its name: first as text, then as structured content.
func (h *held) appendTo(out, result []byte) []byte {
	before, named, has := bytes.Cut(result, []byte(`"`+h.prefix))
	no, rest, ends := bytes.Cut(named, []byte(`"`))
	if !has || !ends {
		return append(out, result...)
	}
	name := h.prefix + string(no)
	reply := h.take(name)
	const escapes = 4 // of so many bytes of the text one is escaped, about
	out = append(slices.Grow(out, len(result)+2*len(reply)+len(reply)/escapes), before...)
	out = appendText(out, reply)
	between, after, has := bytes.Cut(rest, []byte(`"`+name+`"`))
	if out = append(out, between...); has {
		out = append(append(out, reply...), after...)
	}
	return out
}

// appendText appends a JSON text as a string of JSON. Such a text has no control characters.
func appendText(out, text []byte) []byte {
	out = append(out, '"')
	from := 0
	for i, c := range text {
		if c == '"' || c == '\\' {
			out = append(append(out, text[from:i]...), '\\')
			from = i
		}
	}
	return append(append(out, text[from:]...), '"')
}

// Write writes a message.
func (c *lines) Write(_ context.Context, msg jsonrpc.Message) error {
	text, err := c.encode(msg)
	if err != nil {
		return err
	}
	c.Lock()
	defer c.Unlock()
	r, ok := msg.(*jsonrpc.Response)
	if !ok || c.asked[r.ID] != cancelled || r.Error == nil { // who cancelled wants no error
		_, err = c.out.Write(append(text, '\n'))
	}
	if ok {
		delete(c.asked, r.ID)
		select {
		case c.idle <- struct{}{}:
		default:
		}
	}
	return err
}

// encode returns a message as it is written. A result is JSON already.
func (c *lines) encode(msg jsonrpc.Message) ([]byte, error) {
	out, err := c.encodeKept(msg)
	if err == nil && c.keeps.Load() {
		out = written(out)
	}
	return out, err
}

func (c *lines) encodeKept(msg jsonrpc.Message) ([]byte, error) {
	r, ok := msg.(*jsonrpc.Response)
	if !ok || r.Error != nil || len(r.Result) == 0 {
		return jsonrpc.EncodeMessage(msg)
	}
	id, err := json.Marshal(r.ID.Raw())
	if err != nil {
		return nil, err
	}
	out := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	out = append(out, `,"result":`...)
	return append(c.held.appendTo(out, r.Result), '}'), nil
}
