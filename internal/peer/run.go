package peer

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Run carries out an exchange and returns its result. Requests that the peer can answer
// meanwhile run concurrently, if it allows that: while the last records are stored, the next
// ones are requested and verified.
func Run(ctx context.Context, x *Exchange, local Doer, remote Remote) (Report, error) {
	var under []*begun
	for e := range x.Effects() {
		if err := ctx.Err(); err != nil {
			break
		}
		if b, ok := e.(*Begin); ok {
			if len(under) == 0 || concurrent(remote, b.Of, under) {
				under = append(under, launch(ctx, remote, b.Of))
			}
			continue
		}
		if at := slices.IndexFunc(under, func(b *begun) bool { return b.of == e }); at >= 0 {
			<-under[at].done
			under = slices.Delete(under, at, at+1)
			continue
		}
		if forPeer(e) && !concurrent(remote, e, under) {
			wait(under)
		}
		if !Ask(ctx, remote, e) {
			local.Do(ctx, e)
		}
	}
	wait(under)
	if err := ctx.Err(); err != nil {
		return x.Report(), err
	}
	return x.Report(), x.Err()
}

// Effects returns the steps of the exchange, one after the other.
func (x *Exchange) Effects() iter.Seq[Effect] {
	return func(yield func(Effect) bool) {
		x.yield = yield
		x.err = x.run()
	}
}

// run is the whole exchange. A problem with one space does not stop the others; a peer that
// cannot be reached ends the exchange.
func (x *Exchange) run() error {
	w, err := request[Hello, Welcome](&x.asker, Hello{Version: Version, Store: x.o.Store, Parts: true})
	if err != nil {
		return err
	}
	if w.Version != Version {
		return fmt.Errorf("%w: the peer speaks %d, this is %d", ErrVersion, w.Version, Version)
	}
	if err := x.known(w); err != nil {
		return err
	}
	if x.most = min(w.Lines, MostLines); x.most <= 0 {
		x.most = earlierLines
	}
	x.o.Page = min(x.o.Page, x.most)
	x.report.Name = w.Name
	spaces, err := x.spaces(w)
	if err != nil {
		return err
	}
	if x.report.Begins = "*"; !w.Any {
		x.report.Begins, x.report.Not = w.Begin, w.Not
	}
	for _, s := range spaces {
		x.report.Told = append(x.report.Told, Told{s.Space, s.Size, s.Role.May(Writer)})
	}
	if err := x.away(&w); err != nil {
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

// spaces returns the spaces to exchange, and notes the length of the local logs: later records
// go with the next exchange. Otherwise a key could write in a space that was already done, end
// in another, and its end would arrive first. Spaces in which keys are replaced or revoked
// come last, so that earlier signatures in other spaces arrive before.
func (x *Exchange) spaces(w Welcome) ([]Shared, error) {
	var out []Shared
	there := make(map[string]bool)
	offered := func(space string) bool { // or away: then nothing is offered to it, and nothing missed
		_, away := w.away(space)
		return there[space] || away
	}
	for _, s := range w.Spaces {
		if there[s.Space] = true; s.Role.May(Reader) && x.chosen(s.Space) {
			out = append(out, s)
		}
	}
	if x.o.Push {
		if err := x.readBook(); err != nil { // first: the key records must not be newer than the logs
			return nil, err
		}
		own, err := ask[NoSpaces, []store.Space](&x.asker, NoSpaces{})
		if err != nil {
			return nil, err
		}
		for _, s := range own {
			x.until[s.Name] = s.Last
			begins := w.Any || w.Begin != "" && strings.HasPrefix(s.Name, w.Begin+"/") && !slices.Contains(w.Not, s.Name)
			if !offered(s.Name) && begins && x.chosen(s.Name) {
				out = append(out, Shared{Space: s.Name, Role: Writer})
			}
		}
	}
	for _, name := range x.o.Expect { // one that is not shown is as one that is empty
		if !offered(name) && x.chosen(name) && !slices.ContainsFunc(out, func(s Shared) bool { return s.Space == name }) {
			out = append(out, Shared{Space: name, Role: Reader})
		}
	}
	sorting.By(out, func(a, b Shared) int { return home(a.Space) - home(b.Space) })
	return out, nil
}

// Unreachable is the code of a space that the peer cannot serve now.
const Unreachable = "unreachable"

// away reports the spaces that the peer cannot serve now, as they were left last time.
func (x *Exchange) away(w *Welcome) error {
	names := make([]string, 0, len(w.Away))
	for _, a := range w.Away {
		if !strings.HasSuffix(a.Space, "/") {
			names = append(names, a.Space)
		}
	}
	names = append(names, slices.Sorted(maps.Keys(x.until))...) // the own ones, if they are pushed
	for i, name := range names {
		why, away := w.away(name)
		served := slices.ContainsFunc(w.Spaces, func(s Shared) bool { return s.Space == name })
		if !away || served || !x.chosen(name) || slices.Contains(names[:i], name) {
			continue
		}
		p, err := x.place(name)
		if err != nil {
			return err
		}
		x.report.Told = append(x.report.Told, Told{name, p.Held.Size, p.Role.May(Writer)})
		x.report.Spaces = append(x.report.Spaces, SpaceReport{
			Space: name, Size: p.Held.Size, Role: p.Role, Given: store.Seq(p.Push), Taken: p.Pull,
			Problem: shorten.To(why, 300), Code: Unreachable,
		})
	}
	return nil
}

func (x *Exchange) chosen(space string) bool { return x.o.Choose == nil || x.o.Choose(space) }

// space exchanges one space: the local records are sent first, then the peer's are fetched.
func (x *Exchange) space(s Shared, r *SpaceReport) error {
	p, err := x.place(s.Space)
	if err != nil {
		return err
	}
	defer func() {
		r.Size, r.Refused, r.Back, r.Given = max(s.Size, p.Held.Size), p.Refused, p.Back, store.Seq(p.Push)
		r.Taken = p.Pull
		r.Gone, r.MoreGone = p.Gone, p.MoreGone
	}()
	if p.Role != s.Role {
		p.Role = s.Role
		if err := x.save(s.Space, p); err != nil {
			return err
		}
	}
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

// begin compares what the peer says about its log with what is known of it.
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
	return rewritten("it acknowledged %d records that are not in its log", len(x.acked))
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
