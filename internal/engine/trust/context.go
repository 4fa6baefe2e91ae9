package trust

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

// Context is the input of trust scores besides the record itself: the reader, the people
// introduced by them and their friends, and each author's reputation.
type Context struct {
	Root    string // the principal who looks; "" is nobody
	Ring    *state.Keyring
	graph   *score.Introductions
	names   map[string]string // by principal, as they were introduced
	Upheld  map[string]int    // by principal: confirmed and undisputed memories
	Failed  map[string]int    // by principal: disputes that were upheld, verdicts that were rejected
	spoken  bool              // somebody witnessed, or something is anchored
	counted bool              // the three before are known
	now     time.Time

	shared  map[string]bool // the spaces that a remote exchanges
	members vouches         // of spaces of which the reader accepted a keeper
	foreign bool            // the store is not the reader's: all that is in it is external
}

// Scored is what the voices of one opened store share of trust.
type Scored struct{ Trusted contextCache }

// contextCache keeps one as long as nothing is written and the minute lasts.
type contextCache struct {
	sync.Mutex
	Last   *Context
	spaces []store.Space
}

// contextNow returns who has a say, and with counted what became of what each said.
func (e *Scores) contextNow(rd *Reading, counted bool) (*Context, error) {
	spaces, err := rd.Spaces()
	if err != nil {
		return nil, core.Classify(err)
	}
	now := e.C.Now()
	e.Trusted.Lock()
	defer e.Trusted.Unlock()
	l := e.Trusted.Last
	if l == nil || !slices.Equal(spaces, e.Trusted.spaces) ||
		!now.Truncate(time.Minute).Equal(l.now.Truncate(time.Minute)) {
		if l, err = e.voices(rd, now); err != nil {
			return nil, err
		}
	}
	if counted && !l.counted {
		v := *l // others read that one
		if err := v.records(rd); err != nil {
			return nil, err
		}
		l = &v
	}
	e.Trusted.Last, e.Trusted.spaces = l, spaces
	return l, nil
}

// voices reads who has a say at a time.
func (e *Scores) voices(rd *Reading, now time.Time) (v *Context, err error) {
	v = &Context{names: make(map[string]string), now: now, foreign: e.C.Foreign}
	if v.Ring, err = rd.Keyring(); err != nil {
		return nil, err
	}
	if v.Root, err = e.root(); err != nil {
		return nil, err
	}
	if v.shared, err = e.Shared(rd); err != nil {
		return nil, err
	}
	if v.members, err = e.vouches(rd, v); err != nil {
		return nil, err
	}
	var list []score.Introduction
	for _, i := range v.Ring.Introductions() {
		list = append(list, score.Introduction{By: i.By, Whom: i.Whom})
		if i.By == v.Root && i.Name != "" {
			v.names[i.Whom] = i.Name
		}
	}
	v.graph = score.NewIntroductions(v.Root, list)
	return v, nil
}

// root is the principal who looks: the one whose keys there are. Without keys nobody looks, whoever owns the store.
func (e *Scores) root() (string, error) {
	me, err := e.KnownKeys()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err == nil && me != nil {
		return me.Principal, nil
	}
	return "", nil
}

// Controller is whose voice a record is, where nothing is wrong with it.
func (v *Context) Controller(r *memory.Record) string { return v.Ring.Voice(r).Principal }

// Knows reports whether a principal is the reader or was introduced to them.
func (v *Context) Knows(principal string) bool {
	return principal != "" && (principal == v.Root || v.graph.Reaches(principal))
}

// Reputation is what an author's record so far is worth. Somebody no one
// introduced has none.
func (v *Context) Reputation(principal string) int {
	if !v.Knows(principal) {
		return 0
	}
	return score.Reputation(v.Upheld[principal], v.Failed[principal])
}

// Called returns the name a principal was introduced by.
func (v *Context) NameOf(principal string) string {
	if principal == v.Root && v.Root != "" {
		return "you"
	}
	return v.names[principal]
}

// By names the author of a record that is another person's: as the reader introduced them, or by
// the beginning of their key. It is "" for the reader's own and their agents'.
func (v *Context) By(r *memory.Record) string {
	p := v.Controller(r)
	switch {
	case v.Root == "" || p == v.Root:
		return ""
	case p == "":
		p = r.Header.Author
	}
	const enough = 12
	key := shorten.To(strings.TrimPrefix(p, "did:key:"), enough)
	return core.Or(core.Or(v.NameOf(p), v.vouchedName(p, r.Header.Space)), key)
}

