package keyring_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/keys"
	"github.com/stemma-memory/stemma/memory"
	"golang.org/x/crypto/ssh"
)

// privates gives, for every private half below a directory, the forms in which it
// could have got elsewhere, by what they are.
func privates(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := make(map[string][]byte)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(raw, []byte("PRIVATE KEY")) {
			return err
		}
		key, err := ssh.ParseRawPrivateKey(raw)
		if err != nil {
			return err
		}
		block, _ := pem.Decode(raw)
		forms(out, path, key.(interface{ Seed() []byte }).Seed())
		for line := range bytes.Lines(raw) { // those of the body that hold the private half
			if line = bytes.TrimSpace(line); bytes.Contains(raw, line) && !bytes.HasPrefix(line, []byte("-----")) &&
				len(line) > 60 {
				out[path+": PEM "+string(line[:8])] = line
			}
		}
		forms(out, path+": the block", block.Bytes[len(block.Bytes)/2:])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// forms adds bytes as they are, in hex, and as they stand in any base64.
func forms(out map[string][]byte, name string, secret []byte) {
	out[name+": raw"], out[name+": hex"] = secret, []byte(hex.EncodeToString(secret))
	for shift := range 3 {
		padded := append(make([]byte, shift), secret...)
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := enc.EncodeToString(padded)
			// the digits before share bits with what comes before
			first := (shift*8 + 5) / 6
			// and the last with what follows
			out[fmt.Sprintf("%s: base64 %d", name, shift)+enc.EncodeToString([]byte{0xfb})] = []byte(text[first : len(text)-1])
		}
	}
}

