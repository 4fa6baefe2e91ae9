package static

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/model/safetensors"
	"github.com/stemma-memory/stemma/internal/model/static/statictest"
	"github.com/stemma-memory/stemma/internal/model/tokenizer"
	"github.com/stemma-memory/stemma/llm"
)

// ordinary writes a model of the size of those in use: 30,000 tokens of 256 dimensions, 30 MB. It gives its
// directory and sentences of its words.
func ordinary(b *testing.B) (dir string, sentences []string) {
	b.Helper()
	const tokens, dims = 30_000, 256
	chance := rand.New(rand.NewPCG(1, 2))
	vocabulary, words := map[string]int{"[UNK]": 0}, []string{}
	for len(vocabulary) < tokens {
		letters := make([]byte, 2+chance.IntN(8))
		for i := range letters {
			letters[i] = "etaoinshrdlucmfwypvbgkjqxz"[min(chance.IntN(26), chance.IntN(26))]
		}
		word := string(letters)
		if len(vocabulary)%4 == 0 {
			word = "##" + word
		} else {
			words = append(words, word)
		}
		if _, found := vocabulary[word]; !found {
			vocabulary[word] = len(vocabulary)
		}
	}
	data := make([]byte, 4*tokens*dims)
	for i := range data {
		data[i] = byte(i*7) & 0x3F
	}
	tokenizer, err := json.Marshal(map[string]any{"normalizer": json.RawMessage(`{"type":"BertNormalizer"}`),
		"pre_tokenizer": json.RawMessage(`{"type":"BertPreTokenizer"}`),
		"model":         map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "vocab": vocabulary}})
	if err != nil {
		b.Fatal(err)
	}
	dir = b.TempDir()
	model := statictest.File(statictest.Tensor{Name: "embeddings", Type: "F32", Shape: []int{tokens, dims}, Data: data})
	for name, content := range map[string][]byte{modelFile: model, tokenizerFile: tokenizer} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for range 256 {
		var sentence []string
		for range 12 {
			sentence = append(sentence, words[min(chance.IntN(len(words)), chance.IntN(len(words)), chance.IntN(len(words)))])
		}
		sentences = append(sentences, strings.Join(sentence, " ")+".")
	}
	return dir, sentences
}

func BenchmarkOpen(b *testing.B) {
	dir, sentences := ordinary(b)
	path := filepath.Join(dir, modelFile)
	b.Run("digest", func(b *testing.B) {
		file, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		defer file.Close()
		at, err := file.Stat()
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(at.Size())
		for b.Loop() {
			if _, err := digest(file, at.Size()); err != nil {
				b.Fatal(err)
			}
		}
	})
	// what a process that asks one question does, less the digest
	b.Run("first answer", func(b *testing.B) {
		for b.Loop() {
			file, err := os.Open(path)
			if err != nil {
				b.Fatal(err)
			}
			at, err := file.Stat()
			if err != nil {
				b.Fatal(err)
			}
			tensors, err := safetensors.Header(file, at.Size())
			if err != nil {
				b.Fatal(err)
			}
			table, err := openTable(file, tensors)
			if err != nil {
				b.Fatal(err)
			}
			_, content, err := readTokenizer(dir)
			if err != nil {
				b.Fatal(err)
			}
			words, err := tokenizer.Parse(content)
			if err != nil {
				b.Fatal(err)
			}
			e := &Embedder{file: file, opened: at, table: table, tokenizer: words}
			if _, err := e.Embed(b.Context(), llm.Query, sentences[0]); err != nil {
				b.Fatal(err)
			}
			_ = file.Close()
		}
	})
}

func BenchmarkEmbed(b *testing.B) {
	dir, sentences := ordinary(b)
	e, err := Open(dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	for _, size := range []int{1, 64} {
		b.Run(map[int]string{1: "one", 64: "batch of 64"}[size], func(b *testing.B) {
			done := 0
			for b.Loop() {
				from := done % (len(sentences) - size + 1)
				if _, err := e.Embed(b.Context(), llm.Document, sentences[from:from+size]...); err != nil {
					b.Fatal(err)
				}
				done += size
			}
			b.ReportMetric(float64(done)/b.Elapsed().Seconds(), "sentences/s")
		})
	}
}
