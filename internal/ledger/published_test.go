package ledger

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
)

func readJSON(t testing.TB, path string, to any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", path))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, to); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// The hashes as RFC 6962 has them, of data of any length.
func leafOf(data []byte) Hash { return sha256.Sum256(append([]byte{leafPrefix}, data...)) }

func nodeOf(left, right []byte) Hash {
	return sha256.Sum256(slices.Concat([]byte{nodePrefix}, left, right))
}

func TestPublishedHashes(t *testing.T) {
	var v struct {
		EmptyRoot string `json:"empty_root"`
		EmptyLeaf string `json:"empty_leaf"`
		Leaf      struct {
			Data string `json:"data_utf8"`
			Hash string `json:"hash"`
		} `json:"leaf"`
		Node struct {
			Left  string `json:"left_utf8"`
			Right string `json:"right_utf8"`
			Hash  string `json:"hash"`
		} `json:"node"`
	}
	readJSON(t, "rfc6962_hashes.json", &v)
	check := func(what string, got Hash, want string) {
		t.Helper()
		if hex.EncodeToString(got[:]) != want {
			t.Errorf("%s: %x, want %s", what, got, want)
		}
	}
	check("empty root", EmptyRoot(), v.EmptyRoot)
	check("empty leaf", leafOf(nil), v.EmptyLeaf)
	check("leaf", leafOf([]byte(v.Leaf.Data)), v.Leaf.Hash)
	check("node", nodeOf([]byte(v.Node.Left), []byte(v.Node.Right)), v.Node.Hash)

	left, right := leafOf([]byte("left")), leafOf([]byte("right"))
	if got, want := Leaf(left), leafOf(left[:]); got != want {
		t.Errorf("Leaf = %x, want %x", got, want)
	}
	if got, want := node(left, right), nodeOf(left[:], right[:]); got != want {
		t.Errorf("node = %x, want %x", got, want)
	}
}

// The published proofs give hashes of leaves, of any length; ours are of ids.
func TestPublishedInclusion(t *testing.T) {
	type vector struct {
		File    string   `json:"file"`
		Index   uint64   `json:"leafIdx"`
		Size    uint64   `json:"treeSize"`
		Root    string   `json:"root"`
		Leaf    string   `json:"leafHash"`
		Proof   []string `json:"proof"`
		WantErr bool     `json:"wantErr"`
	}
	var all []vector
	readJSON(t, "inclusion.json", &all)
	good := 0
	for _, v := range all {
		got := func() error {
			p, root, leaf, err := parseAll(v.Proof, v.Root, v.Leaf)
			if err != nil {
				return err
			}
			return checkLeaf(p, leaf, int64(v.Index), int64(v.Size), root)
		}()
		if (got != nil) != v.WantErr {
			t.Errorf("%s: %v, want an error: %t", v.File, got, v.WantErr)
		}
		if !v.WantErr {
			good++
		}
	}
	if len(all) != published || good == 0 {
		t.Errorf("%d proofs, %d of them good, want %d", len(all), good, published)
	}
}

func TestPublishedConsistency(t *testing.T) {
	type vector struct {
		File    string   `json:"file"`
		Old     int64    `json:"size1"`
		New     int64    `json:"size2"`
		OldRoot string   `json:"root1"`
		NewRoot string   `json:"root2"`
		Proof   []string `json:"proof"`
		WantErr bool     `json:"wantErr"`
	}
	var all []vector
	readJSON(t, "consistency.json", &all)
	good := 0
	for _, v := range all {
		got := func() error {
			p, older, newer, err := parseAll(v.Proof, v.OldRoot, v.NewRoot)
			if err != nil {
				return err
			}
			return CheckConsistency(p, v.Old, older, v.New, newer)
		}()
		if (got != nil) != v.WantErr {
			t.Errorf("%s: %v, want an error: %t", v.File, got, v.WantErr)
		}
		if !v.WantErr {
			good++
		}
	}
	if len(all) != published || good == 0 {
		t.Errorf("%d proofs, %d of them good, want %d", len(all), good, published)
	}
}

// published is how many proofs of each sort there are.
const published = 98

func parseAll(proof []string, a, b string) (p Proof, x, y Hash, err error) {
	p, err1 := ParseProof(proof)
	x, err2 := rootOf(a)
	y, err3 := rootOf(b)
	return p, x, y, errors.Join(err1, err2, err3)
}

// rootOf reads a root. Some of the published ones are only words, such as
// WrongRoot, which we would refuse for their length alone: they stand for a hash.
func rootOf(s string) (Hash, error) {
	if words, err := base64.StdEncoding.DecodeString(s); err == nil && len(words) > 0 && len(words) < len(Hash{}) {
		if _, err := DecodeHash(s); err == nil {
			return Hash{}, errors.New("words are taken for a hash")
		}
		return sha256.Sum256(words), nil
	}
	return DecodeHash(s)
}

func TestPublishedSignedNote(t *testing.T) {
	var v struct {
		VKey string `json:"vkey"`
		Note string `json:"note"`
		Text string `json:"signed_text"`
	}
	readJSON(t, "c2sp_signed_note.json", &v)
	parts := strings.Split(v.VKey, "+")
	name := parts[0]
	key, err := base64.StdEncoding.DecodeString(strings.Join(parts[2:], "+"))
	if err != nil {
		t.Fatal(err)
	}
	ours, err := Verifier(name, key[1:])
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := note.NewVerifier(v.VKey)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ours.KeyHash(), theirs.KeyHash(); got != want || KeyHash(name, key[1:]) != want {
		t.Errorf("key hash %08x, want %08x", got, want)
	}
	n, err := open([]byte(v.Note), ours)
	if err != nil {
		t.Fatal(err)
	}
	if n.Text != v.Text || len(n.Sigs) != 1 {
		t.Errorf("read %q with %d signatures that hold, want %q with one", n.Text, len(n.Sigs), v.Text)
	}
	for i := range len(v.Note) * 8 {
		b := []byte(v.Note)
		b[i/8] ^= 1 << (i % 8)
		if n, err := open(b, ours); err == nil && len(n.Sigs) > 0 {
			t.Errorf("bit %d of byte %d flipped: accepted", i%8, i/8)
		}
	}
}
