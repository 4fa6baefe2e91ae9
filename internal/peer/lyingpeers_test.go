package peer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/memory"
)

// lies are what a hub may try. Each must be noticed, and harm nothing.
var lies = map[string]func(c *con){
	"forge: another signature": func(c *con) {
		c.remote.fetch = func(_ Fetch, l Lines) Lines {
			i := c.dice.IntN(len(l.Lines))
			l.Lines[i] = c.changed(l.Lines[i], func(e map[string]any) {
				sig := e["signatures"].([]any)[0].(map[string]any)
				s := []byte(sig["sig"].(string))
				at := c.dice.IntN(80)
				s[at] = "ABCDEFGH"[(strings.IndexByte("ABCDEFGH", s[at])+1)%8]
				sig["sig"] = string(s)
			})
			return l
		}
	},
	"forge: another author's key over it": func(c *con) {
		c.remote.fetch = func(_ Fetch, l Lines) Lines {
			i := c.dice.IntN(len(l.Lines))
			l.Lines[i] = c.changed(l.Lines[i], func(e map[string]any) {
				e["signatures"].([]any)[0].(map[string]any)["keyid"] = c.bob.key.DID()
			})
			return l
		}
	},
	"forge: no signature": func(c *con) {
		c.remote.fetch = func(_ Fetch, l Lines) Lines {
			i := c.dice.IntN(len(l.Lines))
			l.Lines[i] = c.changed(l.Lines[i], func(e map[string]any) { delete(e, "signatures") })
			return l
		}
	},
	"forge: other words under the id": func(c *con) {
		c.remote.fetch = func(_ Fetch, l Lines) Lines {
			i := c.dice.IntN(len(l.Lines))
			l.Lines[i] = c.changed(l.Lines[i], func(e map[string]any) {
				e["payload"] = strings.Replace(e["payload"].(string), "ZyI6", "ZyI7", 1) + "AAAA"
			})
			return l
		}
	},
	"forge: cut in half": func(c *con) {
		c.remote.fetch = func(_ Fetch, l Lines) Lines {
			i := c.dice.IntN(len(l.Lines))
			l.Lines[i] = l.Lines[i][:c.dice.IntN(len(l.Lines[i]))]
			return l
		}
	},
	"forge: in the voice of an agent nobody sent": func(c *con) {
		thief := c.bob.agent(c, "thief")
		thief.of = memory.ID{1}
		c.hub.add(c, thief.belief(c, c.space, "pay the thief"))
	},
	"forge: of another space": func(c *con) {
		c.remote.fetch = func(_ Fetch, l Lines) Lines {
			i := c.dice.IntN(len(l.Lines))
			l.Lines[i] = c.line(c.bob.belief(c, c.bob.home(), "elsewhere"))
			return l
		}
	},
	"drop: from a page": func(c *con) {
		c.remote.log = func(_ LogRequest, p LogPage) LogPage {
			if n := len(p.Entries); n > 0 {
				i := c.dice.IntN(n)
				p.Entries = slices.Delete(p.Entries, i, i+1)
			}
			return p
		}
	},
	"drop: a record of the log": func(c *con) {
		c.remote.fetch = func(_ Fetch, l Lines) Lines {
			i := c.dice.IntN(len(l.Lines))
			l.Lines = slices.Delete(l.Lines, i, i+1)
			return l
		}
	},
	"drop: said to be filtered": func(c *con) {
		c.remote.log = func(_ LogRequest, p LogPage) LogPage {
			if n := len(p.Entries); n > 0 {
				p.Entries[c.dice.IntN(n)].Skip = Filtered
			}
			return p
		}
		c.remote.fetch = func(_ Fetch, l Lines) Lines { return Lines{Lines: l.Lines[1:]} }
	},
	"drop: said to be purged": func(c *con) {
		one := c.page(int64(len(c.before))).Entries
		r, err := c.hub.Get(context.Background(), one[c.dice.IntN(len(one))].Ref.ID)
		if err != nil {
			c.Fatal(err)
		}
		c.gone(r[0].Record)
	},
	"drop: what it acknowledged": func(c *con) {
		c.a.add(c, c.agent.belief(c, c.space, "do not lose me"))
		c.remote.acks = func(a Acks) Acks { return a }
	},
	"drop: it says nothing of what was pushed": func(c *con) {
		c.a.add(c, c.agent.belief(c, c.space, "do not lose me"))
		c.remote.acks = func(a Acks) Acks { return Acks{} }
	},
	"drop: the end, signed": func(c *con) {
		n := len(c.hub.ids(c, c.space))
		c.tell()
		c.remote.Remote = c.fork(n - 1 - c.dice.IntN(2))
	},
	"reorder: a page": func(c *con) {
		c.remote.log = func(_ LogRequest, p LogPage) LogPage {
			if n := len(p.Entries); n > 1 {
				i := c.dice.IntN(n - 1)
				p.Entries[i], p.Entries[i+1] = p.Entries[i+1], p.Entries[i]
			}
			return p
		}
	},
	"reorder: the log, signed": func(c *con) {
		ids := c.hub.ids(c, c.space)
		c.tell()
		items, _ := c.hub.Get(context.Background(), ids[len(ids)-1], ids[len(ids)-2])
		c.remote.Remote = c.fork(len(ids)-2, items[0].Record, items[1].Record)
	},
	"replay: a page of before": func(c *con) {
		old := c.page(0)
		c.tell()
		c.more(3)
		c.remote.log = func(LogRequest, LogPage) LogPage { return old }
	},
	"replay: a record twice": func(c *con) {
		c.remote.log = func(_ LogRequest, p LogPage) LogPage {
			if len(p.Entries) > 0 {
				p.Entries = append(p.Entries, p.Entries[0])
			}
			return p
		}
	},
	"replay: an old head": func(c *con) {
		w, _ := c.remote.Remote.Hello(context.Background(), Hello{Version: Version, Store: "a"})
		c.tell()
		c.more(2)
		c.tell()
		c.remote.hello = func(Welcome) Welcome { return w }
	},
	"roll back: everything": func(c *con) {
		c.tell()
		c.remote.Remote = c.fork(0)
	},
	"roll back: to a backup": func(c *con) {
		n := len(c.hub.ids(c, c.space))
		c.tell()
		c.remote.Remote = c.fork(1 + c.dice.IntN(n-1))
	},
	"fork: after a backup it went on": func(c *con) {
		n := len(c.hub.ids(c, c.space))
		c.tell()
		var others []*memory.Record
		for i := range 4 + n {
			others = append(others, c.agent.belief(c, c.space, fmt.Sprint("another history ", i)))
		}
		c.remote.Remote = c.fork(c.dice.IntN(n), others...)
	},
	"fork: one record is another": func(c *con) {
		n := len(c.hub.ids(c, c.space))
		c.tell()
		c.remote.Remote = c.fork(n-1, c.agent.belief(c, c.space, "in its place"))
	},
	"fork: the head is of another log": func(c *con) {
		c.remote.log = func(_ LogRequest, p LogPage) LogPage {
			p.Head = c.sign("hub", c.bob.key.DID()+"/team", p.Head)
			return p
		}
	},
	"fork: signed by nobody": func(c *con) {
		c.remote.log = func(_ LogRequest, p LogPage) LogPage {
			p.Head.Root = ledger.EncodeHash(ledger.Hash{byte(c.dice.IntN(256))})
			return p
		}
	},
	"fork: another hub under the same name": func(c *con) {
		c.tell()
		other := newSite(c, "hub")
		other.key = c.bob.key
		c.remote.Remote = other.hub().For(Caller{Account: "all", Any: true})
	},
}
