package audit

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/stemma-memory/stemma/internal/canon"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/memory"
)

// Bounds on a line of a bundle, in bytes and numbers.
const (
	maxEnvelope = memory.MaxRecord*4/3 + 64<<10
	maxOther    = 128 << 10 // of a line that is no envelope
	maxSigs     = 16
	maxWord     = 256 // of a payload type and of a key's id
)

// line is one line of a bundle: exactly one of these.
type line struct {
	envelope   *envelope
	purged     *purged
	checkpoint *checkpoint
	inclusion  *inclusion
}

// envelope is a DSSE envelope.
type envelope struct {
	payloadType string
	payload     []byte
	sigs        []memory.Signature
}

type purged struct {
	Ref memory.Ref `json:"ref"`
}

type checkpoint struct {
	Space string `json:"space"`
	Note  string `json:"note"`
}

type inclusion struct {
	Ref    memory.Ref `json:"ref"`
	Space  string     `json:"space"`
	Index  int64      `json:"index"`
	Size   int64      `json:"size"`
	Hashes []string   `json:"hashes"`

	root ledger.Hash // to which the proof leads
}

// parseLine reads one line and trusts none of it. A line other than an envelope must be
// spelled exactly; in an envelope, the order of members and white space are free.
func parseLine(raw []byte) (line, error) {
	if l, err := cutEnvelope(raw); err == nil {
		return line{envelope: &l}, nil
	}
	if l, is := cutReadable(raw); is {
		return line{envelope: &l}, nil
	}
	text, err := canon.Transform(raw)
	if err != nil {
		return line{}, err
	}
	if bytes.HasPrefix(text, []byte(`{"payload":`)) {
		l, err := cutEnvelope(text)
		return line{envelope: &l}, err
	}
	return parseOther(text)
}

// parseOther reads a line, in canonical form, that is no envelope.
func parseOther(text []byte) (line, error) {
	if len(text) > maxOther {
		return line{}, fmt.Errorf("not a line of a bundle: %d bytes", len(text))
	}
	var l struct {
		Purged     *purged     `json:"purged,omitempty"`
		Checkpoint *checkpoint `json:"checkpoint,omitempty"`
		Inclusion  *inclusion  `json:"inclusion,omitempty"`
	}
	if err := json.Unmarshal(text, &l); err != nil {
		return line{}, errors.New("not a line of a bundle")
	}
	// encoding/json takes "PURGED" for "purged", and does not mind what is missing
	again, err := canon.Marshal(l)
	if err != nil || !bytes.Equal(again, text) {
		return line{}, errors.New("not a line of a bundle")
	}
	out := line{purged: l.Purged, checkpoint: l.Checkpoint, inclusion: l.Inclusion}
	switch given := count(l.Purged != nil, l.Checkpoint != nil, l.Inclusion != nil); {
	case given != 1:
		return line{}, errors.New("not a line of a bundle")
	case l.Inclusion != nil:
		return out, l.Inclusion.lead()
	}
	return out, nil
}

func count(given ...bool) (n int) {
	for _, g := range given {
		if g {
			n++
		}
	}
	return n
}

// lead finds the root to which a proof leads.
func (p *inclusion) lead() error {
	proof, err := ledger.ParseProof(p.Hashes)
	if err != nil {
		return err
	}
	p.root, err = ledger.InclusionRoot(proof, ledger.Hash(p.Ref.ID), p.Index, p.Size)
	p.Hashes = nil
	return err
}

