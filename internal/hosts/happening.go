package hosts

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/stemma-memory/stemma/internal/engine"
)

// Happenings is the directory in which hooks name what happens. A host with a plugin and with
// settings runs two hooks for each event, at once and with the same words: both get one name,
// under which the store keeps the event once.
type Happenings struct{ Dir string }

const (
	twinsWithin     = 2 * time.Second // between two hooks of one event; a person does not repeat words so fast
	happeningsStay  = time.Minute
	happeningSuffix = ".seen"
)

// NewHappening names an event that no other hook is told of.
func NewHappening() (string, error) {
	var b [12]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	return hex.EncodeToString(b[:]), nil
}

// tells are members that tell an event from one with the same words.
var tells = []string{
	"timestamp", "turn_id", "prompt_id", "generation_id", "tool_use_id", "callID", "call_id", "source", "trigger",
}

// Name names an event by what is kept of it; again says that another hook has the same event.
// What is not kept is not in the name, not even as a digest. An event of no conversation always
// has a name of its own.
func (h Happenings) Name(e *Event, seen []engine.Observed, now time.Time) (id string, again bool, err error) {
	if e.Session == "" {
		id, err = NewHappening()
		return id, false, err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q %q %q", e.Host, e.Name, e.Session, e.Agent)
	for _, name := range tells {
		fmt.Fprintf(sum, " %q", e.fields[name])
	}
	for _, o := range seen {
		fmt.Fprintf(sum, " %q %q %q", o.Text, o.Caption, o.Event)
	}
	key := hex.EncodeToString(sum.Sum(nil)[:12])
	if err := os.MkdirAll(h.Dir, 0o700); err != nil {
		return "", false, err
	}
	// The name has the time in it, so that no two hooks ever replace a file of each other.
	span := now.UnixNano() / int64(twinsWithin)
	file := func(span int64) string {
		return filepath.Join(h.Dir, fmt.Sprintf("%s-%d%s", key, span, happeningSuffix))
	}
	if info, err := os.Stat(file(span - 1)); err == nil && now.Sub(info.ModTime()) <= twinsWithin {
		return fmt.Sprintf("%s-%d", key, span-1), true, nil
	}
	f, err := os.OpenFile(file(span), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	id = fmt.Sprintf("%s-%d", key, span)
	if errors.Is(err, fs.ErrExist) {
		return id, true, nil
	}
	if err != nil {
		return "", false, err
	}
	h.prune(now)
	return id, false, f.Close()
}

// prune removes the files of events that are long over.
func (h Happenings) prune(now time.Time) {
	entries, err := os.ReadDir(h.Dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > happeningsStay {
			os.Remove(filepath.Join(h.Dir, e.Name()))
		}
	}
}
