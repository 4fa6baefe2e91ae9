package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/carrier"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// A hand does operations of the table at one store, as a person and as an agent of
// theirs, and says what was acknowledged. What an operation needs it makes first, by
// operations too, so that no order of them is wrong.
type hand struct {
	context.Context
	dir          string // all is in here
	owner, agent *engine.Engine
	name         string // what it writes holds it, so that no two hands write the same
	n            int
	said         func(op string, reply []byte)
}

// object is a request or a reply as JSON has it.
type object = map[string]any

// signs is an embedder for tests: how often some letters stand in a text.
type signs struct{}

func (signs) Model() string { return "letters" }

func (signs) Embed(_ context.Context, _ llm.Purpose, texts ...string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = make([]float32, 8)
		out[i][(strings.Count(t, "e")+len(t))%8] = 1
	}
	return out, nil
}

// handConfig is what the engines of a hand are opened with. All lies where the command
// line has it, when dir is the person's directory of data.
func handConfig(dir string, origin memory.Origin) engine.Config {
	return engine.Config{
		Databases: sqlstore.Databases{},
		KeyDir:    filepath.Join(dir, "stemma", "keys"), Origin: origin, Dir: dir, Data: filepath.Join(dir, "stemma"),
		Receipts: filepath.Join(dir, "stemma", "receipts"), Cache: filepath.Join(dir, "cache"),
		Remotes: filepath.Join(dir, "stemma", "remotes.json"), Embedder: signs{}, Session: "the session",
		Dial: func(ctx context.Context, address string, self peer.Self) ([]peer.Endpoint, func() error, error) {
			ends, err := carrier.Folder(ctx, address, self)
			return ends, nil, err
		},
	}
}

// openHand opens a store twice in this process: for a person, and for an agent.
func openHand(ctx context.Context, dir, name string) (*hand, error) {
	return openHandAt(ctx, dir, name, nil)
}

// openHandAt is openHand with a clock of its own; nil is the machine's.
func openHandAt(ctx context.Context, dir, name string, now func() time.Time) (*hand, error) {
	h := &hand{Context: ctx, dir: dir, name: name, said: func(string, []byte) {}}
	config := func(o memory.Origin) engine.Config {
		c := handConfig(dir, o)
		c.Now = now
		return c
	}
	var err error
	if h.owner, err = engine.Open(ctx, filepath.Join(dir, "memory.db"), config(memory.OriginOwner)); err != nil {
		return nil, err
	}
	if h.agent, err = engine.Open(ctx, filepath.Join(dir, "memory.db"), config(memory.OriginAgent)); err != nil {
		return nil, errors.Join(err, h.owner.Close())
	}
	return h, nil
}

func (h *hand) close() error { return errors.Join(h.owner.Close(), h.agent.Close()) }

// A slip ends an operation from within its sample.
type slip struct{ error }

// did does an operation, and gives what it answered.
func (h *hand) did(e *engine.Engine, name string, request object) object {
	op, ok := ops.Find(name)
	if !ok {
		panic(slip{fmt.Errorf("there is no operation %s", name)})
	}
	text, err := json.Marshal(request)
	if err != nil {
		panic(slip{err})
	}
	reply, err := op.Do(h, e, text)
	if err != nil {
		panic(slip{fmt.Errorf("%s %s: %w", name, text, err)})
	}
	if text, err = json.Marshal(reply); err != nil {
		panic(slip{err})
	}
	h.said(name, text)
	var out object
	if err := json.Unmarshal(text, &out); err != nil {
		panic(slip{err})
	}
	return out
}

// try does the sample of an operation.
func (h *hand) try(name string) (err error) {
	defer func() {
		if s, ok := recover().(slip); ok {
			err = s.error
		}
	}()
	samples[name](h)
	return nil
}

// words returns some that no one else writes.
func (h *hand) words(about string) string {
	h.n++
	return fmt.Sprintf("%s %s-%d", about, h.name, h.n)
}

func (h *hand) raw() string {
	return h.did(h.agent, "capture", object{"text": h.words("the words of")})["ref"].(string)
}

func (h *hand) add(e *engine.Engine, kind string) string {
	return h.did(
		e, "add", object{"kind": kind, "text": h.words("a " + kind + " of"), "from": []string{h.raw()}},
	)["ref"].(string)
}

func (h *hand) belief() string { return h.add(h.agent, "belief") }

