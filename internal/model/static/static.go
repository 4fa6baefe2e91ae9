// Package static embeds texts by a model that is a table of words' vectors in a local directory (the layout of
// model2vec): a text's vector is the mean of its tokens' vectors. It needs no service, and one sentence takes
// microseconds.
//
// Such a directory holds model.safetensors, with a tensor "embeddings" of type F32, F16, BF16 or I8, and
// perhaps "weights" of the tokens and a "mapping" from tokens to rows; and tokenizer.json of type WordPiece,
// WordLevel or Unigram, or a plain vocab.txt.
package static

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/stemma-memory/stemma/internal/model"
	"github.com/stemma-memory/stemma/internal/model/safetensors"
	"github.com/stemma-memory/stemma/internal/model/tokenizer"
	"github.com/stemma-memory/stemma/llm"
)

const (
	modelFile      = "model.safetensors"
	tokenizerFile  = "tokenizer.json"
	vocabularyFile = "vocab.txt"

	maxTokenizer = 128 << 20 // bytes; the largest known has 20 MB
	textTokens   = 512       // of a text that count, as in model2vec
	cacheBytes   = 8 << 20   // of rows kept within one call
)

// Options are what Open may be told. The zero value works.
type Options struct {
	// Cache is a directory for the model's digest, so that a new process need not read the whole model only to
	// name it. Empty means no cache: Open then takes about as long as reading the file does.
	Cache string
}

// Embedder is an llm.Embedder. It keeps the model's file open until Close.
type Embedder struct {
	file      *os.File
	opened    fs.FileInfo
	name      string
	table     *table
	tokenizer *tokenizer.Tokenizer
}

var _ llm.Embedder = (*Embedder)(nil)

// Open opens the model in a directory; a path of a .safetensors file means the directory it is in. What is wrong
// with the model is one error that names the file.
func Open(dir string, o Options) (*Embedder, error) {
	path, err := locate(dir)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the model: %w", err)
	}
	e := &Embedder{file: file}
	if err := e.open(path, o); err != nil {
		_ = file.Close() // it was only read
		return nil, err
	}
	return e, nil
}

func (e *Embedder) open(path string, o Options) error {
	var err error
	if e.opened, err = e.file.Stat(); err != nil {
		return fmt.Errorf("open the model: %w", err)
	}
	tensors, err := safetensors.Header(e.file, e.opened.Size())
	if err == nil {
		e.table, err = openTable(e.file, tensors)
	}
	if err != nil {
		return fmt.Errorf("the model %s cannot be used: %w", path, err)
	}
	words, content, err := readTokenizer(filepath.Dir(path))
	if err != nil {
		return err
	}
	parse := tokenizer.Parse
	if filepath.Base(words) == vocabularyFile {
		parse = tokenizer.ParseVocabulary
	}
	if e.tokenizer, err = parse(content); err != nil {
		return fmt.Errorf("the tokenizer %s cannot be used: %w", words, err)
	}
	if e.tokenizer.Top() != e.table.tokens() {
		return fmt.Errorf(
			"the tokenizer %s does not belong to %s: it has %d tokens, the model %d", words, modelFile,
			e.tokenizer.Top(), e.table.tokens(),
		)
	}
	digest, err := digestOf(e.file, path, e.opened, o.Cache, time.Now())
	if err != nil {
		return fmt.Errorf("read the model %s: %w", path, err)
	}
	e.name = "static:sha256:" + digest + "+" + shortDigest(content)
	return nil
}

// locate finds the model's file.
func locate(dir string) (string, error) {
	at, err := os.Stat(dir)
	if err != nil {
		return "", fmt.Errorf("open the model: %w", err)
	}
	if at.Mode().IsRegular() {
		return dir, nil // a file of another format is told by its first bytes
	}
	path := filepath.Join(dir, modelFile)
	if at, err := os.Stat(path); err == nil && at.Mode().IsRegular() {
		return path, nil
	}
	for _, other := range []string{"*.safetensors", "*.gguf", "*.onnx", "*.bin", "*.pt", "onnx/*.onnx"} {
		if found, _ := filepath.Glob(filepath.Join(dir, other)); len(found) > 0 {
			return "", fmt.Errorf(
				"the directory %s holds no %s, and %s is no static model", dir, modelFile,
				filepath.Base(found[0]),
			)
		}
	}
	return "", fmt.Errorf("the directory %s holds no %s", dir, modelFile)
}

