package audit

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/audit/report"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/memory"
)

// court knows the keys, and judges with what right a statement speaks.
type court struct {
	a           *Auditor
	ring        *state.Keyring
	recoverable map[string]string // what key records commit to, and the principal whose recovery key it is
	trusted     map[string]bool   // principals; nil where none was named
	judged      memory.Record     // the statement that is judged
}

// newCourt makes the keyring of all key records, before anything is judged.
func (a *Auditor) newCourt() *court {
	c := &court{a: a, ring: state.NewKeyring(), recoverable: make(map[string]string)}
	c.ring.Arrived = func(id memory.ID) (state.Arrival, bool) {
		at, held := a.held.find(id)
		if !held || at.fact == noFact {
			return state.Arrival{}, false
		}
		f := a.held.fact(at.fact)
		return state.Arrival{Space: f.space, Seq: f.seq, At: f.arrived}, true
	}
	c.ring.Agrees, c.ring.KeptBy = a.agrees, a.keeper
	for _, r := range a.keys {
		c.ring.Add(r)
	}
	for _, r := range a.keys {
		if b := r.Body.(*memory.Key); b.Next != "" {
			c.recoverable[b.Next] = c.ring.Principal(b.Key)
		}
	}
	for _, did := range a.trusted {
		if c.trusted == nil {
			c.trusted = make(map[string]bool)
		}
		c.trusted[c.ring.Principal(did)] = true
	}
	return c
}

// knows reports whether anything says whose a key is that speaks for itself.
func (c *court) knows(principal, did string) bool {
	if c.trusted != nil {
		return c.trusted[principal]
	}
	return c.ring.Knows(did)
}

// A verdict is the voice with which a statement speaks, and what is wrong with it.
type verdict struct {
	voice  state.Voice
	status report.Status
	why    string
}

// judge returns the voice of a statement, and what is wrong with it.
func (c *court) judge(f *fact) verdict {
	f.stub(&c.judged)
	voice, fault := c.ring.Judge(&c.judged)
	s := verdict{voice: voice, status: report.OK}
	speaks := f.author // for itself, or its delegation does
	if !f.delegation.IsZero() {
		d, held := c.ring.Delegated(f.delegation)
		if !held {
			s.status, s.why = report.DelegationInvalid, "its delegation, key:"+f.delegation.Short()+
				", is not here or its author could not give it"
			return s
		}
		speaks = d.Header.Author
	} else if f.ref.Kind == memory.KindKey {
		// a recovery key speaks for those who committed to it, about keys alone
		if whose, committed := c.recoverable[state.Commitment(f.author)]; committed {
			s.voice.Principal = whose
			speaks = whose
		}
	}
	switch fault {
	case state.Sound:
	case state.DelegationInvalid:
		s.status, s.why = report.DelegationInvalid, "its delegation does not cover it"
	case state.KeyExpired:
		s.status, s.why = report.KeyExpired, "it was written after the delegation ended"
	case state.KeyRevoked, state.KeyCompromised:
		s.status, s.why = report.KeyRevoked, "it came after its key was taken back or replaced"
		if fault == state.KeyCompromised {
			s.why = "it came when its key was no longer its owner's alone"
		}
	default:
		s.status, s.why = report.DelegationInvalid, string(fault)
	}
	if s.status == report.OK && !c.knows(s.voice.Principal, speaks) {
		s.status, s.why = report.UnknownKey, "nothing here says whose the key "+speaks+" is"
		if c.trusted != nil {
			s.why = "the key " + speaks + " belongs to none of the owners that are trusted"
		}
	}
	return s
}

// statusOf returns the voice of a statement, and how it stands.
func (c *court) statusOf(i int) (state.Voice, report.Status) {
	f := c.a.held.fact(i)
	v := c.judge(f)
	if v.status == report.OK && c.a.missing(f) != "" {
		v.status = report.MissingParent
	}
	return v.voice, v.status
}

