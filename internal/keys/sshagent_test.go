package keys

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// listen has serve answer on a socket, of a short name since a long one is refused.
func listen(t testing.TB, serve func(net.Conn)) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "agent")
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer conn.Close()
				serve(conn)
			})
		}
	})
	t.Cleanup(func() {
		listener.Close()
		all.Wait()
		os.RemoveAll(dir)
	})
	return socket
}

func serveAgent(t testing.TB, a agent.Agent) string {
	t.Helper()
	return listen(t, func(conn net.Conn) { agent.ServeAgent(a, conn) })
}

// movedRing is a ring whose owner's private half was moved out of it.
func movedRing(t testing.TB) (dir string, plain *Ring) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "keys")
	plain = openRing(t, dir)
	if err := os.Remove(filepath.Join(dir, "owner")); err != nil {
		t.Fatal(err)
	}
	return dir, plain
}

func loadAgentRing(t testing.TB, dir, socket string) *Ring {
	t.Helper()
	ring, err := LoadWith(dir, Options{AgentSocket: socket})
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

func holding(t testing.TB, keys ...*Key) agent.Agent {
	t.Helper()
	a := agent.NewKeyring()
	for _, key := range keys {
		private := key.private()
		if err := a.Add(agent.AddedKey{PrivateKey: &private}); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

func TestTheOwnerSignsThroughAnAgent(t *testing.T) {
	dir, plain := movedRing(t)
	ring := loadAgentRing(t, dir, serveAgent(t, holding(t, newKey(t, 8), plain.Owner, newKey(t, 9))))
	checkSame(t, ring, plain)
	if got, want := ring.Owner.Place(), InAgent; got != want {
		t.Errorf("Place = %s, want %s", got, want)
	}
	for _, payload := range [][]byte{nil, []byte("p"), make([]byte, 200<<10)} {
		if got, want := signature(t, ring.Owner, "t", payload), signature(
			t, plain.Owner, "t", payload,
		); !bytes.Equal(got, want) {
			t.Errorf("%d bytes: it signs %x, want %x", len(payload), got, want)
		}
	}
	var all sync.WaitGroup
	for range racers {
		all.Go(func() {
			if sig, err := ring.Owner.Sign("t", nil); err != nil || !bytes.Equal(sig, signature(t, plain.Owner, "t", nil)) {
				t.Errorf("at once with others: %x, %v", sig, err)
			}
		})
	}
	all.Wait()
	if sig, err := ring.Owner.Sign("t", make([]byte, maxAgentMessage)); !errors.Is(err, ErrAgent) || sig != nil ||
		!strings.Contains(err.Error(), "at most") {
		t.Errorf("more than an agent signs: %v, want %v", err, ErrAgent)
	}
}

func TestTheRealAgent(t *testing.T) {
	path, err := exec.LookPath("ssh-agent")
	if err != nil {
		return // TestTheOwnerSignsThroughAnAgent has one of its own
	}
	dir, plain := movedRing(t)
	home, err := os.MkdirTemp("", "agent")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(home)
	socket := filepath.Join(home, "s")
	command := exec.CommandContext(t.Context(), path, "-D", "-a", socket)
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer command.Wait()
	defer command.Process.Kill()
	// it listens by then
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, socket) {
		t.Fatalf("the agent says %q (%v)", line, err)
	}
	ring := loadAgentRing(t, dir, socket)
	if _, err := ring.Owner.Sign("t", nil); !errors.Is(err, ErrAgent) || !strings.Contains(err.Error(), "does not hold") {
		t.Errorf("an empty agent: %v", err)
	}
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	private := plain.Owner.private()
	client := agent.NewClient(conn)
	if err := client.Add(agent.AddedKey{PrivateKey: &private}); err != nil {
		t.Fatal(err)
	}
	most := make([]byte, maxAgentMessage-len(PAE("t", nil))-len("260000"))
	for _, payload := range [][]byte{nil, []byte("p"), most} {
		if got, want := signature(t, ring.Owner, "t", payload), signature(
			t, plain.Owner, "t", payload,
		); !bytes.Equal(got, want) {
			t.Errorf("%d bytes: it signs %x, want %x", len(payload), got, want)
		}
	}
	if err := client.Lock([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := ring.Owner.Sign("t", nil); !errors.Is(err, ErrAgent) || !strings.Contains(err.Error(), "ssh-add -X") {
		t.Errorf("a locked agent: %v", err)
	}
}

// liar holds every key and signs as it is told to.
type liar struct {
	agent.Agent
	list []*agent.Key
	sign func(data []byte) (*ssh.Signature, error)
}

func (l liar) List() ([]*agent.Key, error) { return l.list, nil }

func (l liar) Sign(_ ssh.PublicKey, data []byte) (*ssh.Signature, error) { return l.sign(data) }

func TestWhatAnAgentSaysIsNotBelieved(t *testing.T) {
	dir, plain := movedRing(t)
	public, err := ssh.NewPublicKey(ed25519.PublicKey(mustParse(t, plain.Owner.DID())))
	if err != nil {
		t.Fatal(err)
	}
	list := []*agent.Key{{Format: sshType, Blob: public.Marshal()}}
	good := func(data []byte) []byte { return ed25519.Sign(plain.Owner.private(), data) }
	for name, sign := range map[string]func(data []byte) (*ssh.Signature, error){
		"refusal": func([]byte) (*ssh.Signature, error) { return nil, errors.New("no") },
		"another's": func(data []byte) (*ssh.Signature, error) {
			return &ssh.Signature{Format: sshType, Blob: ed25519.Sign(newKey(t, 9).private(), data)}, nil
		},
		"other message": func(data []byte) (*ssh.Signature, error) {
			return &ssh.Signature{Format: sshType, Blob: good(append(data, 0))}, nil
		},
		"empty": func([]byte) (*ssh.Signature, error) { return &ssh.Signature{Format: sshType}, nil },
		"short": func(data []byte) (*ssh.Signature, error) {
			return &ssh.Signature{Format: sshType, Blob: good(data)[:63]}, nil
		},
		"long": func(data []byte) (*ssh.Signature, error) {
			return &ssh.Signature{Format: sshType, Blob: append(good(data), 0)}, nil
		},
		"another format": func(data []byte) (*ssh.Signature, error) {
			return &ssh.Signature{Format: "ssh-rsa", Blob: good(data)}, nil
		},
		"a token's": func(data []byte) (*ssh.Signature, error) {
			return &ssh.Signature{Format: sshType, Blob: good(data), Rest: []byte{1, 0, 0, 0, 1}}, nil
		},
		"S + L": func(data []byte) (*ssh.Signature, error) {
			return &ssh.Signature{Format: sshType, Blob: addOrder(good(data))}, nil
		},
	} {
		ring := loadAgentRing(t, dir, serveAgent(t, liar{Agent: agent.NewKeyring(), list: list, sign: sign}))
		if sig, err := ring.Owner.Sign("t", []byte("p")); !errors.Is(err, ErrAgent) || sig != nil {
			t.Errorf("%s: %x, %v, want %v", name, sig, err, ErrAgent)
		}
	}
	honest := liar{Agent: agent.NewKeyring(), list: list, sign: func(data []byte) (*ssh.Signature, error) {
		return &ssh.Signature{Format: sshType, Blob: good(data)}, nil
	}}
	signature(t, loadAgentRing(t, dir, serveAgent(t, honest)).Owner, "t", []byte("p"))
}

func TestAnAgentThatIsNone(t *testing.T) {
	dir, plain := movedRing(t)
	header := func(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }
	say := func(b []byte) string {
		return listen(t, func(conn net.Conn) {
			io.ReadFull(conn, make([]byte, 5)) // what it is asked first
			conn.Write(b)
		})
	}
	for name, socket := range map[string]string{
		"not named":       "",
		"not there":       filepath.Join(t.TempDir(), "none"),
		"a file":          filepath.Join(dir, "agent"),
		"a long name":     "/" + strings.Repeat("a", 300),
		"silent":          say(nil),
		"failure":         say(append(header(1), 5)),
		"huge":            say(append(header(1<<32-1), 12)),
		"empty":           say(header(0)),
		"cut":             say(append(header(100), 12, 0, 0)),
		"more than it is": say(append(header(5), 12, 255, 255, 255, 255)),
		"other answer":    say(append(header(1), 14)),
		"another's keys":  serveAgent(t, holding(t, newKey(t, 9), plain.Agent)),
	} {
		ring := loadAgentRing(t, dir, socket)
		if sig, err := ring.Owner.Sign("t", nil); !errors.Is(err, ErrAgent) || sig != nil || len(err.Error()) > 1000 {
			t.Errorf("%s: %x, %v, want %v", name, sig, err, ErrAgent)
		}
		signature(t, ring.Agent, "t", nil) // needs nobody
	}
}

func TestThePublicFileOfAMovedOwnerIsChecked(t *testing.T) {
	dir, plain := movedRing(t)
	path := filepath.Join(dir, "owner.pub")
	agents, err := os.ReadFile(filepath.Join(dir, "agent.pub"))
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{
		"empty": nil, "text": []byte("not a key\n"), "small order": []byte(lineOf(append([]byte{1}, make([]byte, 31)...))),
		"huge": bytes.Repeat([]byte("\n"), maxKeyFile+1), "the agent's": agents,
	} {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(dir)
		checkDamage(t, name, err, dir, plain.Owner)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "backup") {
		t.Errorf("without either half: %v", err)
	}
}
