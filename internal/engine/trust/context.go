package trust

import (
	"slices"
	"strings"
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

// NameOf returns the name a principal was introduced by.
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
