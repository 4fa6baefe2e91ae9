package carrier

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/memory"
)

// Offer says which records no one has given to the folder yet. What another store
// gave counts if it is good: a spoilt copy keeps no good one away.
func (s *stored) Offer(_ context.Context, in peer.Offer) (peer.Wanted, error) {
	var out peer.Wanted
	if s.self == nil {
		return out, denied(s)
	}
	l, err := s.read(in.Space)
	if err != nil {
		return out, err
	}
	if _, err := s.keyIDs(); err != nil {
		return out, err
	}
	if len(l.ids) > 0 { // it may have been cut off before it said what the log is
		if err := s.addBundle(in.Space, l, nil); err != nil {
			return out, err
		}
	}
	given := s.given(in.Space)
	for _, id := range in.IDs {
		_, held := l.at[id]
		if !held && s.keys[id] == nil && !given(id) {
			out.IDs = append(out.IDs, id)
		}
	}
	return out, nil
}

// given reports whether another store gave a record.
func (s *stored) given(space string) func(memory.ID) bool {
	type given struct {
		*log
		size int64
	}
	var logs []given
	for _, o := range s.others {
		l, err := o.read(space)
		if err != nil {
			continue // nothing is missed: it is given twice then
		}
		if head, err := o.head(space); err == nil {
			logs = append(logs, given{l, head.Size})
		}
	}
	return func(id memory.ID) bool {
		return slices.ContainsFunc(logs, func(l given) bool {
			at, held := l.at[id]
			if !held || int64(at) >= l.size {
				return false
			}
			_, err := envelope.Read(l.lines[at])
			return err == nil
		})
	}
}

func denied(s *stored) error {
	return fmt.Errorf("%w: the part of the folder that is of the store %s is its own", peer.ErrDenied, s.Name)
}

// Push writes a bundle, and then what the log is with it.
func (s *stored) Push(_ context.Context, in peer.Push) (peer.Acks, error) {
	var acks peer.Acks
	if s.self == nil {
		return acks, denied(s)
	}
	l, err := s.read(in.Space)
	if err != nil {
		return acks, err
	}
	if _, err := s.keyIDs(); err != nil {
		return acks, err
	}
	var bundle, keyLines [][]byte
	for i, raw := range in.Lines {
		r, err := envelope.Read(raw)
		if err != nil {
			acks.Refused = append(acks.Refused, peer.Refusal{Line: i, Why: err.Error()})
			continue
		}
		_, held := l.at[r.ID]
		switch {
		case r.Header.Kind == memory.KindKey && s.keys[r.ID] == nil:
			keyLines = append(keyLines, raw)
			fallthrough
		case r.Header.Space == in.Space && !held:
			if r.Header.Space == in.Space && !held {
				bundle = append(bundle, raw)
			}
			acks.Stored = append(acks.Stored, r.ID)
		default:
			acks.Held = append(acks.Held, r.ID)
		}
	}
	if err := s.introduce(in.Space); err != nil {
		return acks, err
	}
	if err := s.addKeys(keyLines); err != nil {
		return acks, err
	}
	return acks, s.addBundle(in.Space, l, bundle)
}

// introduce writes who the store is, and what a directory is of.
func (s *stored) introduce(space string) error {
	if err := s.mkdir(s.spaceDir(space)); err != nil {
		return err
	}
	me, err := json.Marshal(s.who)
	if err != nil {
		return err
	}
	if err := s.write(filepath.Join(s.dir, storeFile), me, nil); err != nil {
		return err
	}
	return s.write(filepath.Join(s.spaceDir(space), spaceFile), []byte(space), nil)
}

// addKeys writes the file of key records again, with more.
func (s *stored) addKeys(lines [][]byte) error {
	if len(lines) == 0 {
		return nil
	}
	s.keys = nil // another sync of this store may have added some
	if _, err := s.keyIDs(); err != nil {
		return err
	}
	all := make(map[memory.ID][]byte)
	maps.Copy(all, s.keys)
	for _, l := range lines {
		all[idOf(l)] = l
	}
	ids := slices.Collect(maps.Keys(all))
	sorting.By(ids, memory.ID.Compare)
	var out [][]byte
	for _, id := range ids {
		if _, err := envelope.Parse(all[id]); err == nil { // what somebody else put there is not carried on
			out = append(out, all[id])
		}
	}
	if err := s.write(filepath.Join(s.dir, keysFile), joined(out), nil); err != nil {
		return err
	}
	s.keys = all
	return nil
}

// addBundle writes lines that go on from the log, and what the log is then. Cut off
// between the two, the head is written with the next.
func (s *stored) addBundle(space string, l *log, lines [][]byte) error {
	if len(lines) > 0 {
		if err := s.add(filepath.Join(s.spaceDir(space), bundleName(len(l.ids))), joined(lines)); err != nil {
			delete(s.logs, space) // it is read anew when this is asked again
			return err
		}
		for _, line := range lines {
			id := idOf(line)
			l.at[id] = len(l.ids)
			l.ids, l.lines = append(l.ids, id), append(l.lines, line)
		}
	}
	head, err := s.head(space)
	if err != nil || head.Size == int64(len(l.ids)) {
		return err
	}
	var f ledger.Frontier
	for _, id := range l.ids {
		f.Append(ledger.Hash(id))
	}
	origin := peer.Origin(s.Name, space)
	signer, err := s.self.Sign(origin)
	if err != nil {
		return err
	}
	note, err := ledger.Sign(ledger.Checkpoint{Origin: origin, Size: f.Size(), Root: f.Root()}, signer)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(peer.Head{Size: f.Size(), Root: ledger.EncodeHash(f.Root()), Note: string(note)})
	if err != nil {
		return err
	}
	next := filepath.Join(s.spaceDir(space), bundleName(len(l.ids)))
	return s.write(filepath.Join(s.spaceDir(space), headFile), raw, func(root *os.Root) bool {
		_, err := root.Lstat(next)
		return err != nil // whoever went on from here says what the log is then
	})
}

func joined(lines [][]byte) []byte {
	return append(bytes.Join(lines, []byte("\n")), '\n')
}
