package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/carrier"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/enginetest"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/ops"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/llm/llmtest"
	"github.com/stemma-memory/stemma/memory"
)

// Words that stand nowhere else. The reading operations are asked for the last one, and
// none may answer with the first two.
const (
	plantedPlain = "xqzvplume-of-the-marsh"
	plantedHard  = `q<zaphod>&"é-quuxfeather"`
	plantedAsked = "grebewardenship"
	plantedText  = plantedPlain + " and " + plantedHard + " belong to the " + plantedAsked
)

// formsOf returns words as they may stand in a file.
func formsOf(words string) map[string][]byte {
	out := map[string][]byte{"raw": []byte(words)}
	for name, html := range map[string]bool{"JSON": true, "JSON without HTML": false} {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(html)
		if enc.Encode(words) == nil {
			out[name] = bytes.Trim(b.Bytes(), "\"\n")
		}
	}
	var little, big []byte
	for _, u := range utf16.Encode([]rune(words)) {
		little, big = append(little, byte(u), byte(u>>8)), append(big, byte(u>>8), byte(u))
	}
	out["UTF-16LE"], out["UTF-16BE"] = little, big
	return out
}

// filesHolding returns the files below a directory that contain one of the words.
func filesHolding(t *testing.T, dir string, words ...string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		for _, w := range words {
			for form, bytesOf := range formsOf(w) {
				if bytes.Contains(raw, bytesOf) {
					out = append(out, path[len(dir):]+": "+w+" as "+form)
				}
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A home is a machine of one person: a store, and all that is kept around it.
type home struct {
	*people
	dir   string
	spool hosts.Spool
}

// newHome makes one with the person's keys. What lies at the person's side and another
// machine of theirs is dialled.
func newHome(t *testing.T, keys string, dial peer.Dialer) *home {
	t.Helper()
	h := &home{dir: t.TempDir()}
	h.spool.Dir = filepath.Join(h.dir, "data", "spool", "one")
	h.people = &people{Clock: newClock(), T: t, Path: filepath.Join(h.dir, "data", "memory.db")}
	h.Config = engine.Config{
		Databases: enginetest.Databases,
		KeyDir:    keys, Now: h.Now, Data: filepath.Join(h.dir, "data"), Cache: filepath.Join(h.dir, "cache"),
		Receipts: filepath.Join(h.dir, "data", "receipts.jsonl"), Remotes: filepath.Join(h.dir, "data", "remotes.json"),
		Dial: dial, Purged: h.spool.Forget, Embedder: llmtest.Hashed(64, 1),
	}
	if err := os.MkdirAll(h.Config.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	h.Owner, h.Agent = h.As(memory.OriginOwner), h.As(memory.OriginAgent)
	return h
}

// spreads lets words go wherever reading lets them go.
func (h *home) spreads(e *engine.Engine) {
	h.T.Helper()
	ctx := h.T.Context()
	if _, err := e.Search(ctx, api.SearchRequest{Query: plantedText}); err != nil {
		h.T.Fatal(err)
	}
	if _, err := e.Context(ctx, api.ContextRequest{Query: plantedAsked}); err != nil {
		h.T.Fatal(err)
	}
	if _, err := e.Load(ctx, api.LoadRequest{}); err != nil {
		h.T.Fatal(err)
	}
	if _, err := e.Receipts(ctx, api.ReceiptsRequest{}); err != nil { // they are all written
		h.T.Fatal(err)
	}
}

// close ends all processes of the machine.
func (h *home) close() {
	h.T.Helper()
	for _, e := range []*engine.Engine{h.Owner, h.Agent} {
		if err := e.Close(); err != nil {
			h.T.Error(err)
		}
	}
}

// Whichever door a purge comes by, nothing of the words is left on the machine, and no
// reading returns them.
func TestAPurgeClearsEverythingByEveryDoor(t *testing.T) {
	t.Parallel()
	folder := func(shared string) peer.Dialer {
		return func(ctx context.Context, _ string, self peer.Self) ([]peer.Endpoint, func() error, error) {
			ends, err := carrier.Folder(ctx, shared, self)
			return ends, nil, err
		}
	}
	bySync := func(t *testing.T, there, here *home) {
		t.Helper()
		if there.Config.Dial != nil {
			syncs(t, there.people)
		}
		syncs(t, here.people)
	}
	for _, door := range []struct {
		name    string
		machine func(t *testing.T, keys string) (there, here *home)
		brings  func(t *testing.T, there, here *home)
	}{
		{"folder", func(t *testing.T, keys string) (*home, *home) {
			shared := t.TempDir()
			return newHome(t, keys, folder(shared)), newHome(t, keys, folder(shared))
		}, bySync},
		{"hub", func(t *testing.T, keys string) (*home, *home) {
			there := newHome(t, keys, nil)
			return there, newHome(t, keys, func(context.Context, string, peer.Self) ([]peer.Endpoint, func() error, error) {
				hub, err := there.Owner.Hub()
				return []peer.Endpoint{{Remote: hub, Gives: true, Takes: true}}, nil, err
			})
		}, bySync},
		{"import", func(t *testing.T, keys string) (*home, *home) {
			return newHome(t, keys, nil), newHome(t, keys, nil)
		}, func(t *testing.T, there, here *home) {
			t.Helper()
			var b bytes.Buffer
			if _, err := there.Owner.Export(t.Context(), &b, api.ExportRequest{}); err != nil {
				t.Fatal(err)
			}
			if _, err := here.Owner.Import(t.Context(), &b, nil); err != nil {
				t.Fatal(err)
			}
		}},
		{"restore", func(t *testing.T, keys string) (*home, *home) {
			return newHome(t, keys, nil), newHome(t, keys, nil)
		}, func(t *testing.T, there, here *home) {
			t.Helper()
			to := filepath.Join(t.TempDir(), "copy.db")
			if _, err := there.Owner.Backup(t.Context(), to); err != nil {
				t.Fatal(err)
			}
			here.close()
			c := here.Config
			c.Origin = memory.OriginOwner
			r, err := engine.Restore(t.Context(), here.Path, c, api.RestoreRequest{From: to, Force: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{r.Aside, r.Aside + "-wal", r.Aside + "-shm"} { // which is named, and out of reach
				if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
			}
			here.Owner, here.Agent = here.As(memory.OriginOwner), here.As(memory.OriginAgent)
		}},
		{"here, by another process", func(t *testing.T, keys string) (*home, *home) {
			here := newHome(t, keys, nil)
			there := &home{
				people: &people{Clock: here.Clock, T: t, Path: here.Path, Config: here.Config}, dir: here.dir,
				spool: here.spool,
			}
			there.Owner, there.Agent = there.As(memory.OriginOwner), there.As(memory.OriginAgent)
			return there, here
		}, func(*testing.T, *home, *home) {}},
	} {
		t.Run(door.name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			there, here := door.machine(t, filepath.Join(t.TempDir(), "keys"))
			for _, h := range []*home{there, here} {
				if h.Config.Dial == nil {
					continue
				}
				if _, err := h.Owner.RemoteAdd(ctx, api.RemoteRequest{
					Name: "it", Address: "it", Whose: "mine",
				}); err != nil {
					t.Fatal(err)
				}
			}
			raw := capture(t, there.Owner, plantedText)
			belief := add(t, there.Owner, "belief", "the "+plantedPlain+" is of the "+plantedAsked)
			kept := add(t, there.Owner, "note", "herons fish at dawn")
			door.brings(t, there, here)
			// it spreads here
			if _, err := here.Owner.Embed(ctx, api.EmbedRequest{}); err != nil {
				t.Fatal(err)
			}
			here.spreads(here.Agent)
			waits := []engine.Observed{
				{ID: "1", Text: plantedText, Session: "s"},
				{ID: "2", Text: "the gate was painted", Session: "s"},
			}
			if err := here.spool.Put("event", time.Unix(9, 0), waits); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(
				filepath.Join(here.spool.Dir, "00001-x.event.bad"),
				[]byte(`{"half":"`+plantedPlain+` is of the `), 0o600,
			); err != nil {
				t.Fatal(err)
			}
			if in := strings.Join(filesHolding(t, here.dir, plantedPlain), "\n"); !strings.Contains(in, "memory.db") ||
				!strings.Contains(in, "receipts.jsonl") || !strings.Contains(in, ".event:") {
				t.Fatalf("nothing spread: %s", in)
			}
			if _, err := there.Owner.Purge(ctx, api.PurgeRequest{Refs: []string{raw, belief}, Reason: "a mistake"}); err != nil {
				t.Fatal(err)
			}
			door.brings(t, there, here)
			if r, err := here.Owner.Search(ctx, api.SearchRequest{Query: "herons"}); err != nil || len(r.Results) == 0 ||
				r.Results[0].Ref != kept {
				t.Errorf("what was not purged: %+v, %v", r, err)
			}
			here.close()
			_ = os.Remove(filepath.Join(here.spool.Dir, "00001-x.event.bad")) // half an event says less than the whole
			if in := filesHolding(t, here.dir, plantedPlain, plantedHard, plantedAsked); len(in) > 0 {
				t.Errorf("the words stand in\n%s", strings.Join(in, "\n"))
			}
			if n, _ := here.spool.Waiting(); n != 1 {
				t.Errorf("%d files wait, want the one with what else was said", n)
			}

			// nothing brings them back, and no reading gives them
			here.Owner, here.Agent = here.As(memory.OriginOwner), here.As(memory.OriginAgent)
			door.brings(t, there, here)
			for _, op := range ops.All {
				for _, request := range []string{
					`{}`, `{"query":"` + plantedAsked + `"}`, `{"text":"` + plantedAsked + `"}`, `{"ref":"` + raw + `"}`,
					`{"refs":["` + raw + `"]}`,
					`{"ref":"` + belief + `"}`, `{"refs":["` + belief + `"]}`, `{"all_stores":true,"limit":-1}`,
					`{"about":"` + plantedAsked + `"}`,
				} {
					for _, e := range []*engine.Engine{here.Agent, here.Owner} {
						if op.Writes {
							continue
						}
						reply, err := op.Do(ctx, e, []byte(request))
						said, _ := json.Marshal(reply)
						if err != nil {
							said = append(said, err.Error()...)
						}
						if bytes.Contains(said, []byte("xqzvplume")) || bytes.Contains(said, []byte("quuxfeather")) {
							t.Errorf("%s %s: %s", op.Name, request, said)
						}
					}
				}
			}
			doctor, _ := problems(t, here.Owner)
			if doctor != "" {
				t.Errorf("doctor: %s", doctor)
			}
			here.close()
			if in := filesHolding(t, here.dir, plantedPlain, plantedHard); len(in) > 0 {
				t.Errorf("afterwards the words stand in\n%s", strings.Join(in, "\n"))
			}
		})
	}
}