// cutReadable reads a line that has a record as it is signed rather than in base64, as the proofs of a pack have them.
func cutReadable(text []byte) (envelope, bool) {
	rest, is := bytes.CutPrefix(text, []byte(`{"record":`))
	at := bytes.LastIndex(rest, []byte(`,"signatures":[`))
	if !is || at < 0 {
		return envelope{}, false
	}
	record := rest[:at]
	var of struct {
		Kind string `json:"kind"`
		V    int    `json:"v"`
	}
	if json.Unmarshal(record, &of) != nil {
		return envelope{}, false
	}
	// the same line with the record in base64 is an envelope, and is read as one
	var line bytes.Buffer
	fmt.Fprintf(&line, `{"payload":"%s","payloadType":"%s"%s`, base64.StdEncoding.EncodeToString(record),
		keys.PayloadType(of.Kind, of.V), rest[at:])
	e, err := cutEnvelope(line.Bytes())
	return e, err == nil
}

var errEnvelope = errors.New("not a line of a bundle: no envelope")

// cutter takes a text in canonical form apart.
type cutter struct {
	rest []byte
	bad  bool
}

// skip takes what must come next.
func (c *cutter) skip(s string) {
	if !c.has(s) {
		c.bad = true
	}
}

// has takes s if it comes next.
func (c *cutter) has(s string) bool {
	if c.bad || !bytes.HasPrefix(c.rest, []byte(s)) {
		return false
	}
	c.rest = c.rest[len(s):]
	return true
}

// word takes a string in quotes. Nothing that an envelope holds needs an escape.
func (c *cutter) word() []byte {
	if !c.has(`"`) {
		c.bad = true
		return nil
	}
	end := bytes.IndexByte(c.rest, '"')
	if end < 0 {
		c.bad = true
		return nil
	}
	w := c.rest[:end]
	c.rest = c.rest[end+1:]
	return w
}

// short takes a string of plain characters.
func (c *cutter) short() string {
	w := c.word()
	if len(w) > maxWord || bytes.ContainsFunc(w, func(r rune) bool { return r < ' ' || r > '~' || r == '\\' }) {
		c.bad = true
		return ""
	}
	return string(w)
}

// cutEnvelope reads an envelope in canonical form.
func cutEnvelope(text []byte) (envelope, error) {
	var e envelope
	c := cutter{rest: text}
	c.skip(`{"payload":`)
	payload := c.word()
	c.skip(`,"payloadType":`)
	e.payloadType = c.short()
	if c.has(`,"signatures":[`) && !c.has(`]`) {
		for {
			if len(e.sigs) == maxSigs {
				return e, fmt.Errorf("more than %d signatures", maxSigs)
			}
			sig, err := c.signature()
			if err != nil {
				return e, err
			}
			e.sigs = append(e.sigs, sig)
			if !c.has(`,`) {
				break
			}
		}
		c.skip(`]`)
	}
	c.skip(`}`)
	if c.bad || len(c.rest) > 0 {
		return e, errEnvelope
	}
	var err error
	e.payload, err = decode64(payload)
	return e, err
}

func (c *cutter) signature() (s memory.Signature, err error) {
	c.skip(`{`)
	if c.has(`"keyid":`) {
		s.Key = c.short()
		c.skip(`,`)
	}
	c.skip(`"sig":`)
	sig := c.word()
	c.skip(`}`)
	if c.bad {
		return s, errEnvelope
	}
	s.Sig, err = decode64(sig)
	return s, err
}

var errBase64 = errors.New("not a line of a bundle: base64 is damaged")

// encodings are both alphabets of base64, with padding and without: DSSE asks
// readers for that.
var encodings = []*base64.Encoding{
	base64.StdEncoding.Strict(), base64.RawStdEncoding.Strict(), base64.URLEncoding.Strict(),
	base64.RawURLEncoding.Strict(),
}

// decode64 reads base64. Beyond the alphabet nothing is left to the writer: spare
// bits that are set, line breaks and two alphabets in one string are refused.
func decode64(text []byte) ([]byte, error) {
	if bytes.IndexByte(text, '\r') >= 0 || bytes.IndexByte(text, '\n') >= 0 {
		return nil, errBase64 // which package base64 passes over
	}
	for _, enc := range encodings {
		if b, err := enc.AppendDecode(nil, text); err == nil {
			return b, nil
		}
	}
	return nil, errBase64
}
