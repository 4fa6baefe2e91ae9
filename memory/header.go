package memory

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
)

// Version is the version of the format this binary writes.
const Version = 1

// The channels.

// A Via says how a memory came about.
type Via string

// How memories come about.
const (
	ViaDirect      Via = "direct"
	ViaPromote     Via = "promote"
	ViaConsolidate Via = "consolidate"
	ViaInference   Via = "inference"
	ViaRevision    Via = "revision"
	ViaTold        Via = "told"
	ViaImport      Via = "import"
)

// Vias are the ways a memory comes about.
var vias = []string{
	string(ViaDirect), string(ViaPromote), string(ViaConsolidate), string(ViaInference),
	string(ViaRevision), string(ViaTold), string(ViaImport),
}

// SourceType returns the name of v in the provenance vocabulary that readers
// know: direct_experience, promote, consolidation, …
func (v Via) SourceType() string {
	switch v {
	case ViaDirect:
		return "direct_experience"
	case ViaConsolidate:
		return "consolidation"
	case ViaTold:
		return "told_by_agent"
	case ViaPromote, ViaInference, ViaRevision:
		return string(v)
	default: // import: the original source is not known
		return "unknown"
	}
}

// Header is what every record carries, whatever its kind. Members that are
// empty are absent from the signed bytes.
type Header struct {
	V          int             `json:"v"`                    // version of the format
	Kind       Kind            `json:"kind"`                 // decides the type of the body
	Space      string          `json:"space"`                // <owner's did:key>/<name>
	Author     string          `json:"author"`               // did:key of the signing key
	Delegation ID              `json:"delegation,omitzero"`  // the key record that lets this key act
	Agent      string          `json:"agent,omitempty"`      // display name
	Platform   string          `json:"platform,omitempty"`   // where the agent ran
	Origin     Origin          `json:"origin"`               // through which channel
	At         Time            `json:"at"`                   // when it was recorded
	Confidence Confidence      `json:"confidence"`           // as asserted
	Provenance Provenance      `json:"provenance"`           // where it came from
	About      []string        `json:"about,omitempty"`      // entities it speaks of, sorted, unique
	Tags       []string        `json:"tags,omitempty"`       // sorted, unique
	ValidFrom  Time            `json:"valid_from,omitzero"`  // when it holds in the world
	ValidUntil Time            `json:"valid_until,omitzero"` // until when it holds
	Alias      []string        `json:"alias,omitempty"`      // ids it had elsewhere, sorted, unique
	Session    string          `json:"session,omitempty"`    // the conversation or run it belongs to
	Trigger    string          `json:"trigger,omitempty"`    // what prompted it
	Recalled   []ID            `json:"recalled,omitempty"`   // what its author had been shown
	Ext        json.RawMessage `json:"ext,omitempty"`        // unknown members of an imported document
	Nonce      string          `json:"nonce"`                // keeps equal words distinct
}

// Provenance answers "where did this come from?". It is inside the hash, so
// signing a belief commits to the evidence it rests on.
type Provenance struct {
	Via        Via        `json:"via"`
	From       []Ref      `json:"from,omitempty"`       // what it was derived from
	Supersedes []Ref      `json:"supersedes,omitempty"` // what it replaces; a merge has several
	Evidence   []Evidence `json:"evidence,omitempty"`   // code, pages, files
	Run        string     `json:"run,omitempty"`        // the command or session that made it
	Context    string     `json:"context,omitempty"`    // command or operation
	Batch      string     `json:"batch,omitempty"`      // the consolidation it belongs to
}

// Sources returns the ids a record was derived from.
func (p *Provenance) Sources() []ID { return ids(p.From) }

func ids(refs []Ref) []ID {
	out := make([]ID, len(refs))
	for i, r := range refs {
		out[i] = r.ID
	}
	return out
}

// Owner returns the key that owns the space the record is on.
func (h *Header) Owner() string {
	owner, _, _ := strings.Cut(h.Space, "/")
	return owner
}

// The length of a nonce, and of its base64url without padding.
const (
	nonceBytes = 16
	nonceChars = 22
)