// first returns what is at the end of a path of members and of first elements.
func first(v any, path ...string) string {
	for _, name := range path {
		if list, ok := v.([]any); ok && len(list) > 0 {
			v = list[0]
		}
		m, _ := v.(object)
		v = m[name]
	}
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	s, ok := v.(string)
	if !ok {
		panic(slip{fmt.Errorf("%w: nothing at %v: another process does the job", api.ErrConflict, path)})
	}
	return s
}

// drafted has a memory drafted of words, and gives its ref.
func (h *hand) drafted(text string) string {
	return first(h.did(h.agent, "remember", object{"text": text, "wait": true}), "memories", "ref")
}

// person is a name that no one has yet.
func (h *hand) person() string {
	h.n++
	return fmt.Sprintf("P%s%d", h.name, h.n)
}

// rivals has two memories that do not go together, and gives their link.
func (h *hand) rivals() string {
	who := h.person()
	h.drafted(who + " works at Acme")
	return first(
		h.did(h.agent, "remember", object{"text": who + " left Acme and joined Startup", "wait": true}), "links",
		"ref",
	)
}

// stranger is somebody else, with a store of their own that goes with them.
func (h *hand) stranger() *engine.Engine {
	c := engine.Config{
		Databases: sqlstore.Databases{}, KeyDir: filepath.Join(h.dir, h.words("stranger")), Origin: memory.OriginOwner,
	}
	defer os.RemoveAll(c.KeyDir)
	e, err := engine.Open(h, "mem", c)
	if err == nil {
		_, err = e.Init(h, api.Nothing{})
	}
	if err != nil {
		panic(slip{err})
	}
	return e
}

// aside does what is not said: it is done elsewhere.
func aside[In, Out any](h *hand, do func(context.Context, In) (Out, error), in In) Out {
	out, err := do(h, in)
	if err != nil {
		panic(slip{err})
	}
	return out
}

// key is the did:key of whoever an engine speaks for.
func (h *hand) key(e *engine.Engine) string {
	return first(jsonOf(aside(h, e.KeyExportPublic, api.KeyRequest{})), "key")
}

func jsonOf(v any) (out object) {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		panic(slip{err})
	}
	return out
}

// folder is a remote of the hand's own.
func (h *hand) folder() string {
	h.n++
	name := fmt.Sprintf("r%s%d", strings.ToLower(h.name), h.n)
	at := filepath.Join(h.dir, "folders", name)
	if err := os.MkdirAll(at, 0o700); err != nil {
		panic(slip{err})
	}
	h.did(h.owner, "remote_add", object{"name": name, "address": at})
	return name
}

// file is one that a memory can be tied to.
func (h *hand) file() string {
	name := strings.ReplaceAll(h.words("file"), " ", "-")
	if err := os.WriteFile(filepath.Join(h.dir, name), []byte(name), 0o600); err != nil {
		panic(slip{err})
	}
	return name
}

// writing is every operation of the table that writes.
func writing() (names []string) {
	for _, op := range ops.All {
		if op.Writes {
			names = append(names, op.Name)
		}
	}
	return names
}

// Every operation that writes has a sample, whose arguments are right in any order: a
// new one is killed, cut off and crowded without being named anywhere else.
func TestEveryWritingOperation(t *testing.T) {
	for name := range samples {
		if op, ok := ops.Find(name); !ok || !op.Writes {
			t.Errorf("there is a sample of %s, which is no operation that writes", name)
		}
	}
	h, err := openHand(t.Context(), t.TempDir(), "a")
	if err != nil {
		t.Fatal(err)
	}
	acked := make(map[string]bool)
	h.said = func(op string, _ []byte) { acked[op] = true }
	names := writing()
	for round := range long("STEMMA_ROUNDS", 1, 3) {
		for _, name := range names {
			if samples[name] == nil {
				t.Fatalf("%s writes and has no sample: add one to samples, so that it is killed in the long run", name)
			}
			if err := h.try(name); err != nil {
				t.Errorf("round %d: %s: %v", round, name, err)
			}
		}
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	}
	for _, name := range names {
		if !acked[name] && !strings.HasPrefix(name, "remote_") {
			t.Errorf("the sample of %s does not do it", name)
		}
	}
	d, err := h.owner.Doctor(t.Context(), api.DoctorRequest{})
	if err != nil || len(d.Problems) > 0 {
		t.Errorf("the store after it: %v %+v", err, d.Problems)
	}
	if err := h.close(); err != nil {
		t.Error(err)
	}
}