// writtenIn says who wrote a record of a shared space, and in which, where another person did.
func (v *Context) writtenIn(r *memory.Record) string {
	if !v.shared[r.Header.Space] {
		return ""
	}
	by := v.By(r)
	if by == "" {
		return ""
	}
	_, name, _ := strings.Cut(r.Header.Space, "/")
	return shorten.To(by, 60) + " in " + name
}

// records counts what became of what each author said and confirmed.
func (v *Context) records(rd *Reading) error {
	v.counted, v.Upheld, v.Failed = true, make(map[string]int), make(map[string]int)
	any := store.Query{Kinds: []memory.Kind{memory.KindAnchor}, Hidden: true, Limit: 1}
	for _, err := range rd.scores.Store.List(rd, any) {
		if err != nil {
			return core.Classify(err)
		}
		v.spoken = true
	}
	subjects := make(map[memory.ID]bool)
	var ids []memory.ID
	for it, err := range rd.scores.Store.List(rd, store.Query{Kinds: []memory.Kind{memory.KindWitness}, Hidden: true}) {
		if err != nil {
			return core.Classify(err)
		}
		if it.Record == nil {
			continue
		}
		if w, ok := it.Record.Body.(*memory.Witness); ok && !subjects[w.Of.ID] {
			subjects[w.Of.ID] = true
			ids = append(ids, w.Of.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	v.spoken = true
	items, err := rd.Get(ids...)
	if err != nil {
		return core.Classify(err)
	}
	items = slices.DeleteFunc(items, func(it *store.Item) bool { return it == nil || it.Record == nil })
	said, err := v.said(rd, items, 0)
	if err != nil {
		return err
	}
	for _, it := range items {
		if it.State.Review == state.ReviewRejected || it.State.Quarantined || it.Doubt != "" {
			continue // an invalid record speaks for no one
		}
		author := v.Controller(it.Record)
		f := score.Facts{Signature: score.Valid, Author: author, Introductions: v.graph}
		for _, w := range said.Verdicts[it.Ref.ID] {
			f.Verdicts = append(f.Verdicts, w.Verdict)
			if w.agent {
				continue // the agent's word, which moves nobody's record
			}
			if w.Rejected && w.Controller != "" {
				v.Failed[w.Controller]++
			}
			if w.Upheld && w.Says == score.Dispute {
				v.Failed[author]++
			}
		}
		if r := score.Score(f, score.Seed()); r.ConfirmVoices > 0 && r.DisputeVoices == 0 {
			v.Upheld[author]++
		}
	}
	return nil
}

// A Most is the highest score that memories here can have.
type Most struct {
	Any      int
	Imported int // one whose words were somewhere else before
}

// Most is the highest score that any memory here can have: where no one
// witnessed and nothing is anchored, that of the author with the best record.
// The signature of what was imported is not that of who said it, and adds nothing.
func (v *Context) Most() Most {
	p := score.Seed()
	if v.spoken {
		return Most{score.One, p.Witness + p.Witnesses + p.Anchor + p.Anchors}
	}
	best := score.Reputation(0, 0)
	for who, n := range v.Upheld {
		best = max(best, score.Reputation(n, v.Failed[who]))
	}
	return Most{Any: p.Signature + p.Reputation*best/score.One}
}

// KeyNamed reads a key, or the name it was introduced by.
func (e *Scores) KeyNamed(v *Context, s string) (string, error) {
	if did, _, err := keys.PublicOf([]byte(s)); err == nil {
		return did, nil
	} else if strings.HasPrefix(s, "did:") || strings.HasPrefix(s, "ssh-") {
		return "", core.Invalid("key: %s", core.OneLine(err))
	}
	var found []string
	for _, i := range v.Ring.Introductions() {
		if did := v.Ring.Current(i.Whom); i.By == v.Root && i.Name == s && !slices.Contains(found, did) {
			found = append(found, did)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", core.NotFound("no key is introduced as %q: `keys` shows those that are", shorten.To(s, 80))
	}
	return "", &core.Failure{
		Kind: api.ErrAmbiguous, Text: "several keys are introduced as " + s + ": " + strings.Join(found, ", "),
	}
}

// PersonSays reports whether a person who has a say wrote a memory, or approved it.
func (v *Context) PersonSays(it *store.Item) bool {
	voice := v.Ring.Voice(it.Record)
	return voice.Owner && v.Knows(voice.Principal) ||
		it.State.Review == state.ReviewApproved && v.Knows(v.Ring.Principal(it.State.ReviewedBy))
}
