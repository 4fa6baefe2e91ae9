package hub

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/internal/store/sqlstore/hubstore"
)

// A hub whose database was brought back from an old backup is noticed, loses no one
// anything, and gets back what it lost once a person says so.
func TestRestoredFromAnOldBackup(t *testing.T) {
	dir := t.TempDir()
	file, backup := filepath.Join(dir, "hub.db"), filepath.Join(dir, "backup.db")
	var ann *person
	first := ""
	serving := func(do func(p *place)) {
		t.Helper()
		h, err := hubstore.Open(t.Context(), file, sqlstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := serveHub(t, h)
		if ann == nil {
			ann = p.joins("ann", "", "")
			first = tokenOf(t, p, ann)
		}
		ann.Client = p.client(first)
		do(p)
		p.http.Close()
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
	}
	copyFile := func(from, to string) {
		t.Helper()
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(to, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	serving(func(*place) {
		ann.believes(t, ann.home(), "before the backup")
		ann.mustSync(t)
	})
	copyFile(file, backup)
	serving(func(*place) {
		ann.believes(t, ann.home(), "after the backup")
		ann.mustSync(t)
	})
	copyFile(backup, file)
	serving(func(p *place) {
		report, err := ann.sync(t.Context())
		if err != nil || len(report.Spaces) != 1 || report.Spaces[0].Code != "history_rewritten" {
			t.Errorf("sync with a hub that was brought back gives %+v, %v, want history_rewritten", report, err)
		}
		if all, err := p.store.Totals(t.Context()); err != nil || all[0].Last != 2 {
			t.Errorf("the hub has %v, %v, want what was in the backup", all, err)
		}
		if report, err = ann.sync(t.Context(), func(o *peer.Options) { o.Accept = true }); err != nil ||
			report.Spaces[0].Problem != "" {
			t.Errorf("sync once a person says so gives %+v, %v", report, err)
		}
		ann.mustSync(t)
		if all, err := p.store.Totals(t.Context()); err != nil || all[0].Last != 3 {
			t.Errorf("the hub has %v, %v, want all 3 again", all, err)
		}
	})
}