// After everything that keys are used for, no private half stands anywhere but in the
// directory of the keys: in no file, no reply and no error.
func TestNoPrivateKeyAnywhere(t *testing.T) {
	t.Parallel()
	var said bytes.Buffer
	note := func(reply any, err error) {
		raw, _ := json.Marshal(reply)
		fmt.Fprintf(&said, "%s\n%+v\n%v\n%+v\n%#v\n", raw, reply, err, err, err)
	}
	w := newWorkshop(t)
	p, ctx, out := w.People, t.Context(), t.TempDir()
	phrase := ""
	as := func(o memory.Origin, change ...func(*engine.Config)) *engine.Engine {
		return p.As(o, append(change, func(c *engine.Config) {
			c.Receipts, c.Cache = filepath.Join(out, "receipts.jsonl"), filepath.Join(out, "cache")
			c.Recovery = func() (string, error) { return phrase, nil }
		})...)
	}
	owner, agent := as(memory.OriginOwner, func(c *engine.Config) { c.Recovery = nil }), as(memory.OriginAgent)
	note(owner.Init(ctx, api.Nothing{}))
	raw := capture(t, agent, "words that were said")
	ref := promote(t, agent, "an episode of them", raw)
	file := filepath.Join(w.Dir, "evidence.txt")
	if err := os.WriteFile(file, []byte("Memory-Digest: sha256:"+refOf(t, ref).ID.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	note(owner.Anchor(ctx, api.AnchorRequest{Ref: ref, Type: "file", Reference: "evidence.txt"}))
	note(owner.Anchor(ctx, api.AnchorRequest{Ref: ref, Type: "url", Reference: "https://127.0.0.1/"}))
	note(owner.AnchorStamp(ctx, api.RefRequest{Ref: ref}))
	friend := newForger(t, p.Now())
	note(owner.Introduce(ctx, api.IntroduceRequest{Key: friend.Key.DID(), Name: "a friend"}))
	note(owner.AskWitness(ctx, api.AskRequest{Ref: ref, To: "a friend"}))
	theirs := friend.Says(&memory.Belief{Type: "fact", Statement: "words of a friend"})
	take(t, owner, theirs)
	note(owner.Witness(ctx, api.WitnessRequest{Ref: theirs.Ref().String(), Attestation: "confirm"}))
	note(owner.Witness(ctx, api.WitnessRequest{Ref: ref, Attestation: "confirm"}))
	note(owner.Checkpoint(ctx, api.CheckpointRequest{}))
	note(owner.Prove(ctx, api.ProveRequest{Ref: ref}))
	made, err := owner.KeyRecovery(ctx, api.Nothing{})
	if phrase, made.Phrase = made.Phrase, ""; err != nil || phrase == "" {
		t.Fatalf("no recovery phrase: %v", err)
	}
	note(made, err)
	secrets := privates(t, p.Config.KeyDir)
	note(owner.KeyRotate(ctx, api.KeyRequest{Agent: true, Destroy: true}))
	note(as(memory.OriginOwner).KeyRotate(ctx, api.KeyRequest{}))
	note(as(memory.OriginOwner).KeyRotate(ctx, api.KeyRequest{})) // the phrase is of the key before: refused
	owner = as(memory.OriginOwner, func(c *engine.Config) { c.Recovery = nil })
	note(owner.KeyDelegate(ctx, api.KeyRequest{Name: "visit"}))
	note(owner.KeyDelegate(ctx, api.KeyRequest{Name: "visit"}))
	note(owner.KeyDelegate(ctx, api.KeyRequest{Name: "../../x"}))
	session := as(memory.OriginAgent, func(c *engine.Config) { c.KeySession = "visit" })
	capture(t, session, "words of a session")
	note(owner.KeyRevoke(ctx, api.KeyRequest{Key: "visit", Reason: "lost"}))
	note(owner.KeyShow(ctx, api.Nothing{}))
	note(owner.KeyList(ctx, api.Nothing{}))
	note(owner.KeyExportPublic(ctx, api.KeyRequest{}))
	note(owner.KeyAdd(ctx, api.KeyRequest{Key: "did:key:z6Mkdamaged", Name: "x"}))
	for name, in := range map[string]api.ExportRequest{
		"whole": {Proofs: true}, "part": {Refs: []string{ref}, Proofs: true},
	} {
		var b bytes.Buffer
		note(owner.Export(ctx, &b, in))
		if err := os.WriteFile(filepath.Join(out, name), b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	note(as(memory.OriginAgent).Search(ctx, api.SearchRequest{Query: "words"}))
	note(owner.Trust(ctx, api.RefRequest{Ref: ref}))
	note(owner.Audit(ctx, api.AuditRequest{}))
	note(owner.Doctor(ctx, api.DoctorRequest{}))
	// Keys that cannot be read say so, and nothing of what stands there.
	for name, text := range map[string]func(b []byte) []byte{
		"open": func(b []byte) []byte { return b }, "torn": func(b []byte) []byte { return b[:len(b)-60] },
		"garbled": func(b []byte) []byte { return bytes.Replace(b, []byte("A"), []byte("!"), 3) },
	} {
		dir := filepath.Join(t.TempDir(), "keys")
		if err := os.CopyFS(dir, os.DirFS(p.Config.KeyDir)); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(dir, "owner"))
		if err != nil {
			t.Fatal(err)
		}
		mode := map[bool]fs.FileMode{true: 0o644, false: 0o600}[name == "open"]
		if err := errors.Join(
			os.Chmod(dir, 0o700), os.WriteFile(filepath.Join(dir, "owner"), text(b), 0o600),
			os.Chmod(filepath.Join(dir, "owner"), mode),
		); err != nil {
			t.Fatal(err)
		}
		_, err = keys.Load(dir)
		if note(nil, err); err == nil {
			t.Errorf("a key file that is %s was read", name)
		}
	}
	for name, b := range privates(t, p.Config.KeyDir) {
		secrets[name] = b
	}
	secrets["the recovery phrase"] = []byte(phrase)
	secrets["the recovery phrase without its dashes"] = []byte(
		strings.ReplaceAll(strings.TrimPrefix(phrase, "stemma-recovery-"), "-", ""),
	)
	everything := map[string][]byte{"what was said": said.Bytes()}
	for _, root := range []string{filepath.Dir(p.Path), out, w.Dir} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || path == p.Config.KeyDir || d.IsDir() {
				if path == p.Config.KeyDir {
					return fs.SkipDir
				}
				return err
			}
			everything[path], err = os.ReadFile(path)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for what, secret := range secrets {
		for where, text := range everything {
			if bytes.Contains(text, secret) {
				t.Errorf("%s stands in %s", what, where)
			}
		}
	}
	t.Logf("%d forms of secrets, %d files", len(secrets), len(everything))
}
