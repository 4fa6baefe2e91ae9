package memory

import "errors"

// KindWitness is a claim of somebody else about a record.
const KindWitness Kind = "witness"

var witnessForm = Form{
	Kind: KindWitness, Number: 102, Protected: true,
	New: func() Body { return new(Witness) },
}

// Witness is somebody else's word about a record.
type Witness struct {
	Of          Ref    `json:"of"`
	Attestation string `json:"attestation"` // confirm, dispute or partial
	Notes       string `json:"notes,omitempty"`
	Request     string `json:"request,omitempty"` // the request it answers
}

// Attestations are what a witness can say.
var Attestations = []string{"confirm", "dispute", "partial"}

// kind is witness.
func (*Witness) kind() Kind { return KindWitness }

// headline returns the verdict and on what.
func (b *Witness) headline() string { return b.Attestation + " " + b.Of.Short() }

// words returns the notes.
func (b *Witness) words() string { return b.Notes }

// subjects returns what was witnessed.
func (b *Witness) subjects() []Ref { return []Ref{b.Of} }

// check asks for one of the three verdicts.
func (b *Witness) check() error {
	err := oneRef("of", b.Of)
	if b.Attestation == "" {
		err = errors.Join(err, bad("attestation", "is missing"))
	}
	return errors.Join(err, oneOf("attestation", b.Attestation, Attestations),
		text("notes", b.Notes), textUpTo("request", b.Request, MaxNameBytes))
}

func (*Witness) sealed() {}

func (b *Witness) write(w *writer) {
	w.say("attestation", b.Attestation)
	w.text("notes", b.Notes)
	w.ref("of", &b.Of)
	w.text("request", b.Request)
}

func (b *Witness) read(s *scan) {
	s.object(func(name []byte) {
		switch string(name) {
		case "attestation":
			b.Attestation = s.text()
		case "notes":
			b.Notes = s.text()
		case "of":
			b.Of = s.ref()
		case "request":
			b.Request = s.text()
		}
	})
}
