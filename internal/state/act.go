package state

import (
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// What marks say by which no one decides alone, beside the verbs that package memory names.
const (
	SaidIn        = "said_in"        // see core.SaidIn
	SaidOtherwise = "said_otherwise" // see core.SaidOtherwise
	Committed     = "committed"      // see core.Committed
	InPart        = "in_part"
	contextUndo   = "undo"
)

// The acts that are not verbs of marks.
const (
	actAppoint   = "appoint"
	actCorrect   = "correct"
	actDelegate  = "delegate"
	actDistrust  = "distrust"
	actIntroduce = "introduce"
	ActPropose   = "propose"
	actReinforce = "reinforce"
	ActResolve   = "resolve"
	actRevise    = "revise"
	actRevoke    = "revoke"
	actRotate    = "rotate"
	actUndo      = "undo"
	ActVerify    = "verify"
	ActWitness   = "witness"
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
		actAppoint, actCorrect, actDelegate, actDistrust, actIntroduce, ActPropose, actReinforce, ActResolve, actRevise,
		actRevoke, actRotate, actUndo, ActVerify, ActWitness,
	}, decidingVerbs...)
	slices.Sort(all)
	return all
}

// NoDecision are members of records that many claims have and no decision: a list need not read those.
var NoDecision = []string{
	`"verb":"` + SaidIn + `"`, `"verb":"` + memory.Said + `"`, `"verb":"` + memory.Done + `"`,
	`"verb":"` + memory.Outcome + `"`, `"verb":"` + memory.Progress + `"`, `"verb":"` + memory.Intensity + `"`,
	`"context":"detect"`, `"verb":"` + Committed + `"`,
}

// An Act is what a record decides.
type Act struct {
	Name, Detail, Why string
	Of                []memory.Ref
	Now               *memory.Ref // what took the place of it
	Key, Named        string      // the key that it is about, and the name that it is given
}

// ActOf returns what a record decides; nil is nothing. A voice is with which it speaks.
func ActOf(r *memory.Record, v Voice) *Act {
	a := &Act{}
	p := &r.Header.Provenance
	switch b := r.Body.(type) {
	case *memory.Mark:
		a.mark(b, p.Context)
	case *memory.Witness:
		a.Name, a.Detail, a.Why, a.Of = ActWitness, b.Attestation, b.Notes, []memory.Ref{b.Of}
	case *memory.Verify:
		if b.Of.Kind.IsMemory() { // checks of anchors are made by the program
			a.Name, a.Detail, a.Why, a.Of = ActVerify, b.Result, b.Notes, []memory.Ref{b.Of}
		}
	case *memory.Assess:
		a.Name, a.Why, a.Of = actReinforce, b.Reason, []memory.Ref{b.Of}
	case *memory.Link:
		a.link(b, p, v)
	case *memory.Key:
		a.keyed(b, p.Context)
	default:
		if len(p.Supersedes) == 0 || !r.Header.Kind.IsMemory() {
			return nil
		}
		ref := r.Ref()
		a.Name, a.Why, a.Of, a.Now = actRevise, r.Header.Trigger, p.Supersedes, &ref
		switch p.Context {
		case contextUndo, actCorrect, ActResolve:
			a.Name = p.Context
		}
	}
	if a.Name == "" {
		return nil
	}
	return a
}

func (a *Act) mark(b *memory.Mark, context string) {
	of := memory.Subjects(b)
	about := memory.Kind("")
	if b.Of != nil {
		about = b.Of.Kind
	}
	switch {
	case context == contextUndo:
		a.Name, a.Detail = actUndo, b.Value
	case context == actRevise: // a revision goes on with what was said of the one before
	case b.Verb == SaidOtherwise && b.Value == InPart && len(of) > 1:
		a.Name, a.Why, a.Of, a.Now = actCorrect, b.Reason, of[:1], &of[1]
		return
	case about == memory.KindLink && b.Verb == memory.Forget: // it was let go, since no one settled it
	case about == memory.KindLink && slices.Contains(decidingVerbs, b.Verb):
		a.Name, a.Detail = ActResolve, b.Verb
	case slices.Contains(decidingVerbs, b.Verb):
		a.Name = b.Verb
		if b.Of == nil || b.Value != b.Of.String() { // a quarantine is for what it names
			a.Detail = b.Value
		}
	}
	a.Of, a.Why = of, b.Reason
}

// link is a decision where somebody says which memory takes the place of which, or ends a question.
func (a *Act) link(b *memory.Link, p *memory.Provenance, v Voice) {
	applies := v.Owner || p.Context == ByPolicy
	switch {
	case p.Context == contextUndo:
		a.Name = actUndo
	case p.Context == ActResolve || len(p.Supersedes) > 0:
		a.Name, a.Detail = ActResolve, b.Relation
	case b.Detector != "caller" && b.Detector != "author", b.Relation != memory.Update: // something else found it
	case !applies:
		a.Name = ActPropose
	case b.Detector == "caller":
		a.Name = actCorrect
	default:
		a.Name = actRevise
	}
	a.Why, a.Of, a.Now = b.Reason, []memory.Ref{b.Source}, &b.Target
}

// keyed is a decision about a key. A key begins, and an agent has one of its own, without one.
func (a *Act) keyed(b *memory.Key, context string) {
	switch {
	case b.Op == memory.OpIntroduce && ReservedName(b.Name):
		a.Name, a.Detail = actAppoint, b.Name
	case b.Op == memory.OpIntroduce:
		a.Name, a.Named = actIntroduce, b.Name
	case b.Op == memory.OpRevoke && context == actDistrust:
		a.Name = actDistrust
	case b.Op == memory.OpRevoke:
		a.Name = actRevoke
	case b.Op == memory.OpDelegate && strings.HasPrefix(context, "key "):
		a.Name, a.Named = actDelegate, b.Name
	case b.Op == memory.OpRotate:
		a.Name = actRotate
	}
	if b.Op == memory.OpRevoke {
		a.Why = b.Reason
	}
	a.Key = b.Key
}
