package gone

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/durable"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/journal"
	"github.com/stemma-memory/stemma/internal/probes"
	"github.com/stemma-memory/stemma/memory"
)

// An order is an act on a list, written down before anything is erased, so that it is finished when a process is
// killed. Of the words it has hashes alone. It goes with the end of the act.
type order struct {
	V      int            `json:"v"`
	Store  string         `json:"store"`
	List   string         `json:"list"`
	At     time.Time      `json:"at"`
	Reason string         `json:"reason,omitempty"`
	Refs   [][]memory.Ref `json:"refs"` // of each store
	Kinds  map[string]int `json:"kinds"`
	Probes probes.Set     `json:"probes"`
	Whole  []uint64       `json:"whole"` // whole texts, for what waits
	Before int            `json:"before"`
	// What is known only before the act, and stands in the certificate.
	Stays    map[string]int `json:"stays"`
	Repeats  int            `json:"repeats"`
	Unsure   int            `json:"unsure"`
	Selected []string       `json:"selected"`
	Copies   int            `json:"copies"`
	Cleared  bool           `json:"cleared,omitempty"` // at an opening after it had been cut off
}

const (
	orderSuffix = ".order"
	doneSuffix  = ".done"
	dirMode     = 0o700
	fileMode    = 0o600
	lockWait    = 10 * time.Second
)

// dir is where orders lie; "" keeps none, and an act that is cut off is begun again.
func (e *Gone) dir() string {
	if e.C.Data == "" {
		return ""
	}
	return filepath.Join(e.C.Data, "erasures")
}

// alone lets one process at a time act on lists.
func (e *Gone) alone() (func(), error) {
	dir := e.dir()
	if dir == "" {
		return func() {}, nil
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return nil, core.Classify(err)
	}
	unlock, err := journal.Lock(filepath.Join(dir, "lock"), lockWait)
	if errors.Is(err, journal.ErrBusy) {
		return nil, core.Conflict("another process erases a person's data just now: try again when it is done")
	}
	return unlock, err
}

func (e *Gone) put(name string, v any) error {
	dir := e.dir()
	if dir == "" {
		return nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".new-*") // made 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = durable.Rename(f.Name(), filepath.Join(dir, name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// get reads a file of the directory; false where there is none.
func (e *Gone) get(name string, v any) (bool, error) {
	dir := e.dir()
	if dir == "" {
		return false, nil
	}
	text, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	return err == nil, err
}

func (e *Gone) drop(name string) error {
	if e.dir() == "" {
		return nil
	}
	err := os.Remove(filepath.Join(e.dir(), name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// orders are those that were begun and not ended, of any store.
func (e *Gone) orders() (out []string) {
	if e.dir() == "" {
		return nil
	}
	files, err := os.ReadDir(e.dir())
	if err != nil {
		return nil
	}
	for _, f := range files {
		if name, is := strings.CutSuffix(f.Name(), orderSuffix); is {
			out = append(out, name)
		}
	}
	return out
}
