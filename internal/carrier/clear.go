package carrier

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/memory"
)

// goneLine stands in a bundle where a record was whose words were purged, as it does in
// an export: the log keeps the ids that its head speaks of.
type goneLine struct {
	Purged struct {
		Ref memory.Ref `json:"ref"`
	} `json:"purged"`
}

// goneOf returns the record whose words were taken out of a line.
func goneOf(line []byte) (memory.Ref, bool) {
	var g goneLine
	if !bytes.HasPrefix(line, []byte(`{"purged":`)) || json.Unmarshal(line, &g) != nil || g.Purged.Ref.ID.IsZero() {
		return memory.Ref{}, false
	}
	return g.Purged.Ref, true
}

// Clear takes out of a space's bundles the lines of records that are purged, by what the
// store says of them, and gives how many went. What other stores wrote is theirs to clear.
func (s *stored) Clear(ctx context.Context, space string, purged peer.PurgedOf) (int, error) {
	if s.self == nil {
		return 0, denied(s)
	}
	dir := s.spaceDir(space)
	entries, err := s.list(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	cleared := 0
	for _, e := range entries {
		if _, bundle := bundleAt(e.Name()); !bundle {
			continue
		}
		n, err := s.clearBundle(ctx, filepath.Join(dir, e.Name()), purged)
		cleared += n
		if err != nil {
			return cleared, err
		}
	}
	if cleared > 0 {
		delete(s.logs, space)
	}
	return cleared, nil
}

func (b base) clearBundle(ctx context.Context, name string, purged peer.PurgedOf) (int, error) {
	var lines [][]byte
	var ids []memory.ID
	if err := b.eachLine(name, func(line []byte) {
		lines = append(lines, line)
		if _, gone := goneOf(line); !gone {
			ids = append(ids, idOf(line))
		}
	}); err != nil {
		return 0, err
	}
	gone := make(map[memory.ID]memory.Ref)
	for part := range slices.Chunk(ids, peer.MostIDs) {
		some, err := purged(ctx, part)
		if err != nil {
			return 0, err
		}
		for _, r := range some {
			gone[r.ID] = r
		}
	}
	cleared := 0
	for i, line := range lines {
		ref, is := gone[idOf(line)]
		if _, before := goneOf(line); before || !is {
			continue
		}
		var short goneLine
		short.Purged.Ref = ref
		var err error
		if lines[i], err = json.Marshal(short); err != nil {
			return 0, err
		}
		cleared++
	}
	if cleared == 0 {
		return 0, nil
	}
	if err := b.write(name, joined(lines), nil); err != nil {
		return 0, fmt.Errorf("purged bytes remain in %s: %w", b.path(name), err)
	}
	return cleared, nil
}
