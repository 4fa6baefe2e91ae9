package peer

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// errStopped says that no one does what the exchange asks any more.
var errStopped = errors.New("the exchange was stopped")

// Options say what an exchange is to do.
type Options struct {
	Peer   string // what the store calls the peer: under this it remembers how far it came
	Store  string // the name of the store
	Push   bool
	Pull   bool
	Filter Filter
	Choose func(space string) bool // which spaces; nil is all
	Expect []string                // spaces of which the peer showed a log before, and must
	Accept bool                    // a person knows that the peer's history was rewritten: begin anew
	Page   int                     // records at a time; 0 is 1,000
	Tries  int                     // of a request before the exchange gives up; 0 is 3
}

// A Report is what came of an exchange.
type Report struct {
	Name   string        `json:"name"` // of the peer's store
	Spaces []SpaceReport `json:"spaces"`
}

// SpaceReport is what came of one space.
type SpaceReport struct {
	Space    string    `json:"space"`
	Pushed   int       `json:"pushed"`
	Pulled   int       `json:"pulled"`
	Size     int64     `json:"size"`              // of the peer's log, as it is known now
	Cosigned int64     `json:"cosigned"`          // of the own log, in all
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
	o      Options
	w      witness
	book   *KeyBook
	ring   *memory.Keyring
	until  map[string]store.Seq // how far the own logs were when it began
	told   map[memory.ID]bool   // key records that the peer is known to have
	acked  map[memory.ID]bool   // stored by the peer in this exchange, and to be seen in its log
	lacked int                  // pages one after the other of which the peer had nothing
	report Report
	err    error
}

// New makes an exchange.
func New(o Options) *Exchange {
	if o.Page <= 0 || o.Page > MostLines {
		o.Page = MostLines
	}
	if o.Tries <= 0 {
		o.Tries = 3
	}
	x := &Exchange{o: o, told: make(map[memory.ID]bool), until: make(map[string]store.Seq)}
	x.tries = o.Tries
	return x
}

// Report returns what came of the exchange so far; Err why it ended, nil at its end.
func (x *Exchange) Report() Report { return x.report }

// Err returns why the exchange ended before it was through.
func (x *Exchange) Err() error { return x.err }

// Effects returns what is to be done, one thing after the other.
func (x *Exchange) Effects() iter.Seq[Effect] {
	return func(yield func(Effect) bool) {
		x.yield = yield
		x.err = x.run()
	}
}

// run is the whole exchange. What is wrong with one space keeps none of the others
// waiting; a peer that cannot be reached ends it.
func (x *Exchange) run() error {
	w, err := request[Hello, Welcome](&x.asker, Hello{Version: Version, Store: x.o.Store})
	if err != nil {
		return err
	}
	if w.Version != Version {
		return fmt.Errorf("%w: the peer speaks %d, this is %d", ErrVersion, w.Version, Version)
	}
	if err := x.known(w); err != nil {
		return err
	}
	x.report.Name = w.Name
	spaces, err := x.spaces(w)
	if err != nil {
		return err
	}
	for _, s := range spaces {
		r := SpaceReport{Space: s.Space, Size: s.Size, Cosigned: s.Cosigned, Role: s.Role}
		err := x.space(s, &r)
		if err != nil && Lasting(err) {
			r.Problem, r.Code, err = err.Error(), Code(err), nil
		}
		x.report.Spaces = append(x.report.Spaces, r)
		if err != nil {
			return err
		}
	}
	return nil
}

