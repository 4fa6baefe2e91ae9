package journal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// wrong returns what Find still found, and the errors of writing and reading.
func wrong(f *File) (found []Line, appending, reading error) {
	appending = f.Append("r9", receipt{})
	found, reading = f.Find("")
	return found, appending, reading
}

func TestLinksAreNotFollowed(t *testing.T) {
	if plainFlags == 0 {
		return // nothing refuses them there
	}
	for _, suffix := range []string{"", lockSuffix, olderSuffix} {
		dir := t.TempDir()
		target := filepath.Join(dir, "target")
		if err := os.WriteFile(target, []byte("words\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "r")
		if err := os.Symlink(target, path+suffix); err != nil {
			t.Fatal(err)
		}
		found, appending, reading := wrong(Open(path, 1000))
		if refused := suffix != olderSuffix; refused != (appending != nil) || refused &&
			!strings.Contains(appending.Error(), "links are not followed") {
			t.Errorf("r%s is a link: Append = %v", suffix, appending)
		}
		if refused := suffix != lockSuffix; refused != (reading != nil) || refused &&
			!strings.Contains(reading.Error(), "links are not followed") {
			t.Errorf("r%s is a link: Find = %v", suffix, reading)
		}
		if want := suffix == olderSuffix; want != (len(found) == 1) {
			t.Errorf("r%s is a link: found %q", suffix, found)
		}
		if got, err := os.ReadFile(target); err != nil || string(got) != "words\n" {
			t.Errorf("r%s is a link: its target holds %q, %v", suffix, got, err)
		}
	}
}

func TestWhatCannotBeReadOrWrittenIsAnError(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "dir"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"file/r", "dir"} {
		found, appending, reading := wrong(Open(filepath.Join(dir, name), 1000))
		if appending == nil || reading == nil || len(found) != 0 {
			t.Errorf("%s: Append = %v, Find = %q, %v, want errors", name, appending, found, reading)
		}
	}
}

func TestHalfThatCanBeReadIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	f := Open(path, 1000)
	add(t, f, "r1", receipt{})
	if err := os.Mkdir(path+olderSuffix, 0o700); err != nil {
		t.Fatal(err)
	}
	if found, err := f.Find(""); err == nil || len(found) != 1 {
		t.Errorf("Find = %q, %v, want r1 and an error", found, err)
	}
	var errs int
	for _, err := range f.All() {
		if err == nil {
			break // as does who wants one line
		}
		errs++
	}
	if errs != 1 {
		t.Errorf("All gives %d errors first, want 1", errs)
	}
}

func TestAFullFileThatCannotBeRenamedIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r")
	f := Open(path, 400)
	if err := os.Mkdir(path+olderSuffix, 0o700); err != nil {
		t.Fatal(err)
	}
	var err error
	for range 20 {
		if err = f.Append("r1", receipt{strings.Repeat("x", 50)}); err != nil {
			break
		}
	}
	if got := size(t, path); err == nil || got > 200 {
		t.Errorf("Append = %v at %d bytes, want an error before 200", err, got)
	}
}

func TestAReadOnlyDirectoryOrAnUnreadableFileIsAnError(t *testing.T) {
	asAnyone(t, func(dir string) {
		path := filepath.Join(dir, "r")
		f := Open(path, 1000)
		add(t, f, "r1", receipt{})
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		if _, appending, reading := wrong(f); appending == nil || reading == nil {
			t.Errorf("mode 0: Append = %v, Find = %v, want errors", appending, reading)
		}
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(path + lockSuffix); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		found, appending, reading := wrong(f)
		if appending == nil || reading != nil || len(found) != 1 {
			t.Errorf("read-only directory: Append = %v, Find = %q, %v, want an error and r1", appending, found, reading)
		}
		if err := Open(filepath.Join(dir, "sub", "r"), 1000).Append("r1", receipt{}); err == nil {
			t.Error("a directory was made in a read-only one")
		}
		if err := os.Chmod(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	})
}
