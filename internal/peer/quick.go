package peer

import (
	"bytes"
	"encoding/hex"
	"encoding/json"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/memory"
)

// Requests and replies are JSON. Those with many records or ids are written and read here in
// the exact form of encoding/json, at a fraction of its cost. Any other form is left to
// encoding/json; a fuzz test compares the two.

// Encode writes a request or a reply.
func Encode(v any) ([]byte, error) {
	var raw []byte
	ok := false
	switch v := v.(type) {
	case Push:
		raw, ok = v.quick()
	case LogPage:
		raw, ok = v.quick()
	case Lines:
		raw, ok = v.quick()
	case Offer:
		if v.Space != "" {
			raw, ok = quickIDs(v.Space, "ids", v.IDs)
		}
	case Fetch:
		if v.Space != "" {
			raw, ok = quickIDs(v.Space, "ids", v.IDs)
		}
	case Wanted:
		raw, ok = quickIDs("", "ids", v.IDs)
	case Acks:
		if len(v.Held) == 0 && len(v.Refused) == 0 {
			raw, ok = quickIDs("", "stored", v.Stored)
		}
	}
	if ok {
		return raw, nil
	}
	return json.Marshal(v)
}

// Decode reads a request or a reply into a zero value. Lines are parts of raw then, which
// must not be changed any more.
func Decode(raw []byte, into any) error {
	t, ok := &text{rest: raw}, false
	switch v := into.(type) {
	case *Push:
		var read Push
		if ok = t.push(&read); ok {
			*v = read
		}
	case *LogPage:
		var read LogPage
		if ok = t.page(&read); ok {
			*v = read
		}
	case *Lines:
		var read Lines
		if ok = t.fetched(&read); ok {
			*v = read
		}
	case *Offer:
		space, ids, read := t.spaceIDs()
		if ok = read; ok {
			*v = Offer{space, ids}
		}
	case *Fetch:
		space, ids, read := t.spaceIDs()
		if ok = read; ok {
			*v = Fetch{space, ids}
		}
	case *Wanted:
		ids, read := t.onlyIDs("ids")
		if ok = read; ok {
			*v = Wanted{ids}
		}
	case *Acks:
		ids, read := t.onlyIDs("stored")
		if ok = read; ok {
			*v = Acks{Stored: ids}
		}
	}
	if ok {
		return nil
	}
	if err := uncrowded(raw); err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

func (p Push) quick() ([]byte, bool) {
	if !envelope.Simple(p.Space) {
		return nil, false
	}
	out := append(make([]byte, 0, sizeOf(p.Lines)+len(p.Space)+64), `{"space":"`...)
	out = append(append(out, p.Space...), `",`...)
	out, ok := putLines(out, p.Lines)
	return append(out, '}'), ok
}

func (l Lines) quick() ([]byte, bool) {
	out, ok := putLines(append(make([]byte, 0, sizeOf(l.Lines)+64), '{'), l.Lines)
	if l.More {
		out = append(out, `,"more":true`...)
	}
	return append(out, '}'), ok
}

func (p LogPage) quick() ([]byte, bool) {
	if len(p.Entries) == 0 {
		return nil, false
	}
	const each = 128 // of an entry, about
	out := append(make([]byte, 0, sizeOf(p.Lines)+each*len(p.Entries)+1024), `{"entries":[`...)
	for i, e := range p.Entries {
		if i > 0 {
			out = append(out, ',')
		}
		if e.Ref.ID.IsZero() || !envelope.Simple(e.Ref.Kind) || !envelope.Simple(e.Skip) {
			return nil, false
		}
		out = append(append(append(out, `{"ref":"`...), e.Ref.Kind...), ':')
		out = append(hex.AppendEncode(out, e.Ref.ID[:]), '"')
		if e.Skip != "" {
			out = append(append(append(out, `,"skip":"`...), e.Skip...), '"')
		}
		out = append(out, '}')
	}
	out = append(out, `],`...)
	if len(p.Lines) > 0 {
		var ok bool
		if out, ok = putLines(out, p.Lines); !ok {
			return nil, false
		}
		out = append(out, ',')
	}
	rest, err := json.Marshal(pageRest{Head: p.Head, Page: p.Page, Held: p.Held})
	if err != nil {
		return nil, false
	}
	return append(out, rest[1:]...), true
}

// pageRest is a page of a log but for what there is much of. Where that is given again,
// encoding/json takes the last of it.
type pageRest struct {
	Entries json.RawMessage `json:"entries,omitempty"`
	Lines   json.RawMessage `json:"lines,omitempty"`
	Head    Head            `json:"head"`
	Page    []string        `json:"page,omitempty"`
	Held    []string        `json:"held,omitempty"`
}

func sizeOf(lines []Line) (n int) {
	for _, l := range lines {
		n += len(l) + 1
	}
	return n
}

// putLines writes the member of some lines that are as they are written by custom.
func putLines(out []byte, lines []Line) ([]byte, bool) {
	out = append(out, `"lines":[`...)
	for i, l := range lines {
		if i > 0 {
			out = append(out, ',')
		}
		if line, rest, ok := envelope.Cut(l); !ok || len(rest) > 0 || len(line) == 0 {
			return nil, false
		}
		out = append(out, l...)
	}
	return append(out, ']'), len(lines) > 0
}

// quickIDs writes an object of some ids, and of a space unless that is "".
func quickIDs(space, name string, ids []memory.ID) ([]byte, bool) {
	const each = 2*len(memory.ID{}) + 3
	out := append(make([]byte, 0, each*len(ids)+len(space)+64), '{')
	if space != "" {
		out = append(append(append(out, `"space":"`...), space...), `",`...)
	}
	out = append(append(append(out, '"'), name...), `":[`...)
	for i, id := range ids {
		if i > 0 {
			out = append(out, ',')
		}
		if id.IsZero() {
			return nil, false
		}
		out = append(hex.AppendEncode(append(out, '"'), id[:]), '"')
	}
	return append(out, `]}`...), len(ids) > 0 && envelope.Simple(space)
}

// A text is read from its front, as long as it is in the one form.
type text struct{ rest []byte }

// is takes what must come next.
func (t *text) is(want string) bool {
	rest, ok := bytes.CutPrefix(t.rest, []byte(want))
	t.rest = rest
	return ok
}

// word reads the text before a quote, and the quote.
func (t *text) word() ([]byte, bool) {
	at := bytes.IndexByte(t.rest, '"')
	if at < 0 || !envelope.Simple(t.rest[:at]) {
		return nil, false
	}
	word := t.rest[:at]
	t.rest = t.rest[at+1:]
	return word, true
}

// list reads the elements between brackets one by one.
func (t *text) list(one func() bool) bool {
	for {
		if !one() {
			return false
		}
		if !t.is(",") {
			return t.is("]")
		}
	}
}

func (t *text) space() (string, bool) {
	if !t.is(`{"space":"`) {
		return "", false
	}
	space, ok := t.word()
	return string(space), ok && t.is(",")
}

func (t *text) lines(into *[]Line) bool {
	return t.is(`"lines":[`) && t.list(func() bool {
		line, rest, ok := envelope.Cut(t.rest)
		t.rest = rest
		*into = append(*into, line)
		return ok
	})
}

func (t *text) push(p *Push) (ok bool) {
	p.Space, ok = t.space()
	return ok && t.lines(&p.Lines) && string(t.rest) == "}"
}

func (t *text) fetched(l *Lines) bool {
	if !t.is("{") || !t.lines(&l.Lines) {
		return false
	}
	l.More = t.is(`,"more":true`)
	return string(t.rest) == "}"
}

func (t *text) page(p *LogPage) bool {
	entries := t.is(`{"entries":[`) && t.list(func() bool {
		var e Entry
		if !t.is(`{"ref":"`) {
			return false
		}
		ref, ok := t.word()
		if !ok || e.Ref.UnmarshalText(ref) != nil {
			return false
		}
		if t.is(`,"skip":"`) {
			why, ok := t.word()
			if e.Skip = Skip(why); !ok {
				return false
			}
		}
		p.Entries = append(p.Entries, e)
		return t.is("}")
	})
	if !entries || !t.is(",") {
		return false
	}
	if bytes.HasPrefix(t.rest, []byte(`"lines"`)) && (!t.lines(&p.Lines) || !t.is(",")) {
		return false
	}
	var rest pageRest
	if !bytes.HasPrefix(t.rest, []byte(`"`)) {
		return false
	}
	if json.Unmarshal(append([]byte("{"), t.rest...), &rest) != nil || rest.Entries != nil || rest.Lines != nil {
		return false
	}
	p.Head, p.Page, p.Held = rest.Head, rest.Page, rest.Held
	return true
}

func (t *text) ids(name string) (ids []memory.ID, ok bool) {
	ok = t.is(`"`+name+`":[`) && t.list(func() bool {
		var id memory.ID
		if !t.is(`"`) {
			return false
		}
		digits, ok := t.word()
		if !ok || id.UnmarshalText(digits) != nil {
			return false
		}
		ids = append(ids, id)
		return true
	})
	return ids, ok && string(t.rest) == "}"
}

func (t *text) onlyIDs(name string) ([]memory.ID, bool) {
	if !t.is("{") {
		return nil, false
	}
	return t.ids(name)
}

func (t *text) spaceIDs() (string, []memory.ID, bool) {
	space, ok := t.space()
	if !ok {
		return "", nil, false
	}
	ids, ok := t.ids("ids")
	return space, ids, ok
}
