// Command make makes the weights of package minilm out of the model as it was published.
//
//	go run ./embed/minilm/make -from DIR -to embed/minilm
//
// The directory DIR holds model.safetensors and vocab.txt. It prints the digest for the model's name.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/stemma-memory/stemma/internal/model/bert"
)

// The files as published, by their SHA-256.
const (
	model      = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
	vocabulary = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
)

// shape is what the model's config.json says, with the 256 positions it is used with.
var shape = bert.Shape{
	Layers: 6, Hidden: 384, Heads: 12, Inner: 1536, Words: 30522, Positions: 256, Epsilon: 1e-12,
}

func main() {
	from := flag.String("from", ".", "the directory of the published model")
	to := flag.String("to", "embed/minilm", "the directory for weights.bin and vocab.txt")
	flag.Parse()
	digest, err := run(*from, *to)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(digest)
}

// run makes the files and returns the digest of the weights.
func run(from, to string) (string, error) {
	tensors, err := published(from, "model.safetensors", model)
	if err != nil {
		return "", err
	}
	words, err := published(from, "vocab.txt", vocabulary)
	if err != nil {
		return "", err
	}
	floats, err := bert.Tensors(bytes.NewReader(tensors), int64(len(tensors)))
	if err != nil {
		return "", fmt.Errorf("read the model: %w", err)
	}
	weights, err := bert.Quantise(shape, 0, floats)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(to, "weights.bin"), weights, 0o644); err != nil {
		return "", err
	}
	return sum(weights), os.WriteFile(filepath.Join(to, "vocab.txt"), words, 0o644)
}

// published reads a file and checks that it is the one that was published.
func published(dir, name, digest string) ([]byte, error) {
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	if got := sum(content); got != digest {
		return nil, fmt.Errorf("%s is not the file that was published: its SHA-256 is %s, not %s", name, got, digest)
	}
	return content, nil
}

func sum(content []byte) string {
	digest := sha256.Sum256(content)
	return hex.EncodeToString(digest[:])
}
