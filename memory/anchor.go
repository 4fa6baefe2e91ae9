package memory

import (
	"errors"
	"github.com/stemma-memory/stemma/internal/shorten"
)

// KindAnchor is a claim that ties a record to something outside.
const KindAnchor Kind = "anchor"

var anchorForm = Form{
	Kind: KindAnchor, Number: 103, Protected: true,
	New: func() Body { return new(Anchor) },
}

// Anchor ties a record to something outside.
type Anchor struct {
	Of        Ref    `json:"of"`
	Type      string `json:"type"`
	Reference string `json:"reference"`
	SHA256    string `json:"sha256,omitempty"` // of the exact bytes that were there
	MediaType string `json:"media_type,omitempty"`
	Size      int64  `json:"size,omitempty"`  // in bytes
	Final     string `json:"final,omitempty"` // the URL after redirects
	Proof     string `json:"proof,omitempty"` // base64: a token, the bytes of a commit
}

// AnchorTypes are what a record can be tied to.
var AnchorTypes = []string{"moltbook_post", "git_commit", "blockchain", "url", "file", "rfc3161", "tlog"}

// maxSize bounds the size an anchor states: a tebibyte.
const maxSize = 1 << 40

// kind is anchor.
func (*Anchor) kind() Kind { return KindAnchor }

// headline returns the type and the place.
func (b *Anchor) headline() string { return b.Type + " " + shorten.FirstLine(b.Reference) }

// words returns the place.
func (b *Anchor) words() string { return b.Reference }

// subjects returns what was anchored.
func (b *Anchor) subjects() []Ref { return []Ref{b.Of} }

// check asks for a known type and a place.
func (b *Anchor) check() error {
	err := oneRef("of", b.Of)
	if b.Type == "" {
		err = errors.Join(err, bad("type", "is missing"))
	}
	_, proof := checkBase64("proof", b.Proof)
	return errors.Join(err, oneOf("type", b.Type, AnchorTypes), need("reference", b.Reference),
		hexDigest("sha256", b.SHA256), textUpTo("media_type", b.MediaType, MaxNameBytes),
		checkRange("size", b.Size, 0, maxSize), text("final", b.Final), text("proof", b.Proof), proof)
}

func (*Anchor) sealed() {}

func (b *Anchor) write(w *writer) {
	w.text("final", b.Final)
	w.text("media_type", b.MediaType)
	w.ref("of", &b.Of)
	w.text("proof", b.Proof)
	w.say("reference", b.Reference)
	w.text("sha256", b.SHA256)
	w.count("size", b.Size)
	w.say("type", b.Type)
}
