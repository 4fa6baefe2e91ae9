package project

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// asksFor names the directories in which a process of these tests asks for the space.
const asksFor = "STEMMA_TEST_PROJECTS"

func TestMain(m *testing.M) {
	if asked := os.Getenv(asksFor); asked != "" {
		os.Exit(askAll(strings.Split(asked, "\n")))
	}
	os.Exit(m.Run())
}

// askAll prints the space of each directory; the data directory and home come first.
func askAll(asked []string) int {
	for _, dir := range asked[2:] {
		space, _, err := Space(context.Background(), asked[0], dir, asked[1], "salt", true)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(space)
	}
	return 0
}

// Ten processes and as many goroutines lose no project, and make no two of one.
func TestManyAtOnce(t *testing.T) {
	d := newDesk(t)
	asked := []string{d.data, d.home}
	const repositories = 5
	for i := range repositories {
		name := fmt.Sprint("r", i)
		d.repository(name)
		d.git("", "clone", "-q", name, name+"c")
		asked = append(asked, d.at(name), d.at(name+"c"))
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	answers := map[string]int{}
	for range 10 {
		all.Go(func() {
			cmd := exec.Command(self)
			cmd.Env = append(os.Environ(), asksFor+"="+strings.Join(asked, "\n"))
			out, err := cmd.CombinedOutput()
			mu.Lock()
			defer mu.Unlock()
			if answers[string(out)]++; err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
		all.Go(func() {
			for _, dir := range asked[2:] {
				if _, _, err := Space(t.Context(), d.data, dir, d.home, "salt", true); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	b, err := Read(d.data)
	if err != nil || len(b.Projects) != repositories || len(answers) != 1 {
		t.Errorf("%d projects, %d different answers, %v; want %d and 1", len(b.Projects), len(answers), err, repositories)
	}
	for _, p := range b.Projects {
		if len(p.Paths) != 2 || len(p.Stamps) != 2 || len(p.Roots) != 1 {
			t.Errorf("something was lost: %+v", p)
		}
	}
}

// A damaged book is one clear error for whoever reads or writes it, and stays as it is.
func TestDamagedBook(t *testing.T) {
	d := newDesk(t)
	d.repository("a")
	d.space("a")
	path := filepath.Join(d.data, File)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"empty": "", "blank": "\n",
		"cut": string(whole[:len(whole)/2]), "nonsense": "nonsense", "null": "null", "a list": "[]",
		"of a later version": `{"version":2,"projects":[]}`, "more behind it": string(whole) + "x",
		"without a space": `{"version":1,"projects":[{"name":"x"}]}`, "zeros": strings.Repeat("\x00", 100),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, reading := Read(d.data)
		_, _, looking := Space(t.Context(), d.data, d.at("a"), d.home, "salt", false)
		_, _, writing := Space(t.Context(), d.data, d.at("a"), d.home, "salt", true)
		binding := Bind(t.Context(), d.data, d.at("a"), d.home, "salt", "did:key:z6Mk/x")
		for _, err := range []error{reading, looking, writing, binding} {
			if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v, want one line that names the file", name, err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%s: the file has %q now, %v", name, got, err)
		}
	}
}

// Where the book cannot be written, the space is known all the same.
func TestBookThatCannotBeWritten(t *testing.T) {
	d := newDesk(t)
	d.repository("a")
	want, _, _ := Space(t.Context(), d.data, d.at("a"), d.home, "salt", false)
	if exists(d.data) {
		t.Error("a reader made the data directory")
	}
	if err := os.WriteFile(d.data, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Space(t.Context(), d.data, d.at("a"), d.home, "salt", true); err == nil {
		t.Error("no error where the data directory is a file")
	}
	if err := os.Remove(d.data); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(d.data, File+".lock"), 0o700); err != nil { // a lock that no one gets
		t.Fatal(err)
	}
	got, known, err := Space(t.Context(), d.data, d.at("a"), d.home, "salt", true)
	if got != want || known || err == nil {
		t.Errorf("%q (known: %v), %v, want %q and an error", got, known, err, want)
	}
}

// A book that another hand has written in another form is read, and written as before.
func TestBookInAnotherForm(t *testing.T) {
	d := newDesk(t)
	d.repository("a")
	was := d.space("a")
	path := filepath.Join(d.data, File)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var wide bytes.Buffer
	if err := json.Indent(&wide, whole, "", "  "); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, wide.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	d.stays(was, "a")
	if got, _ := os.ReadFile(path); !bytes.HasPrefix(got, []byte(beginsBy)) {
		t.Errorf("it is written as %.60q", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v, want mode 0600", info.Mode(), err)
	}
}

// crowd fills the book with projects, each with its stamps.
func crowd(d *desk, n int) {
	d.Helper()
	err := Change(d.data, func(b *Book) error {
		for i := range n {
			id := Identity{
				Root: fmt.Sprintf("%040x", i), Remote: fmt.Sprintf("forge.example/ada/p%d", i),
				Path: fmt.Sprintf("/home/ada/src/p%d", i), Name: fmt.Sprintf("p%d", i), Place: fmt.Sprintf("%d:%d", i, i),
			}
			b.stamp(b.Begin(id, "salt"), Stamp{Dir: id.Path + "/.git", Place: id.Place, Facts: "0123456789abcdef"})
		}
		return nil
	})
	if err != nil {
		d.Fatal(err)
	}
}

// Among a thousand projects one is found in 2 ms.
func TestAThousandProjects(t *testing.T) {
	d := newDesk(t)
	crowd(d, 1000)
	d.repository("a")
	d.space("a")
	fastest := time.Hour
	for range 20 {
		begun := time.Now()
		if _, known, err := Space(t.Context(), d.data, d.at("a"), d.home, "salt", true); !known || err != nil {
			t.Fatal(known, err)
		}
		fastest = min(fastest, time.Since(begun))
	}
	if fastest > 2*time.Millisecond {
		t.Errorf("a known project takes %v", fastest)
	}
}

func BenchmarkKnown(b *testing.B) {
	for _, n := range []int{0, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			d := newDesk(b)
			crowd(d, n)
			d.repository("a")
			d.mkdir("a/deep/er")
			d.space("a")
			b.ReportAllocs()
			for b.Loop() {
				if _, known, _ := Space(b.Context(), d.data, d.at("a/deep/er"), d.home, "salt", true); !known {
					b.Fatal("not known")
				}
			}
		})
	}
}

func BenchmarkOutside(b *testing.B) {
	d := newDesk(b)
	crowd(d, 1000)
	d.mkdir("plain")
	for b.Loop() {
		_, _, _ = Space(b.Context(), d.data, d.at("plain"), d.home, "salt", true)
	}
}

func BenchmarkNew(b *testing.B) {
	d := newDesk(b)
	crowd(d, 1000)
	d.repository("a")
	for b.Loop() {
		_, _, _ = Space(b.Context(), d.data, d.at("a"), d.home, "salt", false)
	}
}
