package hosts

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What earlier versions wrote into hosts' files goes whole, and what was there before them comes back byte for byte:
// at once, or after this version has written its own in the place of theirs. Each file of testdata has a home before
// and after 'init' of such a version, with the backups where that version kept them.
func TestWhatEarlierVersionsWroteGoesWhole(t *testing.T) {
	files, err := filepath.Glob("testdata/earlier/*.json")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var kept map[string]string
		if err := json.Unmarshal(text, &kept); err != nil {
			t.Fatal(err)
		}
		for _, again := range []bool{false, true} {
			home := t.TempDir()
			for name, text := range kept {
				if rest, is := strings.CutPrefix(name, "after/"); is {
					rest = strings.ReplaceAll(rest, ".local/share/stemma/backups/", "backups/")
					write(t, filepath.Join(home, rest), text)
				}
			}
			p := Place{
				Home: home, Config: filepath.Join(home, ".config"), Getenv: func(string) string { return "" },
				Program: "/usr/bin/stemma", Backups: filepath.Join(home, "backups"),
			}
			p.renameBackups(t, "/srv/ada/home")
			for _, remove := range []bool{false, true} {
				for _, host := range Names() {
					if !remove && !again {
						continue
					}
					changes, _, err := p.Plan(host, remove)
					if err == nil {
						err = Write(changes)
					}
					if err != nil {
						t.Fatalf("%s %s: %v", file, host, err)
					}
				}
			}
			now := map[string]string{}
			_ = filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					text, _ := os.ReadFile(path)
					name, _ := filepath.Rel(home, path)
					now["before/"+filepath.ToSlash(name)] = string(text)
				}
				return err
			})
			for name, text := range kept {
				if got, there := now[name]; strings.HasPrefix(name, "before/") && (!there || got != text) {
					t.Errorf("%s, again %v, %s: %q, want %q", file, again, name, got, text)
				}
				delete(now, name)
			}
			for name := range now {
				t.Errorf("%s, again %v: %s is left", file, again, name)
			}
		}
	}
}

// renameBackups gives backups that were made in another home the names that they have in this one.
func (p Place) renameBackups(t *testing.T, from string) {
	t.Helper()
	list, _ := os.ReadDir(p.Backups)
	for _, host := range Names() {
		targets, _, err := p.targets(host)
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range targets {
			was := from + strings.TrimPrefix(target.path, p.Home)
			begin := filepath.Base(was) + "-" + digest([]byte(was)) + backupMark
			for _, f := range list {
				if end, is := strings.CutPrefix(f.Name(), begin); is {
					_ = os.Rename(filepath.Join(p.Backups, f.Name()), p.backupsOf(target.path)+end)
				}
			}
		}
	}
}
