package memory

import "errors"

// KindAssess is a claim that moves a confidence.
const KindAssess Kind = "assess"

var assessForm = Form{
	Kind: KindAssess, Number: 105, Protected: true,
	New: func() Body { return new(Assess) },
}

// Assess moves the confidence of a record: to a value, or by a step.
type Assess struct {
	Of      Ref         `json:"of"`
	To      *Confidence `json:"to,omitempty"`
	Step    int         `json:"step,omitempty"` // in thousandths, -1000 to 1000
	Reason  string      `json:"reason,omitempty"`
	Because []Ref       `json:"because,omitempty"` // the episodes that moved it
}

// kind is assess.
func (*Assess) kind() Kind { return KindAssess }

// headline says what was reassessed.
func (b *Assess) headline() string { return "reassessed " + b.Of.Short() }

// words returns the reason.
func (b *Assess) words() string { return b.Reason }

// subjects returns what was reassessed.
func (b *Assess) subjects() []Ref { return []Ref{b.Of} }

// check asks for exactly one of To and Step.
func (b *Assess) check() error {
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

func (b *Assess) write(w *writer) {
	w.refs("because", b.Because)
	w.ref("of", &b.Of)
	w.text("reason", b.Reason)
	w.count("step", int64(b.Step))
	if b.To != nil {
		w.number("to", int64(*b.To))
	}
}
