package hosts

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/engine"
)

// Owed is the directory in which hooks note answers that their host had not written down when it told of them:
// Copilot CLI writes its file of a conversation some time later. They are read at the next event there, of whatever
// conversation.
type Owed struct {
	Dir string
	For string // the store and the project: what was said in one is kept nowhere else
}

// An owing is what is noted of one conversation.
type owing struct {
	Session    string    `json:"session"`
	For        string    `json:"for,omitempty"`
	Transcript string    `json:"transcript,omitempty"`
	Asked      time.Time `json:"asked,omitzero"`    // the person's last prompt
	Answers    []oneOwed `json:"answers,omitempty"` // that the host told of, and were not there yet
}

type oneOwed struct {
	Asked time.Time `json:"asked,omitzero"` // what was written down before is another answer
	At    time.Time `json:"at"`
}

const (
	mostOwed   = 64
	owedLasts  = 14 * 24 * time.Hour
	owedSuffix = ".owed"
)

func (o Owed) path(session string) string {
	sum := sha256.Sum256([]byte(session))
	return filepath.Join(o.Dir, hex.EncodeToString(sum[:12])+owedSuffix)
}

func (o Owed) read(path string) (n owing, ok bool) {
	text, err := os.ReadFile(path)
	return n, err == nil && json.Unmarshal(text, &n) == nil
}

func (o Owed) write(n owing) error {
	text, err := json.Marshal(n)
	if err == nil {
		err = os.MkdirAll(o.Dir, 0o700)
	}
	if err != nil {
		return err
	}
	half, err := os.CreateTemp(o.Dir, ".half-*")
	if err != nil {
		return err
	}
	_, err = half.Write(text)
	if closeErr := half.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(half.Name(), o.path(n.Session))
	}
	if err != nil {
		_ = os.Remove(half.Name())
	}
	return err
}

// Before tells an event when the prompt was said that it is the answer to: what stands before that in the host's
// file is another answer.
func (o Owed) Before(e *Event) {
	if o.Dir != "" && e.owes() && e.moment == answered {
		n, _ := o.read(o.path(e.Session))
		e.asked = n.Asked
	}
}

// After notes when a prompt was said, and that an answer is owed.
func (o Owed) After(e *Event) error {
	switch {
	case o.Dir == "" || !e.owes():
		return nil
	case e.moment == prompted:
		n, _ := o.read(o.path(e.Session))
		n.Session, n.Asked = e.Session, e.at()
		return o.write(n)
	case e.moment != answered || !e.owed || e.Transcript == "":
		return nil
	}
	n, _ := o.read(o.path(e.Session))
	n.Session, n.Transcript, n.For = e.Session, e.Transcript, o.For
	n.Answers = append(n.Answers, oneOwed{Asked: e.asked, At: e.at()})
	n.Answers = n.Answers[max(0, len(n.Answers)-mostOwed):]
	return o.write(n)
}

// Late returns the answers that are there by now, each under ID and its host's own name of it. Settle drops what was
// noted of them once they are kept.
func (o Owed) Late(e *Event, id string) (seen []engine.Observed, settle func()) {
	settle = func() {}
	if o.Dir == "" || e.Host != Copilot {
		return nil, settle
	}
	list, err := os.ReadDir(o.Dir)
	if err != nil {
		return nil, settle
	}
	var done []func()
	for _, f := range list {
		path := filepath.Join(o.Dir, f.Name())
		info, err := f.Info()
		if err != nil || !strings.HasSuffix(f.Name(), owedSuffix) {
			continue
		}
		if time.Since(info.ModTime()) > owedLasts {
			_ = os.Remove(path)
			continue
		}
		n, ok := o.read(path)
		if !ok || len(n.Answers) == 0 || n.For != o.For {
			continue
		}
		var got []oneOwed
		for _, one := range n.Answers {
			a, found := copilotAnswer(n.Transcript, one.Asked, one.At)
			if !found {
				continue
			}
			got = append(got, one)
			if one := a.observed(n.Session); strings.TrimSpace(one.Text) != "" {
				one.ID = id + "/late" + strconv.Itoa(len(seen))
				seen = append(seen, one)
			}
		}
		if len(got) > 0 {
			done = append(done, func() { o.drop(path, got) })
		}
	}
	return seen, func() {
		for _, drop := range done {
			drop()
		}
	}
}

func (o Owed) drop(path string, got []oneOwed) {
	n, ok := o.read(path)
	if !ok {
		return
	}
	n.Answers = slices.DeleteFunc(n.Answers, func(one oneOwed) bool {
		return slices.ContainsFunc(got, func(is oneOwed) bool { return is.At.Equal(one.At) })
	})
	_ = o.write(n)
}
