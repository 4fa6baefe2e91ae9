package trust

import (
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	score "github.com/stemma-memory/stemma/internal/trust"
	"github.com/stemma-memory/stemma/memory"
)

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
