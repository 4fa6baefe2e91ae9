package vocabularies

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/tiktoken-go/tokenizer"

	"github.com/stemma-memory/stemma/internal/tokens/table"
)

// The tables of package tokens are made of the vocabularies that OpenAI publishes. With -update this test writes
// them. It fails if a vocabulary is another one, names a token twice or lacks one of the single bytes.
func TestTables(t *testing.T) {
	for _, v := range []struct {
		name   tokenizer.Encoding
		file   string
		size   int
		digest string // of the file in which OpenAI publishes it, which tiktoken compares
		places uint
	}{
		{tokenizer.O200kBase, "o200k.bin", 199998, "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d", 18},
		{tokenizer.Cl100kBase, "cl100k.bin", 100256, "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7", 17},
	} {
		words, err := vocabulary(v.name, v.size)
		if err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
		if got := digest(words); got != v.digest {
			t.Fatalf("%s: this is not what OpenAI publishes: digest %s", v.name, got)
		}
		made, err := table.Build(words, v.places)
		if err != nil {
			t.Fatalf("%s: %v", v.name, err)
		}
		compare(t, v.file, []byte(made.Data))
	}
	b, err := classes()
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "classes.bin", b)
}

// compare compares a file of package tokens with what it should be, or writes it.
func compare(t *testing.T, name string, want []byte) {
	t.Helper()
	name = filepath.Join("..", name)
	if *update {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(name); err != nil || !bytes.Equal(have, want) {
		t.Errorf("%s is not as it is made (%v): run this test with -update", name, err)
	}
}

// vocabulary returns the tokens of an encoding by rank. Without one of the single bytes there would be texts
// that have no tokens.
func vocabulary(name tokenizer.Encoding, size int) ([]string, error) {
	codec, err := tokenizer.Get(name)
	if err != nil {
		return nil, err
	}
	words := make([]string, size)
	single := 0
	for i := range words {
		if words[i], err = codec.Decode([]uint{uint(i)}); err != nil {
			return nil, err
		}
		if len(words[i]) == 1 {
			single++
		}
	}
	if single != 256 {
		return nil, fmt.Errorf("%d of 256 single bytes", single)
	}
	return words, nil
}

// digest is that of the file that OpenAI publishes: each token in base64 with its rank.
func digest(words []string) string {
	h := sha256.New()
	for rank, word := range words {
		fmt.Fprintf(h, "%s %d\n", base64.StdEncoding.EncodeToString([]byte(word)), rank)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// The order of package tokens.
var names = []string{"other", "space", "line end", "number", "upper", "lower", "both", "mark"}

//go:embed testdata/newer.txt
var sixteen []byte

// classes writes the classes of all characters: by the Unicode of Go, and by what newer.txt says.
func classes() ([]byte, error) {
	if unicode.Version != "15.0.0" {
		return nil, fmt.Errorf("this Go has Unicode %s: newer.txt says what differs from 15.0.0", unicode.Version)
	}
	var of [unicode.MaxRune + 1]byte
	for r := range of {
		c := class(rune(r))
		of[r] = c<<4 | c
	}
	for lines := bufio.NewScanner(bytes.NewReader(sixteen)); lines.Scan(); {
		var first, last rune
		var name string
		if n, _ := fmt.Sscanf(lines.Text(), "%x %x %s", &first, &last, &name); n != 3 {
			if strings.HasPrefix(lines.Text(), "#") {
				continue
			}
			return nil, fmt.Errorf("newer.txt: %q", lines.Text())
		}
		c := byte(0)
		for int(c) < len(names) && names[c] != name {
			c++
		}
		if int(c) == len(names) {
			return nil, fmt.Errorf("newer.txt: no class %q", name)
		}
		for r := first; r <= last; r++ {
			of[r] = c<<4 | of[r]&0xf
		}
	}
	var index, blocks []byte
	seen := map[string]byte{}
	for r := 0; r < len(of); r += 256 {
		block := string(of[r : r+256])
		n, ok := seen[block]
		if !ok {
			if len(seen) == 256 {
				return nil, errors.New("more than 256 blocks")
			}
			n = byte(len(seen))
			seen[block] = n
			blocks = append(blocks, block...)
		}
		index = append(index, n)
	}
	return append(index, blocks...), nil
}

func class(r rune) byte {
	switch {
	case r == '\r' || r == '\n':
		return 2
	case unicode.IsSpace(r):
		return 1
	case unicode.Is(unicode.N, r):
		return 3
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return 4
	case unicode.Is(unicode.Ll, r):
		return 5
	case unicode.In(r, unicode.Lm, unicode.Lo):
		return 6
	case unicode.Is(unicode.M, r):
		return 7
	}
	return 0
}
