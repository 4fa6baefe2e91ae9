package memory

import "errors"

// KindLink is a claim of how two memories hang together.
const KindLink Kind = "link"

var linkForm = Form{
	Kind: KindLink, Number: 101, Protected: true,
	New: func() Body { return new(Link) },
}

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
	supports   = "supports"
)

// LinkRelations are the ways two memories can hang together.
var linkRelations = []string{Update, Extend, Derive, Contradict, supports}

// maxReason bounds the reason of a link, which a model may have written.
const maxReason = 280

// kind is link.
func (*Link) kind() Kind { return KindLink }

// headline says which way the link goes.
func (b *Link) headline() string {
	return b.Target.Short() + " " + b.Relation + " " + b.Source.Short()
}

// words returns the reason.
func (b *Link) words() string { return b.Reason }

// subjects returns both ends, the older first.
func (b *Link) subjects() []Ref { return []Ref{b.Source, b.Target} }

// check asks for two different ends and a known relation.
func (b *Link) check() error {
	err := errors.Join(oneRef("source", b.Source), oneRef("target", b.Target))
	if b.Source.ID == b.Target.ID {
		err = errors.Join(err, bad("target", "is the same record as source"))
	}
	if b.Relation == "" {
		err = errors.Join(err, bad("relation", "is missing"))
	}
	return errors.Join(err, oneOf("relation", b.Relation, linkRelations),
		textUpTo("reason", b.Reason, 4*maxReason), // 280 characters of up to 4 bytes
		textUpTo("detector", b.Detector, MaxNameBytes), textUpTo("model", b.Model, MaxNameBytes),
		textUpTo("prompt", b.Prompt, MaxNameBytes), checkRange("seed", b.Seed, -maxInteger, maxInteger))
}

func (*Link) sealed() {}

func (b *Link) write(w *writer) {
	w.text("detector", b.Detector)
	w.text("model", b.Model)
	w.text("prompt", b.Prompt)
	w.text("reason", b.Reason)
	w.say("relation", b.Relation)
	w.count("seed", b.Seed)
	w.ref("source", &b.Source)
	w.ref("target", &b.Target)
}

func (b *Link) read(s *scan) {
	s.object(func(name []byte) {
		switch string(name) {
		case "detector":
			b.Detector = s.text()
		case "model":
			b.Model = s.text()
		case "prompt":
			b.Prompt = s.text()
		case "reason":
			b.Reason = s.text()
		case "relation":
			b.Relation = s.text()
		case "seed":
			b.Seed = int64(s.number(maxInteger))
		case "source":
			b.Source = s.ref()
		case "target":
			b.Target = s.ref()
		}
	})
}
