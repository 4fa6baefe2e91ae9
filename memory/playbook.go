package memory

import "errors"

// KindPlaybook is a procedure.
const KindPlaybook Kind = "playbook"

var playbookForm = Form{
	Kind: KindPlaybook, Number: 9, Layer: layerSupport,
	New:     func() Body { return new(Playbook) },
	Served:  true,
	Letter:  "P",
	Shape:   "page",
	Day:     "#3c6628",
	Night:   "#a0c98a",
	ANSI:    "36",
	Title:   "Playbook",
	About:   "Procedures and how often they helped",
	Several: []string{"playbooks", "procedures"},
	Examples: []string{
		`stemma playbook "Roll back a release" --when "errors rise after a deploy" --step "stop the rollout" --step "revert"`,
		`stemma playbook find "errors after a deploy"`,
		`stemma playbook outcome 3f9a success`,
		`stemma playbook list`,
	},
	Fields: []Field{
		{Name: "text", In: func(b Body) any { return &b.(*Playbook).Name }},
		{
			Name: "when", In: func(b Body) any { return &b.(*Playbook).When },
			Usage: "situation that it is for", Section: "When",
		},
		{
			Name: "steps", In: func(b Body) any { return &b.(*Playbook).Steps }, Flag: "step",
			Usage: "step; repeatable", Section: "Steps",
		},
		{
			Name: "failure_modes", In: func(b Body) any { return &b.(*Playbook).FailureModes }, Flag: "failure-mode",
			Usage: "how it can fail", Section: "Failure modes",
		},
		{
			Name: "recovery", In: func(b Body) any { return &b.(*Playbook).Recovery },
			Usage: "how to recover", Section: "Recovery",
		},
	},
}

// Playbook is how we do things: procedural memory. Its uses and successes are
// claims.
type Playbook struct {
	Name         string   `json:"name"`
	When         string   `json:"when,omitempty"` // the situation it is for
	Steps        []string `json:"steps,omitempty"`
	FailureModes []string `json:"failure_modes,omitempty"`
	Recovery     []string `json:"recovery,omitempty"`
}

// kind is playbook.
func (*Playbook) kind() Kind { return KindPlaybook }

// headline returns the name and the situation.
func (b *Playbook) headline() string { return titled(b.Name, b.When) }

// words returns everything that was written.
func (b *Playbook) words() string {
	return joined(b.Name, b.When, list(b.Steps), list(b.FailureModes), list(b.Recovery))
}

// check asks for a name.
func (b *Playbook) check() error {
	return errors.Join(need("name", b.Name), text("when", b.When), lines("steps", b.Steps),
		lines("failure_modes", b.FailureModes), lines("recovery", b.Recovery))
}

func (*Playbook) sealed() {}

func (b *Playbook) write(w *writer) {
	w.texts("failure_modes", b.FailureModes)
	w.say("name", b.Name)
	w.texts("recovery", b.Recovery)
	w.texts("steps", b.Steps)
	w.text("when", b.When)
}