// judgeAll judges every sound statement and returns the findings.
func (c *court) judgeAll() []report.Finding {
	a := c.a
	var found []report.Finding
	add := func(f *fact, s report.Status, why string) {
		a.report.Counts[s]++
		if len(found) < a.limit {
			found = append(
				found,
				report.Finding{Line: f.line, Ref: f.ref.String(), Status: s, Why: why, Author: f.author, Agent: f.agent},
			)
		}
	}
	speak := make(map[string]int)
	said := c.purgeable()
	f := new(fact)
	for i := range a.held.facts() {
		if a.held.load(i, f); f.known {
			continue
		}
		s := c.judge(f)
		if s.voice.Principal != "" {
			speak[s.voice.Principal]++
		}
		if s.status != report.OK {
			add(f, s.status, s.why)
		} else if why := a.missing(f); why != "" {
			add(f, report.MissingParent, why)
		} else {
			a.report.Counts[report.OK]++
		}
	}
	for _, e := range a.erased {
		f := &fact{line: e.line, ref: e.ref}
		if c.mayErase(said[e.ref.ID], e) {
			a.report.Counts[report.Erased]++
		} else {
			add(f, report.MissingParent, "purged, and no purge by one who may is on record")
		}
	}
	c.roots(speak)
	return found
}

// notHere returns which of the records that a statement rests on are not here.
func (a *Auditor) notHere(i int) (out []memory.Ref) {
	for _, ref := range a.held.fact(i).cites {
		if at, held := a.held.find(ref.ID); !held || at.kind != ref.Kind {
			out = append(out, ref)
		}
	}
	return out
}

// missing says which of the records that f rests on is not here, or is another
// than f says.
func (a *Auditor) missing(f *fact) string {
	for _, ref := range f.cites {
		switch at, held := a.held.find(ref.ID); {
		case !held:
			return "it cites " + ref.Short() + ", which is not here"
		case at.kind != ref.Kind:
			return fmt.Sprintf("it cites %s as a %s, and it is a %s", ref.Short(), ref.Kind, at.kind)
		}
	}
	return ""
}

// purgeable returns, by id, the marks that purge it.
func (c *court) purgeable() map[memory.ID][]int {
	wanted := make(map[memory.ID]bool, len(c.a.erased))
	for _, e := range c.a.erased {
		wanted[e.ref.ID] = true
	}
	said := make(map[memory.ID][]int)
	for _, p := range c.a.purges {
		for _, ref := range p.refs {
			if wanted[ref.ID] {
				said[ref.ID] = append(said[ref.ID], p.by)
			}
		}
	}
	return said
}

// mayErase reports whether one of the marks is by somebody who may erase a record
// whose author cannot be known any more: the owner of its space, or an owner who
// is trusted by name.
func (c *court) mayErase(marks []int, e erasure) bool {
	for _, i := range marks {
		s := c.judge(c.a.held.fact(i))
		if s.status != report.OK || !s.voice.Owner {
			continue
		}
		if c.trusted != nil {
			return true
		}
		for _, space := range e.spaces {
			owner, handed := c.ring.Owner(space)
			if handed && s.voice.Owns == space || !handed && c.ring.Principal(owner) == s.voice.Principal {
				return true
			}
		}
	}
	return false
}

// maxRoots bounds how many owners a report shows.
const maxRoots = 1000

// roots reports the owners' keys and how many statements speak for each.
func (c *court) roots(speak map[string]int) {
	named := make(map[string]string)
	for _, r := range c.a.keys {
		b := r.Body.(*memory.Key)
		if b.Op == memory.OpInception && b.Key == r.Header.Author && named[b.Key] == "" {
			named[b.Key] = b.Name
		}
	}
	for did, n := range speak {
		print, err := keys.Fingerprint(did)
		if err != nil {
			print = ""
		}
		c.a.report.Roots = append(c.a.report.Roots, report.Root{DID: did, Fingerprint: print, Name: named[did],
			Statements: n})
	}
	sorting.By(c.a.report.Roots, func(x, y report.Root) int {
		return cmp.Or(cmp.Compare(y.Statements, x.Statements), strings.Compare(x.DID, y.DID))
	})
	c.a.report.Roots = c.a.report.Roots[:min(len(c.a.report.Roots), maxRoots)]
}
