package memory

import "errors"

// Link says how two memories hang together. Source is the older, Target the
// newer. It proposes; it never acts by itself.
type Link struct {
	Source   Ref    `json:"source"`
	Target   Ref    `json:"target"`
	Relation string `json:"relation"` // update, extend, derive, contradict or supports
	Reason   string `json:"reason,omitempty"`
	Detector string `json:"detector,omitempty"` // what found it: a person, a rule, a model
	Model    string `json:"model,omitempty"`
	Prompt   string `json:"prompt,omitempty"` // version of the prompt
	Seed     int64  `json:"seed,omitempty"`
}

// The ways two memories can hang together.
const (
	Update     = "update"     // the target replaces the source: the world changed
	Extend     = "extend"     // it adds to it
	Derive     = "derive"     // it is concluded from it
	Contradict = "contradict" // both cannot hold
	Supports   = "supports"
)

// LinkRelations are the ways two memories can hang together.
var LinkRelations = []string{Update, Extend, Derive, Contradict, Supports}

// maxReason bounds the reason of a link, which a model may have written.
const maxReason = 280

// Kind is link.
func (*Link) Kind() Kind { return KindLink }

// Headline says which way the link goes.
func (b *Link) Headline() string {
	return b.Target.Short() + " " + b.Relation + " " + b.Source.Short()
}

// Words returns the reason.
func (b *Link) Words() string { return b.Reason }

// Subjects returns both ends, the older first.
func (b *Link) Subjects() []Ref { return []Ref{b.Source, b.Target} }

// Check asks for two different ends and a known relation.
func (b *Link) Check() error {
	err := errors.Join(oneRef("source", b.Source), oneRef("target", b.Target))
	if b.Source.ID == b.Target.ID {
		err = errors.Join(err, bad("target", "is the same record as source"))
	}
	if b.Relation == "" {
		err = errors.Join(err, bad("relation", "is missing"))
	}
	return errors.Join(err, oneOf("relation", b.Relation, LinkRelations),
		textUpTo("reason", b.Reason, 4*maxReason), // 280 characters of up to 4 bytes
		textUpTo("detector", b.Detector, MaxNameBytes), textUpTo("model", b.Model, MaxNameBytes),
		textUpTo("prompt", b.Prompt, MaxNameBytes), checkRange("seed", b.Seed, -maxInteger, maxInteger))
}

func (*Link) sealed() {}

// Witness is somebody else's word about a record.
type Witness struct {
	Of          Ref    `json:"of"`
	Attestation string `json:"attestation"` // confirm, dispute or partial
	Notes       string `json:"notes,omitempty"`
	Request     string `json:"request,omitempty"` // the request it answers
}

// Attestations are what a witness can say.
var Attestations = []string{"confirm", "dispute", "partial"}

// Kind is witness.
func (*Witness) Kind() Kind { return KindWitness }

// Headline returns the verdict and on what.
func (b *Witness) Headline() string { return b.Attestation + " " + b.Of.Short() }

// Words returns the notes.
func (b *Witness) Words() string { return b.Notes }

// Subjects returns what was witnessed.
func (b *Witness) Subjects() []Ref { return []Ref{b.Of} }

// Check asks for one of the three verdicts.
func (b *Witness) Check() error {
	err := oneRef("of", b.Of)
	if b.Attestation == "" {
		err = errors.Join(err, bad("attestation", "is missing"))
	}
	return errors.Join(err, oneOf("attestation", b.Attestation, Attestations),
		text("notes", b.Notes), textUpTo("request", b.Request, MaxNameBytes))
}

func (*Witness) sealed() {}

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

// Kind is anchor.
func (*Anchor) Kind() Kind { return KindAnchor }

// Headline returns the type and the place.
func (b *Anchor) Headline() string { return b.Type + " " + FirstLine(b.Reference) }

// Words returns the place.
func (b *Anchor) Words() string { return b.Reference }

// Subjects returns what was anchored.
func (b *Anchor) Subjects() []Ref { return []Ref{b.Of} }

// Check asks for a known type and a place.
func (b *Anchor) Check() error {
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

// Verify says "this still holds", or how a check of it came out.
type Verify struct {
	Of       Ref        `json:"of"`
	Method   string     `json:"method,omitempty"` // how it was checked
	Result   string     `json:"result,omitempty"` // "" is: it holds
	Notes    string     `json:"notes,omitempty"`
	Evidence []Evidence `json:"evidence,omitempty"` // code refs as they are now
}

// Kind is verify.
func (*Verify) Kind() Kind { return KindVerify }

// Headline says what was verified.
func (b *Verify) Headline() string { return "verified " + b.Of.Short() }

// Words returns the notes.
func (b *Verify) Words() string { return b.Notes }

// Subjects returns what was verified.
func (b *Verify) Subjects() []Ref { return []Ref{b.Of} }

// Check holds the fields to their bounds.
func (b *Verify) Check() error {
	return errors.Join(oneRef("of", b.Of), word("method", b.Method), word("result", b.Result),
		text("notes", b.Notes), checkEvidence(b.Evidence))
}

func (*Verify) sealed() {}

// Assess moves the confidence of a record: to a value, or by a step.
type Assess struct {
	Of      Ref         `json:"of"`
	To      *Confidence `json:"to,omitempty"`
	Step    int         `json:"step,omitempty"` // in thousandths, -1000 to 1000
	Reason  string      `json:"reason,omitempty"`
	Because []Ref       `json:"because,omitempty"` // the episodes that moved it
}

// Kind is assess.
func (*Assess) Kind() Kind { return KindAssess }

// Headline says what was reassessed.
func (b *Assess) Headline() string { return "reassessed " + b.Of.Short() }

// Words returns the reason.
func (b *Assess) Words() string { return b.Reason }

// Subjects returns what was reassessed.
func (b *Assess) Subjects() []Ref { return []Ref{b.Of} }

// Check asks for exactly one of To and Step.
func (b *Assess) Check() error {
	err := oneRef("of", b.Of)
	switch {
	case (b.To != nil) == (b.Step != 0):
		err = errors.Join(err, bad("to", "or step must be given, and not both"))
	case b.To != nil:
		err = errors.Join(err, checkRange("to", int(*b.To), 0, thousand))
	}
	return errors.Join(err, checkRange("step", b.Step, -thousand, thousand),
		text("reason", b.Reason), refs("because", b.Because))
}

func (*Assess) sealed() {}
