package intake_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/engine/intake"
	"github.com/stemma-memory/stemma/memory"
)

// A past is two stores that were one: since then each has its own records.
type past struct {
	*people
	one, other *engine.Engine
}

func newPast(t *testing.T) *past {
	t.Helper()
	p := &past{people: newPeople(t)}
	for _, text := range []string{"first", "second", "third"} {
		add(t, p.Owner, "belief", text)
	}
	if err := p.Owner.Close(); err != nil {
		t.Fatal(err)
	}
	if err := p.Agent.Close(); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	for _, part := range []string{"", "-wal"} {
		raw, err := os.ReadFile(p.Path + part)
		if err == nil {
			err = os.WriteFile(copied+part, raw, 0o600)
		}
		if err != nil && !(part != "" && errors.Is(err, fs.ErrNotExist)) {
			t.Fatal(err)
		}
	}
	p.one = p.As(memory.OriginOwner)
	c := p.Config
	c.Origin = memory.OriginOwner
	p.other = open(t, copied, c)
	return p
}

// Who brings back an older copy of a store, or cuts off its end, is found by whoever
// holds word of more.
func TestAnOlderCopyIsBehind(t *testing.T) {
	t.Parallel()
	p := newPast(t)
	old := checkpoint(t, p.one)
	add(t, p.one, "belief", "fourth")
	more := checkpoint(t, p.one)
	if r := held(t, p.other, more.Note); r.Status != intake.LogBehind || r.Seen != r.Size+1 || r.Fork != nil ||
		r.Why == "" {
		t.Errorf("against more: %+v, want %s", r, intake.LogBehind)
	}
	if r := held(t, p.other, old.Note); r.Status != engine.LogOK || r.Size != old.Size {
		t.Errorf("against as much: %+v, want ok", r)
	}
	if r := held(t, p.one, old.Note); r.Status != engine.LogOK || r.Size != old.Size+1 {
		t.Errorf("against less: %+v, want ok", r)
	}
	g, err := p.one.Prove(t.Context(), api.ProveRequest{Since: old.Note})
	if err != nil || g.OldSize != old.Size || g.Size != more.Size || len(g.Hashes) == 0 {
		t.Errorf("proof that it grew: %+v, %v", g, err)
	}
	if _, err := p.other.Prove(t.Context(), api.ProveRequest{Since: more.Note}); err == nil ||
		!strings.Contains(err.Error(), intake.LogBehind) {
		t.Errorf("proof that what is behind grew: %v, want it refused", err)
	}
	r, err := p.other.Audit(t.Context(), api.AuditRequest{Checkpoints: []string{more.Note}})
	if err != nil || r.Exit == 0 {
		t.Errorf("an audit with that checkpoint: exit %d, %v", r.Exit, err)
	}
}

// Two histories are told apart: by a checkpoint up to which place they may agree, by
// an export at which they part.
func TestARewrittenHistoryShowsTheFork(t *testing.T) {
	t.Parallel()
	p := newPast(t)
	common := checkpoint(t, p.other)
	add(t, p.one, "belief", "as it was")
	there := add(t, p.other, "belief", "as it is told")
	add(t, p.other, "belief", "and more")
	was := checkpoint(t, p.one)
	r := held(t, p.other, was.Note)
	if f := r.Fork; r.Status != intake.LogRewritten || f == nil || f.After != common.Size || f.By != was.Size {
		t.Errorf("%+v of %+v, want %s after %d by %d", r, r.Fork, intake.LogRewritten, common.Size, was.Size)
	}
	var b bytes.Buffer
	if _, err := p.one.Export(t.Context(), &b, api.ExportRequest{}); err != nil {
		t.Fatal(err)
	}
	r = held(t, p.other, b.String())
	if f := r.Fork; r.Status != intake.LogRewritten || f == nil || f.After != common.Size || f.By != common.Size+1 ||
		!strings.HasSuffix(f.Here, refOf(t, there).ID.String()) {
		t.Errorf("by the export: %+v of %+v, want the fork after %d", r, r.Fork, common.Size)
	}
	a, err := p.other.Audit(t.Context(), api.AuditRequest{Checkpoints: []string{was.Note}})
	if err != nil || a.Exit == 0 {
		t.Errorf("an audit with that checkpoint: exit %d, %v", a.Exit, err)
	}
}

// A checkpoint of another store, or that no one known here signed, says nothing.
func TestForeignCheckpointsAreRefused(t *testing.T) {
	t.Parallel()
	p, other := newPast(t), newPeople(t)
	add(t, other.Owner, "belief", "elsewhere")
	good, theirs := checkpoint(t, p.one).Note, checkpoint(t, other.Owner).Note
	sig := strings.LastIndex(good, " ") + 20
	for what, text := range map[string]string{
		"of another store": theirs, "with another size": strings.Replace(
			good, "\n5\n", "\n4\n", 1,
		), "unsigned": good[:strings.Index(good, "\n\n")+2],
		"with a bad signature": good[:sig] + string(good[sig]^1) + good[sig+1:], "": "",
		"of a stranger's words": "hello\n", "by another's key": good[:strings.Index(good, "\n\n")+2] +
			theirs[strings.Index(theirs, "\n\n")+2:],
	} {
		if r, err := p.one.CheckLog(t.Context(), api.CheckLogRequest{Held: text}); !isInvalid(err) ||
			what == "of another store" && !strings.Contains(err.Error(), "another store") {
			t.Errorf("a checkpoint %s: %+v, %v, want it invalid", what, r, err)
		}
	}
}

// A space that has no log is named without what would steer a terminal.
func TestASpaceWithoutALog(t *testing.T) {
	e := open(t, "mem", engine.Config{})
	add(t, e, "note", "there is one log")
	_, err := e.Checkpoint(t.Context(), api.CheckpointRequest{Space: "\x1b[31mred\u202e"})
	if !errors.Is(err, api.ErrNotFound) || strings.ContainsAny(err.Error(), "\x1b\u202e") {
		t.Errorf("it says %q", err)
	}
}
