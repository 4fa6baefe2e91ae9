package keys

import (
	"encoding/base64"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestPublicOfReadsWhatExportPublicWrites(t *testing.T) {
	key := newKey(t, 1)
	for _, comment := range []string{"", "ann", "ann on the laptop", "Zoë 日本", "ssh-ed25519 AAAA"} {
		line, err := ExportPublic(key.DID(), comment)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{line, line + "\n", "  " + line + "\r\n", strings.Replace(line, " ", "  ", 1)} {
			did, got, err := PublicOf([]byte(text))
			if err != nil || did != key.DID() || got != comment {
				t.Errorf("PublicOf(%q) = %s, %q, %v, want %s, %q", text, did, got, err, key.DID(), comment)
			}
		}
	}
	if did, comment, err := PublicOf([]byte(key.DID() + "\n")); err != nil || did != key.DID() || comment != "" {
		t.Errorf("PublicOf of a did = %s, %q, %v", did, comment, err)
	}
}

func TestExportPublicIsOpenSSHs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	ring := openRing(t, dir)
	line, err := ExportPublic(ring.Owner.DID(), "stemma owner")
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "owner.pub"))
	if got, want := string(b), line+"\n"; err != nil || got != want {
		t.Errorf("owner.pub = %q (%v), want %q", got, err, want)
	}
	path, err := exec.LookPath("ssh-keygen")
	if err != nil {
		return // the line is held against x/crypto's reader in TestPublicFilesNameTheKeys
	}
	want, err := Fingerprint(ring.Owner.DID())
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(path, "-l", "-f", filepath.Join(dir, "owner.pub")).CombinedOutput()
	if got := string(out); err != nil || !strings.Contains(got, want) {
		t.Errorf("ssh-keygen says %q (%v), want %s", got, err, want)
	}
}

func lineOf(public []byte) string {
	return sshType + " " + base64.StdEncoding.EncodeToString(append([]byte(sshHead), public...))
}

func TestPublicOfRefusesWeakKeys(t *testing.T) {
	var small []struct{ Public hexBytes }
	readJSON(t, "small_order.json", &small)
	weak := make(map[string]bool)
	for _, v := range small {
		weak[string(v.Public)] = true
		if sum := mixed(t, v.Public); checkPoint(sum) != nil {
			weak[string(sum[:])] = true
		}
	}
	var speccheck []struct {
		Public hexBytes `json:"pub_key"`
	}
	readJSON(t, "speccheck.json", &speccheck)
	for _, v := range speccheck {
		if public := publicKey(v.Public); checkPoint(public) != nil {
			weak[string(v.Public)] = true
		}
	}
	if got, least := len(weak), 14+7; got < least {
		t.Fatalf("%d weak keys, want at least %d", got, least)
	}
	accepted := 0
	for public := range weak {
		did := encodeDID(publicKey([]byte(public)))
		for _, text := range []string{lineOf([]byte(public)), lineOf([]byte(public)) + " ann", did} {
			if got, _, err := PublicOf([]byte(text)); !errors.Is(err, ErrBadKey) || got != "" {
				accepted++
				t.Errorf("PublicOf(%s) = %s, %v, want %v", text, got, err, ErrBadKey)
			}
		}
		if line, err := ExportPublic(did, ""); !errors.Is(err, ErrBadKey) || line != "" {
			t.Errorf("ExportPublic(%s) = %s, %v, want %v", did, line, err, ErrBadKey)
		}
	}
	if accepted != 0 {
		t.Errorf("%d weak keys accepted, want 0", accepted)
	}
}

func TestPublicOfRefusesWhatIsNoLine(t *testing.T) {
	key := newKey(t, 1)
	public := publicKey(mustParse(t, key.DID()))
	line := lineOf(public[:])
	blob := strings.TrimPrefix(line, sshType+" ")
	for _, text := range []string{
		"", "\n", sshType, sshType + " ", blob, "command=\"rm\" " + line, "ssh-rsa " + blob,
		"sk-ssh-ed25519@openssh.com " + blob,
		strings.ToUpper(sshType) + " " + blob, sshType + "\t" + blob, sshType + " " + blob[:len(blob)-1],
		sshType + " " + blob[:40] + "\n" + blob[40:],
		line + "\n" + line, line + " ann\nssh-ed25519", line + " \x1b[2J", line + " \u202eann", line + " \xff",
		line + " a\x00b", line + " " + strings.Repeat("a", maxComment+1),
		strings.Repeat(line+" ", 100), strings.Repeat(" ", maxPublic) + line, lineOf(public[:31]),
		lineOf(append(public[:], 0)), lineOf(nil), sshType + " " + blob + "=", sshType + " AAAA",
		key.DID() + " ann", key.DID() + "\n" + key.DID(), strings.ToUpper(key.DID()), "did:key:", "did:web:ann",
	} {
		did, comment, err := PublicOf([]byte(text))
		if !errors.Is(err, ErrBadKey) || did != "" || comment != "" {
			t.Errorf("PublicOf(%.200q) = %s, %q, %v, want %v", text, did, comment, err, ErrBadKey)
		} else if len(err.Error()) > 400 || strings.ContainsAny(err.Error(), "\n\x00\x1b") {
			t.Errorf("the error repeats what a stranger sent: %.400q", err)
		}
	}
	for _, comment := range []string{"a\nssh-ed25519 AAAA", "a\rb", "\x1b[2J", "\xff", strings.Repeat("a", maxComment+1)} {
		if line, err := ExportPublic(key.DID(), comment); err == nil {
			t.Errorf("ExportPublic with comment %.20q = %q", comment, line)
		}
	}
}

func mustParse(t testing.TB, did string) []byte {
	t.Helper()
	public, err := ParseDID(did)
	if err != nil {
		t.Fatal(err)
	}
	return public
}

func FuzzPublicOf(f *testing.F) {
	key := newKey(f, 1)
	line, err := ExportPublic(key.DID(), "ann")
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(line))
	f.Add([]byte(key.DID()))
	f.Add([]byte("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA x"))
	f.Fuzz(func(t *testing.T, text []byte) {
		did, comment, err := PublicOf(text)
		if err != nil {
			if !errors.Is(err, ErrBadKey) || did != "" {
				t.Errorf("PublicOf(%q) = %s, %v, want %v", text, did, err, ErrBadKey)
			}
			return
		}
		again, err := ExportPublic(did, comment)
		if err != nil {
			t.Fatalf("%q parses to %s %q, which cannot be written: %v", text, did, comment, err)
		}
		if d, c, err := PublicOf([]byte(again)); err != nil || d != did || c != comment {
			t.Errorf("%q parses to %s %q, and %q to %s %q (%v)", text, did, comment, again, d, c, err)
		}
	})
}