// known compares the peer with the one that was met first under this name.
func (x *Exchange) known(w Welcome) error {
	raw, err := ask[Recall, []byte](&x.asker, Recall{pinName(x.o.Peer)})
	if err != nil {
		return err
	}
	var pin Pin
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &pin); err != nil {
			return fmt.Errorf("what is remembered of the peer %s is damaged: %w", x.o.Peer, err)
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

// spaces returns those to exchange, and notes how far the own logs are: what is written
// from now on goes the next time. Otherwise a key could write in one space that was
// done, end in another, and its end would go first. Spaces in which keys are replaced and taken back
// come last: what was signed before in others comes before it, then.
func (x *Exchange) spaces(w Welcome) ([]Shared, error) {
	var out []Shared
	there := make(map[string]bool)
	for _, s := range w.Spaces {
		if there[s.Space] = true; s.Role.May(Reader) && x.chosen(s.Space) {
			out = append(out, s)
		}
	}
	if x.o.Push {
		if err := x.readBook(); err != nil { // before: what is known of keys must not be newer than the logs
			return nil, err
		}
		own, err := ask[NoSpaces, []store.Space](&x.asker, NoSpaces{})
		if err != nil {
			return nil, err
		}
		for _, s := range own {
			x.until[s.Name] = s.Last
			begins := w.Any || w.Begin != "" && strings.HasPrefix(s.Name, w.Begin+"/")
			if !there[s.Name] && begins && x.chosen(s.Name) {
				out = append(out, Shared{Space: s.Name, Role: Writer})
			}
		}
	}
	for _, name := range x.o.Expect { // one that is not shown is as one that is empty
		if !there[name] && x.chosen(name) && !slices.ContainsFunc(out, func(s Shared) bool { return s.Space == name }) {
			out = append(out, Shared{Space: name, Role: Reader})
		}
	}
	slices.SortStableFunc(out, func(a, b Shared) int { return home(a.Space) - home(b.Space) })
	return out, nil
}

// home is 1 for a space that key records stand in by custom.
func home(space string) int {
	if strings.HasSuffix(space, "/main") {
		return 1
	}
	return 0
}

func (x *Exchange) chosen(space string) bool { return x.o.Choose == nil || x.o.Choose(space) }

// space exchanges one space: what is here goes first, then what is there comes.
func (x *Exchange) space(s Shared, r *SpaceReport) error {
	p, err := x.place(s.Space)
	if err != nil {
		return err
	}
	defer func() {
		r.Size, r.Refused, r.Back, r.Given = max(s.Size, p.Held.Size), p.Refused, p.Back, store.Seq(p.Push)
		r.Gone, r.MoreGone = p.Gone, p.MoreGone
	}()
	if err := x.begin(s, p); err != nil {
		return err
	}
	x.acked = make(map[memory.ID]bool)
	if x.o.Push && s.Role.May(Writer) {
		if err := x.push(s, p, r); err != nil {
			return err
		}
		if !x.o.Pull && len(x.acked) > 0 {
			if err := x.after(s.Space, p); err != nil {
				return err
			}
		}
	}
	if x.o.Pull {
		if err := x.pull(s, p, r); err != nil {
			return err
		}
	}
	if x.o.Push && s.Role.May(Writer) {
		return x.cosign(s, r)
	}
	return nil
}

// place reads what is remembered of a space. Another filter begins again: offers make
// that cheap.
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
		p = &Place{raw: raw, Filter: x.o.Filter.print()}
	}
	if f := x.o.Filter.print(); p.Filter != f {
		*p = Place{raw: raw, Held: p.Held, Refused: p.Refused, Filter: f}
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

// begin verifies what the peer says of its log against what is held of it.
func (x *Exchange) begin(s Shared, p *Place) error {
	if s.Size == 0 && p.Held.Size == 0 {
		return nil
	}
	if s.Size == p.Held.Size && s.Root == p.Held.Root {
		return nil // its signature was verified when it was held
	}
	if s.Size > 0 {
		if _, err := x.w.root(s.Space, s.Head); err != nil {
			return err
		}
	}
	var proof Proof
	if p.Held.Size > 0 && s.Size > p.Held.Size {
		var err error
		if proof, err = request[ProveRequest, Proof](&x.asker, ProveRequest{s.Space, p.Held.Size, s.Size}); err != nil {
			return err
		}
	}
	if err := grew(p.Held, s.Head, proof.Hashes); err != nil {
		return err
	}
	if p.Held = s.Head; x.o.Pull {
		return nil // remembered with the first page
	}
	return x.save(s.Space, p)
}

// after holds what the peer's log is once it has what was pushed, where no one is
// going to read it: so that it cannot be put back unnoticed.
func (x *Exchange) after(space string, p *Place) error {
	w, err := request[Hello, Welcome](&x.asker, Hello{Version: Version, Store: x.o.Store})
	if err != nil {
		return err
	}
	for _, s := range w.Spaces {
		if s.Space == space && s.Size >= p.Held.Size+int64(len(x.acked)) {
			return x.begin(s, p)
		}
	}
	return rewritten("it acknowledged %d records that do not stand in its log", len(x.acked))
}

// cosign has the peer sign that it saw the own log grow.
func (x *Exchange) cosign(s Shared, r *SpaceReport) error {
	show, err := ask[Show, CosignRequest](&x.asker, Show{s.Space, s.Cosigned, s.CosignedRoot, x.o.Accept})
	if err != nil || show.Note == "" {
		return err
	}
	signed, err := request[CosignRequest, Cosigned](&x.asker, show)
	if errors.Is(err, ErrRewritten) {
		return rewritten("the log of this store does not go on from what the peer saw of it, as when the store was "+
			"restored from a backup: %s",
			strings.TrimPrefix(err.Error(), ErrRewritten.Error()+": "))
	}
	if err != nil {
		return err
	}
	c, err := cosignedBy(x.w.key, show.Note, signed.Note)
	if err != nil {
		return err
	}
	r.Cosigned = c.Size
	_, err = ask[Hold, Done](&x.asker, Hold{s.Space, signed.Note, x.o.Peer})
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
	if x.ring, err = ask[HeldRing, *memory.Keyring](&x.asker, HeldRing{}); err != nil {
		return err
	}
	x.book = NewKeyBook(held)
	return nil
}
