package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// smallDisk returns a disk of its own, where a test may have one.
func smallDisk(t *testing.T, options string) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("full and read-only disks were NOT tried: only root may mount one")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("full and read-only disks were NOT tried: none can be mounted here: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	})
	return dir
}

func remountDisk(t *testing.T, dir, options string) {
	t.Helper()
	if out, err := exec.Command("mount", "-o", "remount,"+options, dir).CombinedOutput(); err != nil {
		t.Fatalf("remount: %s", out)
	}
}

// used is how much of a disk is in use, in KiB.
func usedOf(t *testing.T, dir string) (kib int) {
	t.Helper()
	out, err := exec.Command("df", "-k", "--output=used", dir).Output()
	if err == nil {
		_, err = fmt.Sscan(strings.Fields(string(out))[1], &kib)
	}
	if err != nil {
		t.Fatal(err)
	}
	return kib
}

// operated runs a process that does every operation once, and gives what failed.
func operated(t *testing.T, h home, o *observer, name string, seed int) []string {
	t.Helper()
	was := len(o.failed)
	if err := o.begin(t, h.command("operate", h.dir, name, fmt.Sprint(seed), "1"), func() {})(); err != nil {
		t.Logf("%s: %v", name, err)
	}
	return o.failed[was:]
}

// The disk is full in the middle of every operation that writes, keys and settings too:
// each says so or goes through, nothing that was acknowledged is lost, and when there is
// room again all goes on.
func TestAFullDiskForEveryOperation(t *testing.T) {
	dir := smallDisk(t, "size=60m")
	h := homeAt(filepath.Join(dir, "home"))
	if err := os.Mkdir(h.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := h.command("stemma", "raw", "the first words").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	o := newObserver()
	full, gone := 0, 0
	rounds := long("STEMMA_FULL", 3, 60)
	for n := range rounds {
		// a process has room for some operations, and then no more
		remountDisk(t, dir, fmt.Sprintf("size=%dk", usedOf(t, dir)+40+n*137%1500))
		for _, f := range operated(t, h, o, fmt.Sprintf("full%d", n), n) {
			if strings.Contains(f, "full") || strings.Contains(f, "no space left") {
				full++
				continue
			}
			gone++
			t.Errorf("round %d: on a full disk it fails with: %.400s", n, f)
		}
		for _, args := range [][]string{{"list"}, {"show", firstRef(t, h)}, {"search", "words"}} {
			if out, err := h.command("stemma", args...).CombinedOutput(); err != nil {
				t.Errorf("round %d: on a full disk %v: %v: %.300s", n, args, err, out)
			}
		}
		remountDisk(t, dir, "size=200m")
		l, err := h.look(t.Context(), o.refs)
		if err != nil || len(l.lost) > 0 || len(l.problems) > 0 {
			t.Fatalf("round %d: %v\nlost: %s\nproblems: %s (repaired %t)", n, err, clip(l.lost), clip(l.problems), l.repaired)
		}
		if err := h.works(t.Context()); err != nil {
			t.Fatalf("round %d: with room again: %v", n, err)
		}
	}
	if failed := operated(t, h, o, "room", 0); len(failed) > 0 {
		t.Errorf("with room again: %s", clip(failed))
	}
	t.Logf("%d rounds, %d acknowledged, %d operations told that the disk is full", rounds, len(o.refs), full)
	if full == 0 {
		t.Error("the disk was never full")
	}
}

// On a disk that cannot be written every operation that writes is refused in words, and
// what is there is read.
func TestAReadOnlyDiskForEveryOperation(t *testing.T) {
	dir := smallDisk(t, "size=60m")
	h := homeAt(filepath.Join(dir, "home"))
	if err := os.Mkdir(h.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := h.command("stemma", "raw", "the first words").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	remountDisk(t, dir, "ro")
	defer remountDisk(t, dir, "rw")
	o := newObserver()
	for _, f := range operated(t, h, o, "ro", 1) {
		if !strings.Contains(f, "read-only") {
			t.Errorf("on a read-only disk it fails with: %.400s", f)
		}
	}
	if len(o.failed) == 0 || len(o.refs) > 0 {
		t.Errorf("%d operations were refused and %d records acknowledged", len(o.failed), len(o.refs))
	}
	for _, args := range [][]string{
		{"list"}, {"search", "words"}, {"show", "--json"}, {"status"}, {"doctor"}, {"audit"}, {"export"},
		{"load"},
	} {
		if args[0] == "show" {
			args = append(args, firstRef(t, h))
		}
		if out, err := h.command("stemma", args...).CombinedOutput(); err != nil {
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
}

// firstRef is that of the newest memory.
func firstRef(t *testing.T, h home) string {
	t.Helper()
	out, err := h.command("stemma", "raw", "list", "--json").Output()
	ref := aFullRef.Find(out)
	if err != nil || ref == nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(ref)
}

// A data directory that is mounted read-only at another path, as containers mount it, is read: the list of stores has
// another path for the store, and cannot be written. What writes says so in one line.
func TestAReadOnlyDataDirectoryElsewhere(t *testing.T) {
	dir := smallDisk(t, "size=60m")
	h := homeAt(filepath.Join(dir, "home"))
	if err := os.Mkdir(h.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{"the otter sleeps", "the heron stands"} {
		if out, err := h.command("stemma", "note", words).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	elsewhere := t.TempDir()
	if out, err := exec.Command("mount", "--bind", h.dir, elsewhere).CombinedOutput(); err != nil {
		t.Skipf("it was NOT tried: no directory can be mounted twice here: %s", out)
	}
	defer func() {
		if out, err := exec.Command("umount", elsewhere).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	}()
	remountDisk(t, elsewhere, "bind,ro")
	there := homeAt(elsewhere)
	for _, args := range [][]string{{"list"}, {"search", "otter"}, {"load"}, {"status"}, {"recall", "otter"}} {
		out, err := there.command("stemma", args...).CombinedOutput()
		if err != nil || args[0] != "status" && !strings.Contains(string(out), "the otter sleeps") {
			t.Errorf("%v: %v: %s", args, err, out)
		}
		if strings.Contains(string(out), "not one of your own") {
			t.Errorf("%v: %s", args, out)
		}
	}
	out, err := there.command("stemma", "note", "the lamp burns").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "the store is read-only") || strings.Count(string(out), "\n") != 1 {
		t.Errorf("a note: %v: %s, want one line", err, out)
	}
}
