package keys

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hexBytes is bytes that a file of vectors writes in hex.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

func readJSON(t testing.TB, name string, into any) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// accepts is Verify, of a bare message in place of an encoded one: the key through
// its name, then the signature.
func accepts(public, message, sig []byte) error {
	key, err := parseDID(encodeDID(publicKey(public)))
	if err != nil {
		return err
	}
	good := verify(key, message, sig)
	if byTable(key, message, sig) != good {
		return errors.New("with a table the verdict is another")
	}
	if !good {
		return ErrBadSignature
	}
	return nil
}

func checkSigning(t *testing.T, name string, seed, public, message, sig []byte) {
	t.Helper()
	key, err := FromSeed(seed)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if got, want := key.DID(), encodeDID(publicKey(public)); got != want {
		t.Errorf("%s: key of the seed is %s, want %s", name, got, want)
	}
	got, err := key.private().Sign(nil, message, crypto.Hash(0)) // 0: the message is not hashed before
	if err != nil || !bytes.Equal(got, sig) {
		t.Errorf("%s: signature %x (%v), want %x", name, got, err, sig)
	}
	if err := accepts(public, message, sig); err != nil {
		t.Errorf("%s: %v, want it verified", name, err)
	}
	if err := accepts(public, append([]byte{0}, message...), sig); !errors.Is(err, ErrBadSignature) {
		t.Errorf("%s: of another message %v, want %v", name, err, ErrBadSignature)
	}
}

func TestRFC8032(t *testing.T) {
	var file struct {
		Vectors []struct {
			Name                             string
			Seed, Public, Message, Signature hexBytes
		}
	}
	readJSON(t, "rfc8032.json", &file)
	if got, want := len(file.Vectors), 5; got != want {
		t.Fatalf("%d vectors, want %d", got, want)
	}
	for _, v := range file.Vectors {
		checkSigning(t, v.Name, v.Seed, v.Public, v.Message, v.Signature)
	}
}

func TestEd25519CrYpTo(t *testing.T) {
	f, err := os.Open("testdata/sign.input.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	n := 0
	for ; lines.Scan(); n++ {
		var parts [4][]byte // seed and public, public, message, signature and message
		for i, text := range strings.Split(lines.Text(), ":")[:4] {
			if parts[i], err = hex.DecodeString(text); err != nil {
				t.Fatalf("line %d: %v", n+1, err)
			}
		}
		checkSigning(t, lines.Text()[:8], parts[0][:32], parts[1], parts[2], parts[3][:64])
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if got, want := n, 128; got != want {
		t.Errorf("%d lines, want %d", got, want)
	}
}

func TestWycheproof(t *testing.T) {
	var file struct {
		TestGroups []struct {
			PublicKey struct{ PK hexBytes }
			Tests     []struct {
				TCID     int
				Comment  string
				Msg, Sig hexBytes
				Result   string
			}
		}
	}
	readJSON(t, "wycheproof_ed25519.json", &file)
	n := 0
	for _, group := range file.TestGroups {
		for _, v := range group.Tests {
			n++
			got := accepts(group.PublicKey.PK, v.Msg, v.Sig)
			if v.Result == "valid" && got != nil {
				t.Errorf("%d %s: %v, want it verified", v.TCID, v.Comment, got)
			}
			// Every key in the file is sound: what is wrong is the signature.
			if v.Result != "valid" && !errors.Is(got, ErrBadSignature) {
				t.Errorf("%d %s: %v, want %v", v.TCID, v.Comment, got, ErrBadSignature)
			}
		}
	}
	if got, want := n, 151; got != want {
		t.Errorf("%d vectors, want %d", got, want)
	}
}

// What verifiers differ about is refused: no signature in the file is good, and no
// key but the one of cases 6 and 7, in which there is nothing wrong with the key.
func TestSpeccheck(t *testing.T) {
	var vectors []struct {
		Message   hexBytes
		PubKey    hexBytes `json:"pub_key"`
		Signature hexBytes
	}
	readJSON(t, "speccheck.json", &vectors)
	if got, want := len(vectors), 12; got != want {
		t.Fatalf("%d vectors, want %d", got, want)
	}
	for i, v := range vectors {
		want := ErrBadKey
		if i == 6 || i == 7 {
			want = ErrBadSignature
		}
		if got := accepts(v.PubKey, v.Message, v.Signature); !errors.Is(got, want) {
			t.Errorf("case %d: %v, want %v", i, got, want)
		}
	}
}