// readTokenizer reads the file that says which row is which token's.
func readTokenizer(dir string) (path, content string, err error) {
	for _, name := range []string{tokenizerFile, vocabularyFile} {
		path = filepath.Join(dir, name)
		at, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && (at.Size() > maxTokenizer || !at.Mode().IsRegular()) {
			return "", "", fmt.Errorf("the tokenizer %s is not a file, or is too large", path)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return "", "", fmt.Errorf("read the tokenizer: %w", err)
		}
		return path, string(text), nil
	}
	return "", "", fmt.Errorf("the directory %s holds neither %s nor %s", dir, tokenizerFile, vocabularyFile)
}

// Model names the model by the SHA-256 of its file and, as other tokens make other vectors, by the beginning of
// that of its tokenizer. Where the directory is and what it is called does not matter.
func (e *Embedder) Model() string { return e.name }

// Dims is the dimension of the vectors.
func (e *Embedder) Dims() int { return e.table.dims }

// Close closes the model's file. The Embedder is of no use after it.
func (e *Embedder) Close() error { return e.file.Close() }

// Embed returns the means of the texts' tokens, of unit length; nil for a text without a token the model knows.
// Of a long text the first 512 known tokens count. If the file was changed since it was opened, the rows might
// be another model's: that is llm.ErrUnavailable until somebody opens it again.
func (e *Embedder) Embed(ctx context.Context, _ llm.Purpose, texts ...string) ([][]float32, error) {
	reader := rowReader{
		table: e.table, kept: map[int][]float32{}, most: cacheBytes / (4 * e.table.dims),
		buffer: make([]byte, int(safetensors.Sizes[e.table.dtype])*e.table.dims),
	}
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tokens := e.tokenizer.Tokens(text, textTokens)
		if len(tokens) == 0 {
			continue
		}
		sum := make([]float32, e.table.dims)
		for _, token := range tokens {
			row, err := reader.row(e.table.row(token))
			if err != nil {
				return nil, fmt.Errorf("read the model %s: %w: %w", e.file.Name(), llm.ErrUnavailable, err)
			}
			weight := e.table.weight(token)
			for j, x := range row {
				sum[j] += weight * x
			}
		}
		vectors[i] = sum // its length does not matter to its direction
	}
	now, err := e.file.Stat()
	if err != nil {
		return nil, fmt.Errorf("read the model %s: %w: %w", e.file.Name(), llm.ErrUnavailable, err)
	}
	if now.Size() != e.opened.Size() || !now.ModTime().Equal(e.opened.ModTime()) {
		return nil, fmt.Errorf("the model %s was changed since it was opened: %w", e.file.Name(), llm.ErrUnavailable)
	}
	for i, sum := range vectors {
		if sum == nil {
			continue
		}
		unit, ok := model.Unit(sum)
		if !ok && !allZero(sum) {
			return nil, fmt.Errorf("the model %s holds values that are not finite numbers: %w", e.file.Name(), llm.ErrNonsense)
		}
		vectors[i] = unit // tokens that cancel out, or have rows of zeros, say nothing
	}
	return vectors, nil
}

func allZero(v []float32) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}

// A rowReader keeps the rows it has read: in a batch of texts a few words make up most.
type rowReader struct {
	table  *table
	kept   map[int][]float32
	most   int // rows kept
	buffer []byte
	spare  []float32 // for rows that are not kept any more
}

func (r *rowReader) row(number int) ([]float32, error) {
	if row, found := r.kept[number]; found {
		return row, nil
	}
	if len(r.kept) >= r.most {
		if r.spare == nil {
			r.spare = make([]float32, r.table.dims)
		}
		return r.spare, r.table.read(number, r.spare, r.buffer)
	}
	row := make([]float32, r.table.dims)
	if err := r.table.read(number, row, r.buffer); err != nil {
		return nil, err
	}
	r.kept[number] = row
	return row, nil
}
