package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/memory"
)

const erasedPerson = "Ada Quillfeather"

// eraseConfig is a person's at a directory, with what waits there.
func eraseConfig(dir string) engine.Config {
	c := handConfig(dir, memory.OriginOwner)
	spool := hosts.Spool{Dir: filepath.Join(dir, "stemma", "spool", "one")}
	c.Purged, c.Waiting = spool.Forget, spool.Drop
	return c
}

// erase DIR LIST is a process that erases a person's records, and says when it begins.
func erase() {
	err := func() error {
		ctx := context.Background()
		e, err := engine.Open(ctx, filepath.Join(os.Args[1], "memory.db"), eraseConfig(os.Args[1]))
		if err != nil {
			return err
		}
		fmt.Println("try erase")
		_, err = e.Purge(ctx, api.PurgeRequest{
			Person: api.Person{About: erasedPerson, Speaker: erasedPerson}, List: os.Args[2],
		})
		if err != nil {
			return err
		}
		fmt.Println("ack erase")
		return e.Close()
	}()
	if err != nil {
		fmt.Println("fail", err)
		os.Exit(1)
	}
}

// A process that erases a person's records is killed at any moment: at the next opening either all of them are there or
// none is, and the same command ends it, with nothing left and a certificate.
func TestAnErasureThatIsKilledIsFinished(t *testing.T) {
	kills := long("STEMMA_KILLS", 6, 200)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	before, halfway, after := 0, 0, 0
	for n := range kills {
		h := newHome(t)
		ctx := t.Context()
		e, err := engine.Open(ctx, h.store(), eraseConfig(h.dir))
		if err != nil {
			t.Fatal(err)
		}
		var refs []string
		spool := hosts.Spool{Dir: filepath.Join(h.dir, "stemma", "spool", "one")}
		for i := range 30 {
			text := fmt.Sprintf("she keeps zqx%04d in the cupboard behind the lighthouse stairs number %d", i, i)
			r, err := e.Capture(ctx, api.CaptureRequest{Text: text, Speaker: erasedPerson})
			if err != nil {
				t.Fatal(err)
			}
			refs = append(refs, r.Ref)
			if _, err := e.Search(ctx, api.SearchRequest{Query: text}); err != nil {
				t.Fatal(err)
			}
			if err := spool.Put(fmt.Sprint(i), time.Unix(int64(i), 0), []engine.Observed{
				{ID: fmt.Sprint(i), Text: text, Session: "s"},
			}); err != nil {
				t.Fatal(err)
			}
		}
		in := api.PurgeRequest{Person: api.Person{About: erasedPerson, Speaker: erasedPerson}, DryRun: true}
		r, err := e.Purge(ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		in.DryRun, in.List = false, r.Person.Digest
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		c, o := h.command("erase", h.dir, in.List), newObserver()
		wait := time.Duration(rnd.Int64N(int64(150 * time.Millisecond)))
		err = o.begin(t, c, func() { time.AfterFunc(wait, func() { _ = c.Process.Kill() }) })()
		if err != nil && len(o.failed) > 0 {
			t.Fatalf("after %v: %v %v", wait, err, o.failed)
		}
		if e, err = engine.Open(ctx, h.store(), eraseConfig(h.dir)); err != nil {
			t.Fatalf("after %v: %v", wait, err)
		}
		words := 0
		for _, ref := range refs {
			if m, err := e.Show(ctx, api.RefRequest{Ref: ref}); err == nil && strings.Contains(m.Headline, "zqx") {
				words++
			}
		}
		ordered, _ := filepath.Glob(filepath.Join(h.dir, "stemma", "erasures", "*.order"))
		switch {
		case words != 0 && words != len(refs):
			t.Errorf("after %v: %d of %d records are there", wait, words, len(refs))
		case words > 0:
			before++
		case len(ordered) > 0:
			halfway++
			if where := holdsPlanted(t, h.dir); len(where) > 0 {
				t.Errorf("after %v the next opening leaves the words in %v", wait, where)
			}
		default:
			after++
		}
		got, err := e.Purge(ctx, in)
		if err != nil {
			t.Fatalf("after %v, again: %v", wait, err)
		}
		if _, err := audit.Certificate([]byte(got.Outcome.Certificate), audit.CertificateOptions{List: in.List}); err != nil {
			t.Errorf("after %v: %v", wait, err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if where := holdsPlanted(t, h.dir); len(where) > 0 {
			t.Errorf("kill %d after %v: the words are in %v", n, wait, where)
		}
	}
	t.Logf("killed before the act %d, in the middle %d, after it %d times", before, halfway, after)
}

// holdsPlanted returns the files below a directory that have planted words.
func holdsPlanted(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(raw, []byte("zqx00")) {
			out = append(out, path[len(dir):])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
