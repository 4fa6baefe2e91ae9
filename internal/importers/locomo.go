package importers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/strict"
)

// maxLoCoMo bounds a file of conversations, in bytes. All ten of them are less
// than 3 MiB.
const maxLoCoMo = 64 << 20

// LoCoMo reads conversations of the LoCoMo data set: a file of one, or the
// published file of all. It gives the turns of each as raws, then of each session
// the observations and the summary as notes derived from the turns they cite,
// and how many records that makes. A cited turn that does not exist is no source;
// the record keeps its name, under cites. The whole file is read before the
// first record is given, and the sequence can be gone through again.
func LoCoMo(path string) (Sequence, int, error) {
	data, err := readWhole(path)
	if err != nil {
		return nil, 0, err
	}
	stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	samples, err := conversations(data, stem)
	if err != nil {
		return nil, 0, api.Invalid("import locomo %s: %v", path, err)
	}
	var all []api.Foreign
	seen := make(map[string]bool)
	for _, s := range samples {
		if seen[s.name] {
			return nil, 0, api.Invalid("import locomo %s: two conversations are called %s", path, s.name)
		}
		seen[s.name] = true
		records, err := s.records()
		if err != nil {
			return nil, 0, api.Invalid("import locomo %s: %v", path, err)
		}
		all = append(all, records...)
	}
	return func(yield func(api.Foreign, error) bool) {
		for _, f := range all {
			if !yield(f, nil) {
				return
			}
		}
	}, len(all), nil
}

func readWhole(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, api.Invalid("import locomo %s: no such file", path)
	}
	if err != nil {
		return nil, fmt.Errorf("import locomo: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxLoCoMo+1))
	if err != nil {
		return nil, fmt.Errorf("import locomo %s: %w", path, err)
	}
	if len(data) > maxLoCoMo {
		return nil, api.Invalid("import locomo %s: is longer than %d MiB", path, maxLoCoMo>>20)
	}
	return data, nil
}

// A sample is one conversation: its members by name, whether they stood beside
// one another or in groups.
type sample struct {
	name    string
	members map[string]json.RawMessage
}

// groups are the members of the published file that hold the others.
var groups = []string{"conversation", "observation", "session_summary"}

// conversations takes a file of one conversation or of a list of them.
func conversations(data []byte, stem string) ([]*sample, error) {
	list := []map[string]json.RawMessage{nil}
	into := any(&list[0])
	one := !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("["))
	if !one {
		into = &list
	}
	if err := json.Unmarshal(data, into); err != nil {
		return nil, err
	}
	if err := strict.Valid(data, nil); err != nil {
		return nil, err
	}
	var samples []*sample
	for i, members := range list {
		s := &sample{name: stem, members: members}
		if !one {
			s.name = fmt.Sprintf("%s-%d", stem, i+1)
		}
		if id, ok := members["sample_id"]; ok {
			if err := json.Unmarshal(id, &s.name); err != nil || s.name == "" {
				return nil, fmt.Errorf("conversation %d: sample_id must be a string", i+1)
			}
		}
		if err := s.ungroup(); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		samples = append(samples, s)
	}
	return samples, nil
}

// ungroup lifts the members of groups beside the others.
func (s *sample) ungroup() error {
	for _, group := range groups {
		raw, ok := s.members[group]
		if !ok {
			continue
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(raw, &members); err != nil {
			return fmt.Errorf("%s: %w", group, err)
		}
		for name, m := range members {
			s.members[name] = m
		}
	}
	return nil
}

// records returns the turns of all sessions, then what was made of them: an
// observation may cite a turn of any session.
func (s *sample) records() ([]api.Foreign, error) {
	var numbers []int
	for name := range s.members {
		if n, ok := sessionNumber(name); ok {
			numbers = append(numbers, n)
		}
	}
	if len(numbers) == 0 {
		return nil, fmt.Errorf("%s: has no session_1; is it a conversation of LoCoMo?", s.name)
	}
	slices.Sort(numbers)
	var turns, notes []api.Foreign
	cited := &citations{byName: make(map[string]string), byPlace: make(map[place]string)}
	sessions := make([]*session, len(numbers))
	for i, n := range numbers {
		sessions[i] = &session{of: s, n: n, cited: cited}
		said, err := sessions[i].turns()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		turns = append(turns, said...)
	}
	for _, in := range sessions {
		made, err := in.notes()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		notes = append(notes, made...)
	}
	return append(turns, notes...), nil
}
