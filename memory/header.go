package memory

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// Version is the version of the format this binary writes.
const Version = 1

// An Origin says through which channel a record came. It is set by the channel,
// never by the caller.
type Origin string

// The channels.
const (
	OriginOwner  Origin = "owner"  // a person at a terminal or the page
	OriginAgent  Origin = "agent"  // an agent, or a command line nobody sits at
	OriginTool   Origin = "tool"   // a hook's tool output
	OriginImport Origin = "import" // words that were somewhere else before
)

// Origins are the channels, sorted.
var Origins = []Origin{OriginAgent, OriginImport, OriginOwner, OriginTool}

func (o Origin) check() error {
	if !slices.Contains(Origins, o) {
		return bad("origin", "must be owner, agent, tool or import, got %q", clip(string(o)))
	}
	return nil
}

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
var Vias = []string{
	string(ViaDirect), string(ViaPromote), string(ViaConsolidate), string(ViaInference),
	string(ViaRevision), string(ViaTold), string(ViaImport),
}

// SourceType gives the name of v in the provenance vocabulary that readers
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
	default: // import: what the words were before, nobody said
		return "unknown"
	}
}

// Header is what every record carries, whatever its kind. Members that are
// empty are absent from the signed bytes.
type Header struct {
	V          int             `json:"v"`                    // version of the format
	Kind       Kind            `json:"kind"`                 // decides the type of the body
	Space      string          `json:"space"`                // whose shelf: <owner's did:key>/<name>
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

// Evidence is something outside the store that a memory rests on: a piece of
// code pinned to its bytes, a page, a file.
type Evidence struct {
	Type      string `json:"type"`             // code, url, file or text
	Path      string `json:"path,omitempty"`   // relative to the repository root
	Symbol    string `json:"symbol,omitempty"` // the function or type
	Start     int    `json:"start,omitempty"`  // first line, from 1
	End       int    `json:"end,omitempty"`    // last line
	SHA256    string `json:"sha256,omitempty"` // of the span's bytes, CRLF made LF
	Commit    string `json:"commit,omitempty"` // where it was seen
	Dirty     bool   `json:"dirty,omitempty"`  // pinned from uncommitted work
	Repo      string `json:"repo,omitempty"`   // which repository
	Reference string `json:"reference,omitempty"`
	Note      string `json:"note,omitempty"`
}

// EvidenceTypes are the kinds of evidence.
var EvidenceTypes = []string{"code", "url", "file", "text"}

// Sources gives the ids a record was derived from.
func (p *Provenance) Sources() []ID { return ids(p.From) }

func ids(refs []Ref) []ID {
	out := make([]ID, len(refs))
	for i, r := range refs {
		out[i] = r.ID
	}
	return out
}

// Owner gives the key that owns the space the record is on.
func (h *Header) Owner() string {
	owner, _, _ := strings.Cut(h.Space, "/")
	return owner
}

// nonceChars is the length of the nonce: 16 bytes in base64url without padding.
const nonceChars = 22

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
	if !h.ValidFrom.IsZero() && !h.ValidUntil.IsZero() && h.ValidUntil.Before(h.ValidFrom.Time) {
		err = errors.Join(err, bad("valid_until", "is before valid_from"))
	}
	if len(h.Recalled) > MaxSources {
		err = errors.Join(err, bad("recalled", "has %d ids, at most %d are allowed", len(h.Recalled), MaxSources))
	}
	if len(h.Ext) > MaxText {
		err = errors.Join(err, bad("ext", "must be at most %d bytes, got %d", MaxText, len(h.Ext)))
	}
	if len(h.Ext) > 0 && h.Ext[0] != '{' {
		err = errors.Join(err, bad("ext", "must be an object"))
	}
	if len(h.Nonce) != nonceChars || strings.Trim(h.Nonce, base64url) != "" {
		err = errors.Join(err, bad("nonce", "must be 16 bytes in base64url without padding"))
	}
	return err
}

const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

func (h *Header) checkProvenance() error {
	p := &h.Provenance
	var err error
	if p.Via == "" {
		err = bad("via", "is missing")
	}
	err = errors.Join(err, oneOf("via", string(p.Via), Vias),
		refs("from", p.From), refs("supersedes", p.Supersedes), checkEvidence(p.Evidence),
		text("run", p.Run), text("context", p.Context), text("batch", p.Batch))
	for _, r := range p.From {
		if !h.Kind.MayComeFrom(r.Kind) {
			err = errors.Join(err, bad("from", "%s cannot be derived from %s", article(h.Kind), r.Short()))
		}
	}
	for _, r := range p.Supersedes {
		if r.Kind != h.Kind || h.Kind == KindRaw {
			err = errors.Join(err, bad("supersedes", "%s cannot supersede %s", article(h.Kind), r.Short()))
		} else if h.Kind.IsMemory() && !slices.Contains(p.From, r) {
			err = errors.Join(err, bad("supersedes", "%s must be among the sources too", r.Short()))
		}
	}
	return err
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

func checkEvidence(list []Evidence) error {
	if len(list) > MaxEvidence {
		return bad("evidence", "has %d entries, at most %d are allowed", len(list), MaxEvidence)
	}
	var err error
	for _, e := range list {
		err = errors.Join(err, e.check())
	}
	return err
}

func (e *Evidence) check() error {
	var err error
	if e.Type == "" {
		err = bad("evidence.type", "is missing")
	}
	if e.Start < 0 || e.End < e.Start {
		err = errors.Join(err, bad("evidence", "lines %d to %d are no range", e.Start, e.End))
	}
	if e.Path != "" {
		err = errors.Join(err, checkPath(e.Path))
	}
	return errors.Join(err, oneOf("evidence.type", e.Type, EvidenceTypes),
		text("evidence.path", e.Path), text("evidence.symbol", e.Symbol),
		hexDigest("evidence.sha256", e.SHA256), textUpTo("evidence.commit", e.Commit, MaxNameBytes),
		text("evidence.repo", e.Repo), text("evidence.reference", e.Reference), text("evidence.note", e.Note))
}

// checkPath refuses paths that could leave the repository.
func checkPath(p string) error {
	if strings.HasPrefix(p, "/") || strings.Contains(p, "\\") || slices.Contains(strings.Split(p, "/"), "..") {
		return bad("evidence.path", "must be relative to the repository and stay inside it, got %q", clip(p))
	}
	return nil
}