func (h *Header) check() error {
	err := errors.Join(
		checkSpace(h.Space), did("author", h.Author), h.Origin.check(),
		checkRange("confidence", int(h.Confidence), 0, thousand),
		h.checkProvenance(),
		set("about", h.About, MaxAbout, MaxNameBytes),
		set("tags", h.Tags, MaxTags, MaxTagBytes),
		set("alias", h.Alias, MaxAbout, MaxText),
		textUpTo("agent", h.Agent, MaxNameBytes), textUpTo("platform", h.Platform, MaxNameBytes),
		text("session", h.Session), text("trigger", h.Trigger))
	if h.At.IsZero() {
		err = errors.Join(err, bad("at", "is missing"))
	}
	if h.Origin == OriginOwner && !h.Delegation.IsZero() {
		err = errors.Join(err, bad("origin", "owner belongs to an owner's key, and this key is delegated"))
	}
	if !h.ValidFrom.IsZero() && !h.ValidUntil.IsZero() && h.ValidUntil.Time().Before(h.ValidFrom.Time()) {
		err = errors.Join(err, bad("valid_until", "is before valid_from"))
	}
	return errors.Join(err, checkRecalled(h.Recalled), checkExt(h.Ext), checkNonce(h.Nonce))
}

func checkRecalled(list []ID) error {
	if len(list) > MaxSources {
		return bad("recalled", "has %d ids, at most %d are allowed", len(list), MaxSources)
	}
	if len(list) == 0 {
		return nil
	}
	seen := make(map[ID]bool, len(list))
	for _, id := range list {
		if id.IsZero() || seen[id] {
			return bad("recalled", "names %s twice, or nothing", id.Short())
		}
		seen[id] = true
	}
	return nil
}

func checkExt(ext json.RawMessage) error {
	switch {
	case len(ext) > MaxText:
		return bad("ext", "must be at most %d bytes, got %d", MaxText, len(ext))
	case len(ext) > 0 && (ext[0] != '{' || string(ext) == "{}"):
		return bad("ext", "must be an object with members, or absent")
	}
	return nil
}

// checkNonce takes one spelling of 16 bytes: the bits that the last character
// has to spare are zero.
func checkNonce(s string) error {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) != nonceBytes || len(s) != nonceChars {
		return bad("nonce", "must be %d bytes in base64url without padding", nonceBytes)
	}
	return nil
}

// checkProvenance stops at the first ref that is wrong: a stranger's record may
// have a thousand of them.
func (h *Header) checkProvenance() error {
	p := &h.Provenance
	var err error
	if p.Via == "" {
		err = bad("via", "is missing")
	}
	err = errors.Join(err, oneOf("via", string(p.Via), vias),
		refs("from", p.From), refs("supersedes", p.Supersedes), checkEvidence(p.Evidence),
		text("run", p.Run), text("context", p.Context), text("batch", p.Batch))
	if !h.Kind.Known() {
		return err // what it may come from, its maker knows
	}
	return errors.Join(err, h.checkLineage())
}

// checkLineage holds the sources to what the kind allows.
func (h *Header) checkLineage() error {
	p := &h.Provenance
	if len(p.From) == 0 && len(p.Supersedes) == 0 {
		return nil
	}
	from := make(map[Ref]bool, len(p.From))
	for _, r := range p.From {
		if !h.Kind.MayComeFrom(r.Kind) {
			return bad("from", "%s cannot be derived from %s", article(h.Kind), r.Short())
		}
		from[r] = true
	}
	for _, r := range p.Supersedes {
		if r.Kind != h.Kind || h.Kind == KindRaw {
			return bad("supersedes", "%s cannot supersede %s", article(h.Kind), r.Short())
		}
		if h.Kind.IsMemory() && !from[r] {
			return bad("supersedes", "%s must be among the sources too", r.Short())
		}
	}
	return nil
}

// article puts "a" or "an" before a kind.
func article(k Kind) string {
	if strings.ContainsAny(string(k[:1]), "aeiou") {
		return "an " + string(k)
	}
	return "a " + string(k)
}

// maxSpaceName bounds the part of a space after its owner.
const maxSpaceName = 64

func checkSpace(s string) error {
	owner, name, ok := strings.Cut(s, "/")
	if !ok {
		return bad("space", "must be <owner's did:key>/<name>, got %q", clip(s))
	}
	return errors.Join(did("space", owner), CheckSpaceName(name))
}

// CheckSpaceName returns an error unless name can be the name of a space:
// letters, digits, '.', '_' and '-', a letter or digit first, at most 64 bytes.
func CheckSpaceName(name string) error {
	for i := range len(name) {
		c := name[i]
		alnum := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !alnum && (i == 0 || !strings.ContainsRune("._-", rune(c))) {
			return bad("space", "a name has letters, digits, '.', '_' and '-', a letter or digit first, got %q", clip(name))
		}
	}
	if name == "" || len(name) > maxSpaceName {
		return bad("space", "a name has 1 to %d bytes, got %d", maxSpaceName, len(name))
	}
	return nil
}
