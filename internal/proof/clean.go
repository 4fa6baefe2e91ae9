package proof

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/stemma-memory/stemma/internal/ledger"
)

// Clean says up to where a check of a whole store found nothing wrong.
type Clean struct {
	Store  string               `json:"store"`  // its name
	Checks int                  `json:"checks"` // the version of what was checked
	At     time.Time            `json:"at"`     // when it was checked up to there
	Whole  time.Time            `json:"whole"`  // when all of it was last read
	Spaces map[string]CleanHead `json:"spaces"`
}

// A CleanHead is a log as it was then.
type CleanHead struct {
	Tree ledger.Frontier `json:"-"`
	Keys ledger.Frontier `json:"-"` // over its records about keys
}

type headOnDisk struct {
	Tree []byte `json:"tree"`
	Keys []byte `json:"keys"`
}

// MarshalJSON writes both trees.
func (h CleanHead) MarshalJSON() ([]byte, error) {
	tree, err := h.Tree.MarshalBinary()
	if err != nil {
		return nil, err
	}
	keys, err := h.Keys.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return json.Marshal(headOnDisk{tree, keys})
}

// UnmarshalJSON reads both trees.
func (h *CleanHead) UnmarshalJSON(raw []byte) error {
	var disk headOnDisk
	if err := json.Unmarshal(raw, &disk); err != nil {
		return err
	}
	if err := h.Tree.UnmarshalBinary(disk.Tree); err != nil {
		return err
	}
	return h.Keys.UnmarshalBinary(disk.Keys)
}

type cleanOnDisk struct {
	Clean json.RawMessage `json:"clean"`
	Mark  []byte          `json:"mark"`
}

func (b *Book) cleanFile(check string) string { return filepath.Join(b.dir, "clean-"+check) }

// Clean returns how far a check, by its name, found nothing wrong. It is nil where none did, and
// ErrEdited where somebody else wrote it.
func (b *Book) Clean(check string) (*Clean, error) {
	path := b.cleanFile(check)
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, readable(err)
	}
	var disk cleanOnDisk
	c := new(Clean)
	if json.Unmarshal(raw, &disk) != nil || !b.seal.Is(disk.Mark, "clean "+check, b.name, disk.Clean) ||
		json.Unmarshal(disk.Clean, c) != nil {
		return nil, edited(path)
	}
	return c, nil
}

// DropClean forgets it, where something was found since.
func (b *Book) DropClean(check string) error { return readable(os.Remove(b.cleanFile(check))) }

// SetClean remembers it, in one step.
func (b *Book) SetClean(check string, c *Clean) error {
	raw, err := json.Marshal(c)
	if err != nil {
		return err
	}
	m := b.seal.Mark("clean "+check, b.name, raw)
	if raw, err = json.Marshal(cleanOnDisk{raw, m[:]}); err != nil {
		return err
	}
	return replace(b.cleanFile(check), func(f *os.File) error {
		_, err := f.Write(raw)
		return err
	})
}
