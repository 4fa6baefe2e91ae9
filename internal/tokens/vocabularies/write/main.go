// Command write makes the tables of package tokens from the vocabularies of tiktoken. Run it in this
// module's directory: go run ./write. It fails if a vocabulary is not what OpenAI publishes, names a token twice or
// lacks one of the single bytes.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/tiktoken-go/tokenizer"

	"github.com/stemma-memory/stemma/internal/tokens/table"
)

func main() {
	dir := flag.String("to", "..", "the directory to write to")
	flag.Parse()
	if err := write(*dir); err != nil {
		log.Fatal(err)
	}
}

func write(dir string) error {
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
		if err == nil && digest(words) != v.digest {
			err = errors.New("this is not the vocabulary that OpenAI publishes")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		t, err := table.Build(words, v.places)
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		if err := os.WriteFile(filepath.Join(dir, v.file), []byte(t.Data), 0o644); err != nil {
			return err
		}
	}
	b, err := classes()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "classes.bin"), b, 0o644)
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

//go:embed newer.txt
var newer []byte

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
	for lines := bufio.NewScanner(bytes.NewReader(newer)); lines.Scan(); {
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
