package views

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// The acts that are not verbs of marks.
const (
	actAppoint   = "appoint"
	actCorrect   = "correct"
	actDelegate  = "delegate"
	actDistrust  = "distrust"
	actIntroduce = "introduce"
	actPropose   = "propose"
	actReinforce = "reinforce"
	actResolve   = "resolve"
	actRevise    = "revise"
	actRevoke    = "revoke"
	actRotate    = "rotate"
	actUndo      = "undo"
	actVerify    = "verify"
	actWitness   = "witness"
)

// decidingVerbs are the verbs of marks by which somebody decides. Others say what happened: that a prompt was kept,
// that a playbook was used, how far a goal is.
var decidingVerbs = []string{
	memory.Approve, memory.Reject, memory.Forget, memory.Recover, memory.Protect, memory.Unprotect, memory.Quarantine,
	memory.Release, memory.Purge, memory.Assign, memory.Status,
}

// Acts are the words for what somebody decided, in the order of the alphabet.
func Acts() []string {
	all := append([]string{
		actAppoint, actCorrect, actDelegate, actDistrust, actIntroduce, actPropose, actReinforce, actResolve, actRevise,
		actRevoke, actRotate, actUndo, actVerify, actWitness,
	}, decidingVerbs...)
	slices.Sort(all)
	return all
}

// noDecision are members of records that many claims have and no decision: a list need not read those.
var noDecision = []string{
	`"verb":"` + core.SaidIn + `"`, `"verb":"` + memory.Said + `"`, `"verb":"` + memory.Done + `"`,
	`"verb":"` + memory.Outcome + `"`, `"verb":"` + memory.Progress + `"`, `"verb":"` + memory.Intensity + `"`,
	`"context":"detect"`,
}

// An act is what a record decides.
type act struct {
	name, detail, why string
	of                []memory.Ref
	more              int
	now               *memory.Ref // what took the place of it
	key, named        string      // the key that it is about, and the name that it is given
}

// mostOf is how many records of one decision are shown.
const mostOf = 20

// actOf returns what a record decides; nil is nothing. A voice is with which it speaks.
func actOf(r *memory.Record, v state.Voice) *act {
	a := &act{}
	p := &r.Header.Provenance
	switch b := r.Body.(type) {
	case *memory.Mark:
		a.mark(b, p.Context)
	case *memory.Witness:
		a.name, a.detail, a.why, a.of = actWitness, b.Attestation, b.Notes, []memory.Ref{b.Of}
	case *memory.Verify:
		if b.Of.Kind.IsMemory() { // checks of anchors are made by the program
			a.name, a.detail, a.why, a.of = actVerify, b.Result, b.Notes, []memory.Ref{b.Of}
		}
	case *memory.Assess:
		a.name, a.why, a.of = actReinforce, b.Reason, []memory.Ref{b.Of}
	case *memory.Link:
		a.link(b, p, v)
	case *memory.Key:
		a.keyed(b, p.Context)
	default:
		if len(p.Supersedes) == 0 || !r.Header.Kind.IsMemory() {
			return nil
		}
		ref := r.Ref()
		a.name, a.why, a.of, a.now = actRevise, r.Header.Trigger, p.Supersedes, &ref
		switch p.Context {
		case core.ContextUndo, actCorrect, actResolve:
			a.name = p.Context
		}
	}
	if a.name == "" {
		return nil
	}
	if n := len(a.of) - mostOf; n > 0 {
		a.of, a.more = a.of[:mostOf], n
	}
	return a
}

func (a *act) mark(b *memory.Mark, context string) {
	of := memory.Subjects(b)
	about := memory.Kind("")
	if b.Of != nil {
		about = b.Of.Kind
	}
	switch {
	case context == core.ContextUndo:
		a.name, a.detail = actUndo, b.Value
	case context == actRevise: // a revision goes on with what was said of the one before
	case b.Verb == core.SaidOtherwise && b.Value == core.InPart && len(of) > 1:
		a.name, a.why, a.of, a.now = actCorrect, b.Reason, of[:1], &of[1]
		return
	case about == memory.KindLink && b.Verb == memory.Forget: // it was let go, since no one settled it
	case about == memory.KindLink && slices.Contains(decidingVerbs, b.Verb):
		a.name, a.detail = actResolve, b.Verb
	case slices.Contains(decidingVerbs, b.Verb):
		a.name = b.Verb
		if b.Of == nil || b.Value != b.Of.String() { // a quarantine is for what it names
			a.detail = b.Value
		}
	}
	a.of, a.why = of, b.Reason
}

// link is a decision where somebody says which memory takes the place of which, or ends a question.
func (a *act) link(b *memory.Link, p *memory.Provenance, v state.Voice) {
	applies := v.Owner || p.Context == state.ByPolicy
	switch {
	case p.Context == core.ContextUndo:
		a.name = actUndo
	case p.Context == actResolve || len(p.Supersedes) > 0:
		a.name, a.detail = actResolve, b.Relation
	case b.Detector != "caller" && b.Detector != "author", b.Relation != memory.Update:
		return // something else found it
	case !applies:
		a.name = actPropose
	case b.Detector == "caller":
		a.name = actCorrect
	default:
		a.name = actRevise
	}
	a.why, a.of, a.now = b.Reason, []memory.Ref{b.Source}, &b.Target
}

// keyed is a decision about a key. A key begins, and an agent has one of its own, without one.
func (a *act) keyed(b *memory.Key, context string) {
	switch {
	case b.Op == memory.OpIntroduce && state.ReservedName(b.Name):
		a.name, a.detail = actAppoint, b.Name
	case b.Op == memory.OpIntroduce:
		a.name, a.named = actIntroduce, b.Name
	case b.Op == memory.OpRevoke && context == actDistrust:
		a.name = actDistrust
	case b.Op == memory.OpRevoke:
		a.name = actRevoke
	case b.Op == memory.OpDelegate && strings.HasPrefix(context, "key "):
		a.name, a.named = actDelegate, b.Name
	case b.Op == memory.OpRotate:
		a.name = actRotate
	}
	if b.Op == memory.OpRevoke {
		a.why = b.Reason
	}
	a.key = b.Key
}
