package keys

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

// introduce stands for what a caller signs when a ring is made.
func introduce(owner, agent *Key) ([]byte, error) {
	return []byte(owner.DID() + " " + agent.DID() + "\n"), nil
}

func openRing(t testing.TB, dir string) *Ring {
	t.Helper()
	ring, err := Open(dir, source(1), introduce)
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

func checkSame(t *testing.T, got, want *Ring) {
	t.Helper()
	if got.Owner.DID() != want.Owner.DID() || got.Agent.DID() != want.Agent.DID() ||
		!bytes.Equal(got.Identity, want.Identity) {
		t.Errorf("ring %s, want %s", got.Identity, want.Identity)
	}
}

func names(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, entry := range entries {
		list = append(list, entry.Name())
	}
	return list
}

func TestOpenMakesARingOnceAndLoadsItAfter(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "data", "stemma")
	dir := filepath.Join(parent, "it's keys")
	made := openRing(t, dir)
	if got, want := string(made.Identity), made.Owner.DID()+" "+made.Agent.DID()+"\n"; got != want {
		t.Errorf("identity = %q, want %q", got, want)
	}
	in := source(1)
	if first, err := Generate(in); err != nil || first.DID() != made.Owner.DID() {
		t.Errorf("owner = %s, want the first key of the source, %s (%v)", made.Owner, first, err)
	}
	if second, err := Generate(in); err != nil || second.DID() != made.Agent.DID() {
		t.Errorf("agent = %s, want the second key of the source, %s (%v)", made.Agent, second, err)
	}
	loaded, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	checkSame(t, loaded, made)
	again, err := Open(dir+"/", nil, nil) // neither is asked for a ring that is there
	if err != nil {
		t.Fatal(err)
	}
	checkSame(t, again, made)
	if got, want := signature(
		t, loaded.Agent, "t", []byte("p"),
	), signature(t, made.Agent, "t", []byte("p")); !bytes.Equal(got, want) {
		t.Errorf("the loaded key signs %x, want %x", got, want)
	}
	if got, want := names(t, dir), []string{
		"agent", "agent.pub", "identity.jsonl", "owner", "owner.pub",
	}; !slices.Equal(got, want) {
		t.Errorf("files %v, want %v", got, want)
	}
	if got, want := names(t, parent), []string{"it's keys"}; !slices.Equal(got, want) {
		t.Errorf("beside it %v, want %v", got, want)
	}
}

func TestPublicFilesNameTheKeys(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	ring := openRing(t, dir)
	for name, key := range map[string]*Key{"owner": ring.Owner, "agent": ring.Agent} {
		b, err := os.ReadFile(filepath.Join(dir, name+".pub"))
		if err != nil {
			t.Fatal(err)
		}
		public, comment, _, rest, err := ssh.ParseAuthorizedKey(b)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Fingerprint(key.DID())
		if got := ssh.FingerprintSHA256(public); err != nil || got != want {
			t.Errorf("%s.pub is %s, want %s (%v)", name, got, want, err)
		}
		if comment != "stemma "+name || len(rest) > 0 {
			t.Errorf("%s.pub has comment %q and %q after it", name, comment, rest)
		}
		for what, text := range spellings(key) {
			if bytes.Contains(b, []byte(text)) {
				t.Errorf("%s.pub shows the private half: %s", name, what)
			}
		}
	}
}

func TestLoadWithoutARing(t *testing.T) {
	empty, other := t.TempDir(), t.TempDir()
	if err := os.Chmod(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(other, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "letter"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", filepath.Join(empty, "none"), filepath.Join(empty, "none", "deeper"), empty, other} {
		if ring, err := Load(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Load(%q) = %v, %v, want %v", dir, ring, err, fs.ErrNotExist)
		}
	}
	if _, err := Open("", source(1), introduce); err == nil {
		t.Error("Open made a ring without a name")
	}
	if _, err := Open(other, source(1), introduce); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open of a directory with something else in it: %v", err)
	}
	if got, want := names(t, other), []string{"letter"}; !slices.Equal(got, want) {
		t.Errorf("it holds %v, want %v", got, want)
	}
	if _, err := Open(empty, source(1), introduce); err != nil {
		t.Errorf("Open of an empty directory: %v", err)
	}
}

func TestOpenThatFailsLeavesNothing(t *testing.T) {
	refuse := errors.New("no")
	for _, tt := range []struct {
		name     string
		rand     io.Reader
		identity func(owner, agent *Key) ([]byte, error)
		want     error
	}{
		{"no randomness", bytes.NewReader(nil), introduce, io.EOF},
		{"randomness for one key", bytes.NewReader(make([]byte, 40)), introduce, io.ErrUnexpectedEOF},
		{"the same key twice", bytes.NewReader(make([]byte, 64)), introduce, nil},
		{"no identity", source(1), func(_, _ *Key) ([]byte, error) { return nil, refuse }, refuse},
		{
			"identity too large to load", source(1),
			func(_, _ *Key) ([]byte, error) { return make([]byte, maxIdentityFile+1), nil }, nil,
		},
	} {
		parent := t.TempDir()
		ring, err := Open(filepath.Join(parent, "keys"), tt.rand, tt.identity)
		if err == nil || ring != nil || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, %v, want %v", tt.name, ring, err, tt.want)
		}
		if got := names(t, parent); len(got) > 0 {
			t.Errorf("%s: left %v", tt.name, got)
		}
	}
}

func TestLoadNamesTheFileThatIsMissing(t *testing.T) {
	for _, name := range []string{"owner", "agent", "identity.jsonl"} {
		dir := filepath.Join(t.TempDir(), "keys")
		openRing(t, dir)
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if name == "owner" { // one that is there in public is an ssh-agent's
			if err := os.Remove(filepath.Join(dir, "owner.pub")); err != nil {
				t.Fatal(err)
			}
		}
		for what, load := range map[string]func() (*Ring, error){
			"Load": func() (*Ring, error) { return Load(dir) },
			"Open": func() (*Ring, error) { return Open(dir, rand.Reader, introduce) },
		} {
			ring, err := load()
			if err == nil || ring != nil || errors.Is(err, fs.ErrNotExist) ||
				!strings.Contains(err.Error(), filepath.Join(dir, name)) {
				t.Errorf("%s without %s = %v, %v, want an error that names it", what, name, ring, err)
			}
		}
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s was made anew", name)
		}
	}
}
