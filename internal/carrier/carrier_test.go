package carrier

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store/memstore"
)

func hub(t testing.TB) peer.Remote {
	t.Helper()
	key, err := keys.FromSeed(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	return peer.NewHub(memstore.Open(nil), key, nil).For(peer.Caller{Account: "a", Any: true})
}

// TestPipe asks a hub through two pipes, and is told of errors by their kind.
func TestPipe(t *testing.T) {
	askR, askW := io.Pipe()
	tellR, tellW := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- Serve(context.Background(), askR, tellW, hub(t)) }()
	p := NewPipe(tellR, askW)
	w, err := p.Hello(t.Context(), peer.Hello{Version: peer.Version, Store: "a"})
	if err != nil || !w.Any || w.Key == "" {
		t.Errorf("Hello = %+v, %v", w, err)
	}
	if _, err := p.Hello(t.Context(), peer.Hello{Version: 99}); !errors.Is(err, peer.ErrVersion) {
		t.Errorf("Hello of another version gives %v", err)
	}
	if _, err := p.Prove(t.Context(), peer.ProveRequest{Space: "x", Old: 3, Size: 2}); !errors.Is(err, peer.ErrRequest) {
		t.Errorf("a proof backwards gives %v", err)
	}
	if err := askW.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-served; err != nil {
		t.Errorf("Serve ends with %v", err)
	}
	if err := tellW.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Hello(t.Context(), peer.Hello{}); err == nil || peer.Lasting(err) {
		t.Errorf("a pipe whose other end is gone gives %v, which should be worth asking again", err)
	}
}

func TestSSHArgs(t *testing.T) {
	tests := []struct{ address, want string }{
		{"ssh://desk", "-- desk stemma sync --serve-stdio"},
		{
			"ssh://ada@desk.local:2222/home/ada/it's.db",
			`-p 2222 -- ada@desk.local stemma sync --serve-stdio --store '/home/ada/it'\''s.db'`,
		},
		{"ssh://-oProxyCommand=x", ""},
		{"ssh://-x@desk", ""},
		{"ssh://ada:secret@desk", ""},
		{"ssh:///path", ""},
		{"ssh://desk?x=1", ""},
	}
	for _, tt := range tests {
		args, err := sshArgs(tt.address)
		if got := strings.Join(args, " "); got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("sshArgs(%q) = %q, %v, want %q", tt.address, got, err, tt.want)
		}
	}
}

// TestFolderIsNoneOrStrange names what is wrong with a folder.
func TestFolderIsNoneOrStrange(t *testing.T) {
	self := peer.Self{Store: "00ff", Key: "k"}
	dir := t.TempDir()
	if _, err := Folder(t.Context(), filepath.Join(dir, "none"), self); err == nil ||
		!strings.Contains(err.Error(), "does not exist") {
		t.Errorf("a folder that does not exist gives %v", err)
	}
	for _, name := range []string{"photos", "ab12", "cd34"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("cd34/"+storeFile, `{"name":"cd34","key":"x"}`)
	ends, err := Folder(t.Context(), dir, self)
	var names []string
	for _, e := range ends {
		names = append(names, e.Name)
	}
	if err != nil || !slices.Equal(names, []string{"", "cd34"}) {
		t.Errorf("the peers of a folder are %q, %v, want one's own and cd34", names, err)
	}
	put("cd34/"+storeFile, `{"name":"00ff","key":"x"}`)
	if ends, err = Folder(t.Context(), dir, self); err != nil || len(ends) != 2 {
		t.Fatalf("%d peers, %v", len(ends), err)
	}
	if _, err := ends[1].Hello(t.Context(), peer.Hello{}); err == nil ||
		!strings.Contains(err.Error(), "says that it is the store") {
		t.Errorf("a directory that says that it is another store's gives %v", err)
	}
}

// FuzzServe lets strangers say anything to the other end of a pipe.
func FuzzServe(f *testing.F) {
	for _, s := range []string{
		`{"op":"hello","in":{"version":1,"store":"a"}}`, `{"op":"log","in":{"space":"x","after":-1,"limit":1,"filter":{}}}`,
		`{"op":"push","in":{"space":"x","lines":[{},1,"a",null]}}`, `{"op":"fetch","in":{"space":"x","ids":["00"]}}`,
		`{"op":"cosign","in":{"space":"x","note":"a\n1\nb\n","key":"did:key:z"}}`, `{"op":"none"}`, `{`, "\x00",
		`{"op":"prove","in":{"space":"x","old":1,"size":9223372036854775807}}`,
	} {
		f.Add([]byte(s))
	}
	remote := hub(f)
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.ReplaceAll(line, []byte("\n"), []byte(" "))
		var out bytes.Buffer
		if err := Serve(t.Context(), bytes.NewReader(append(line, '\n')), &out, remote); err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(out.Bytes(), []byte("\n")); n != 1 {
			t.Errorf("%d answers to one question", n)
		}
	})
}
