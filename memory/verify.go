package memory

import "errors"

// KindVerify is a claim that a record still holds.
const KindVerify Kind = "verify"

var verifyForm = Form{
	Kind: KindVerify, Number: 104, Protected: true,
	New: func() Body { return new(Verify) },
}

// Verify says "this still holds", or how a check of it came out.
type Verify struct {
	Of       Ref        `json:"of"`
	Method   string     `json:"method,omitempty"` // how it was checked
	Result   string     `json:"result,omitempty"` // "" is: it holds
	Notes    string     `json:"notes,omitempty"`
	Evidence []Evidence `json:"evidence,omitempty"` // code refs as they are now
}

// kind is verify.
func (*Verify) kind() Kind { return KindVerify }

// headline says what was verified.
func (b *Verify) headline() string { return "verified " + b.Of.Short() }

// words returns the notes.
func (b *Verify) words() string { return b.Notes }

// subjects returns what was verified.
func (b *Verify) subjects() []Ref { return []Ref{b.Of} }

// check holds the fields to their bounds.
func (b *Verify) check() error {
	return errors.Join(oneRef("of", b.Of), word("method", b.Method), word("result", b.Result),
		text("notes", b.Notes), checkEvidence(b.Evidence))
}

func (*Verify) sealed() {}

func (b *Verify) write(w *writer) {
	w.evidence(b.Evidence)
	w.text("method", b.Method)
	w.text("notes", b.Notes)
	w.ref("of", &b.Of)
	w.text("result", b.Result)
}
