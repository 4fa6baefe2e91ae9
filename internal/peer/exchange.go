package peer

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/stemma-memory/stemma/internal/state"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Options say what an exchange is to do.
type Options struct {
	Peer   string // what the store calls the peer: under this it remembers how far it came
	Store  string // the name of the store
	Push   bool
	Pull   bool
	Filter Filter
	Choose func(space string) bool // which spaces; nil is all
	Expect []string                // spaces of which the peer showed a log before, and must
	Accept bool                    // a person accepted that the peer's history was rewritten: start over
	Page   int                     // records at a time; 0 is as many as both sides take
	Tries  int                     // of a request before the exchange fails; 0 is 3
}

// A Report is what came of an exchange.
type Report struct {
	Name   string        `json:"name"` // of the peer's store
	Spaces []SpaceReport `json:"spaces"`

	// What the peer said when the exchange began: of all spaces that are exchanged, also those that it did not reach.
	Told []Told `json:"told,omitempty"`
	// Begins begins the names of the spaces that this store may begin there; "*" is any.
	Begins string `json:"begins,omitempty"`
	// Not are those of them that are another's now.
	Not []string `json:"not,omitempty"`
}

// Told is what a peer said of a space.
type Told struct {
	Space string `json:"space"`
	Size  int64  `json:"size"`  // of its log
	Gives bool   `json:"gives"` // this store may push to it
}

// SpaceReport is what came of one space.
type SpaceReport struct {
	Space    string    `json:"space"`
	Pushed   int       `json:"pushed"`
	Pulled   int       `json:"pulled"`
	Size     int64     `json:"size"`              // of the peer's log, as it is known now
	Cosigned int64     `json:"cosigned"`          // of the own log, in all
	Taken    int64     `json:"taken"`             // how far the peer's log was taken, in all
	Role     Role      `json:"role,omitempty"`    // what the peer lets this store do in it
	Given    store.Seq `json:"given"`             // how far the own log was offered, in all
	Refused  []Refusal `json:"refused,omitempty"` // of what the peer gave, and not stored
	Back     []Refusal `json:"back,omitempty"`    // what the peer did not take
	// what the peer calls purged, and of which nothing else is known; see Unmarked
	Gone     []memory.Ref `json:"gone,omitempty"`
	MoreGone bool         `json:"more_gone,omitempty"`
	Problem  string       `json:"problem,omitempty"` // why nothing went on
	Code     string       `json:"code,omitempty"`    // of the problem: history_rewritten, denied, …
}

// An Exchange is one sync of a store with a peer: a sequence of effects. It does
// nothing itself, has no clock and throws no dice. It may be stopped after any effect
// and another begun from what was remembered.
type Exchange struct {
	asker
	o          Options
	w          witness
	book       *KeyBook
	ring       *state.Keyring
	until      map[string]store.Seq // how far the own logs were when it began
	sentKeys   map[memory.ID]bool   // key records that the peer is known to have
	acked      map[memory.ID]bool   // stored by the peer in this exchange, and to be seen in its log
	most       int                  // records that the peer takes at once
	emptyPages int                  // pages one after the other of which the peer had nothing
	report     Report
	err        error
}

// New makes an exchange.
func New(o Options) *Exchange {
	if o.Page <= 0 || o.Page > MostLines {
		o.Page = MostLines
	}
	if o.Tries <= 0 {
		o.Tries = 3
	}
	x := &Exchange{o: o, sentKeys: make(map[memory.ID]bool), until: make(map[string]store.Seq)}
	x.tries, x.most = o.Tries, MostLines
	return x
}

// Report returns what came of the exchange so far; Err why it ended, nil at its end.
func (x *Exchange) Report() Report { return x.report }

// Err returns why the exchange ended before it was through.
func (x *Exchange) Err() error { return x.err }

// known compares the peer with the one that was met first under this name.
func (x *Exchange) known(w Welcome) error {
	raw, err := ask[Recall, []byte](&x.asker, Recall{pinName(x.o.Peer)})
	if err != nil {
		return err
	}
	var pin Pin
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &pin); err != nil {
			return fmt.Errorf("the saved state of the peer %s is damaged: %w", x.o.Peer, err)
		}
	}
	now := Pin{w.Name, w.Key}
	x.w = witness{w.Name, w.Key}
	switch {
	case pin == now:
		return nil
	case len(raw) > 0 && !x.o.Accept:
		return rewritten("it is another store, or has another key, than when it was met first: %s was %s", w.Name, pin.Name)
	}
	out, err := json.Marshal(now)
	if err == nil {
		_, err = ask[Remember, Done](&x.asker, Remember{pinName(x.o.Peer), raw, out})
	}
	if errors.Is(err, store.ErrConflict) {
		return fmt.Errorf("%w with %s", ErrUnderWay, x.o.Peer)
	}
	return err
}

// place reads the saved state of a space. Another filter starts over: offers make that cheap.
func (x *Exchange) place(space string) (*Place, error) {
	raw, err := ask[Recall, []byte](&x.asker, Recall{placeName(x.o.Peer, space)})
	if err != nil {
		return nil, err
	}
	p, err := PlaceOf(raw)
	if err != nil {
		return nil, err
	}
	if x.o.Accept {
		p = &Place{raw: raw, Role: p.Role, Filter: x.o.Filter.print()}
	}
	if f := x.o.Filter.print(); p.Filter != f {
		*p = Place{raw: raw, Role: p.Role, Held: p.Held, Refused: p.Refused, Filter: f}
	}
	return p, nil
}

// save remembers a place.
func (x *Exchange) save(space string, p *Place) error {
	raw, err := json.Marshal(p)
	if err != nil || string(raw) == string(p.raw) {
		return err
	}
	_, err = ask[Remember, Done](&x.asker, Remember{placeName(x.o.Peer, space), p.raw, raw})
	if errors.Is(err, store.ErrConflict) {
		return fmt.Errorf("%w with %s", ErrUnderWay, x.o.Peer)
	}
	if err == nil {
		p.raw = raw
	}
	return err
}

// readBook reads the key records held, and what follows from them.
func (x *Exchange) readBook() error {
	if x.book != nil {
		return nil
	}
	held, err := ask[HeldKeys, []*memory.Record](&x.asker, HeldKeys{})
	if err != nil {
		return err
	}
	if x.ring, err = ask[HeldRing, *state.Keyring](&x.asker, HeldRing{}); err != nil {
		return err
	}
	x.book = NewKeyBook(held)
	return nil
}
