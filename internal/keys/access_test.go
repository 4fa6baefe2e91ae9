//go:build unix

package keys

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func TestEverythingIsThePersonsOwn(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	for _, mask := range []int{0, 0o022, 0o077, 0o277} {
		dir := filepath.Join(t.TempDir(), "keys")
		syscall.Umask(mask)
		openRing(t, dir)
		syscall.Umask(0)
		for name, want := range map[string]fs.FileMode{".": fs.ModeDir | 0o700, "owner": 0o600, "agent": 0o600,
			"owner.pub": 0o600, "agent.pub": 0o600, "identity.jsonl": 0o600} {
			info, err := os.Lstat(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Mode(); got != want {
				t.Errorf("umask %o: %s is %s, want %s", mask, name, got, want)
			}
		}
	}
}

func TestOtherModesAreRefusedAndTheErrorMendsThem(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh to run the command of the error with")
	}
	dir := filepath.Join(t.TempDir(), "it's $HOME keys")
	want := openRing(t, dir)
	for _, tt := range []struct {
		name string
		mode fs.FileMode
	}{
		{"owner", 0o644}, {"owner", 0o640}, {"owner", 0o604}, {"owner", 0o660}, {"owner", 0o620}, {"owner", 0o601},
		{"owner", 0o700}, {"owner", 0o400}, {"owner", 0},
		{"agent", 0o644}, {"agent", 0o666}, {"identity.jsonl", 0o644}, {"identity.jsonl", 0o602},
		{".", 0o755}, {".", 0o750}, {".", 0o701}, {".", 0o777}, {".", 0o500}, {".", 0o770},
	} {
		path := filepath.Join(dir, tt.name)
		if err := os.Chmod(path, tt.mode); err != nil {
			t.Fatal(err)
		}
		for what, open := range map[string]func() (*Ring, error){
			"Load": func() (*Ring, error) { return Load(dir) },
			"Open": func() (*Ring, error) { return Open(dir, rand.Reader, introduce) },
		} {
			ring, err := open()
			if err == nil || ring != nil {
				t.Errorf("%s with %s %04o: accepted", what, tt.name, tt.mode)
				continue
			}
			if text := err.Error(); !strings.Contains(text, path) || !strings.Contains(text, fmt.Sprintf("%04o", tt.mode)) {
				t.Errorf("%s with %s %04o: %q, want it to say so", what, tt.name, tt.mode, text)
			}
			_, command, _ := strings.Cut(err.Error(), ": chmod ")
			if out, err := exec.Command("sh", "-c", "chmod "+command).CombinedOutput(); err != nil {
				t.Errorf("chmod %s: %v: %s", command, err, out)
			}
			got, err := Load(dir)
			if err != nil {
				t.Fatalf("after chmod %s: %v", command, err)
			}
			checkSame(t, got, want)
			if err := os.Chmod(path, tt.mode); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(path, map[bool]fs.FileMode{true: 0o700, false: 0o600}[tt.name == "."]); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatIsNoPlainFileIsRefused(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "keys")
	openRing(t, dir)
	refused := func(what, path, dir string) {
		t.Helper()
		for name, open := range map[string]func() (*Ring, error){
			"Load": func() (*Ring, error) { return Load(dir) },
			"Open": func() (*Ring, error) { return Open(dir, rand.Reader, introduce) },
		} {
			ring, err := open()
			if err == nil || ring != nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "mv ") {
				t.Errorf("%s, %s: %v, want an error that names %s and what to do", what, name, err, path)
			}
		}
	}
	for _, name := range []string{"owner", "agent", "identity.jsonl"} {
		path, aside := filepath.Join(dir, name), filepath.Join(dir, "aside")
		if err := os.Rename(path, aside); err != nil {
			t.Fatal(err)
		}
		for what, make := range map[string]func() error{
			"link beside it":      func() error { return os.Symlink("aside", path) },
			"link by a full path": func() error { return os.Symlink(aside, path) },
			"link to nothing":     func() error { return os.Symlink("nothing", path) },
			"directory":           func() error { return os.Mkdir(path, 0o600) },
			"pipe":                func() error { return syscall.Mkfifo(path, 0o600) }, // reading it would hang
		} {
			if err := make(); err != nil {
				t.Fatal(err)
			}
			refused(what, path, dir)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Rename(aside, path); err != nil {
			t.Fatal(err)
		}
	}
	for what, target := range map[string]string{"link": dir, "link to nothing": filepath.Join(parent, "nothing")} {
		link := filepath.Join(parent, "link")
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		refused(what, link, link)
		if err := os.Remove(link); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(parent, "file")
	if err := os.WriteFile(file, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	refused("file", file, file)
	if got, want := names(t, parent), []string{"file", "keys"}; !slices.Equal(got, want) {
		t.Errorf("left %v, want %v", got, want)
	}
	if _, err := Load(dir); err != nil {
		t.Errorf("the ring as it was: %v", err)
	}
}

func TestAnotherUsersFilesAreRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only the superuser can give files away")
	}
	dir := filepath.Join(t.TempDir(), "keys")
	openRing(t, dir)
	const other = 12345
	for _, name := range []string{".", "owner", "agent", "identity.jsonl"} {
		path := filepath.Join(dir, name)
		if err := os.Lchown(path, other, -1); err != nil {
			t.Fatal(err)
		}
		ring, err := Load(dir)
		if err == nil || ring != nil || !strings.Contains(err.Error(), path+" (mode ") ||
			!strings.Contains(err.Error(), "user 12345") || !strings.Contains(err.Error(), "chown 0 ") {
			t.Errorf("%s: %v, want an error that says whose it is", name, err)
		}
		if err := os.Lchown(path, 0, -1); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Load(dir); err != nil {
		t.Errorf("the ring as it was: %v", err)
	}
}

// All of them have made their keys before any puts its ring in place.
func TestGoroutinesAtOnceMakeOneRing(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "keys")
	var ready, done sync.WaitGroup
	ready.Add(racers)
	var rings [racers]*Ring
	var errs [racers]error
	for i := range racers {
		done.Go(func() {
			rings[i], errs[i] = Open(dir, source(byte(i)), func(owner, agent *Key) ([]byte, error) {
				ready.Done()
				ready.Wait()
				return introduce(owner, agent)
			})
		})
	}
	done.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	checkOneRing(t, parent, dir)
	for _, ring := range rings {
		checkSame(t, ring, rings[0])
	}
}

func checkOneRing(t *testing.T, parent, dir string) {
	t.Helper()
	if got, want := names(t, parent), []string{"keys"}; !slices.Equal(got, want) {
		t.Errorf("left %v, want %v", got, want)
	}
	ring, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(ring.Identity), ring.Owner.DID()+" "+ring.Agent.DID()+"\n"; got != want {
		t.Errorf("identity of another ring: %q, want %q", got, want)
	}
}

const racerDir = "STEMMA_TEST_RACER_DIR"

// TestRacer is one process of TestProcessesAtOnceMakeOneRing.
func TestRacer(t *testing.T) {
	dir := os.Getenv(racerDir)
	if dir == "" {
		return // run by itself there is nothing to race with
	}
	ring, err := Open(dir, rand.Reader, func(owner, agent *Key) ([]byte, error) {
		fmt.Println("ready")
		io.Copy(io.Discard, os.Stdin) // until all are
		return introduce(owner, agent)
	})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("%s", ring.Identity)
}

func TestProcessesAtOnceMakeOneRing(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "keys")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var starts []io.Closer
	var outs []*bufio.Reader
	for range racers {
		command := exec.CommandContext(t.Context(), self, "-test.run=^TestRacer$")
		command.Env = append(os.Environ(), racerDir+"="+dir)
		command.Stderr = os.Stderr
		in, err := command.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		defer command.Wait()
		starts, outs = append(starts, in), append(outs, bufio.NewReader(out))
	}
	for _, out := range outs {
		if line, err := out.ReadString('\n'); err != nil || line != "ready\n" {
			t.Fatalf("a process says %q (%v), want ready", line, err)
		}
	}
	for _, in := range starts {
		in.Close()
	}
	said := make(map[string]int)
	for _, out := range outs {
		line, err := out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		said[line]++
	}
	checkOneRing(t, parent, dir)
	ring, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := said[string(ring.Identity)], racers; got != want {
		t.Errorf("%d processes say %q, want %d: %v", got, ring.Identity, want, said)
	}
}
