package bert

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/internal/model/tokenizer"
)

const (
	modelFile      = "model.safetensors"
	tokenizerFile  = "tokenizer.json"
	vocabularyFile = "vocab.txt"

	maxSettings  = 1 << 20   // bytes of a file of settings
	maxTokenizer = 128 << 20 // bytes; the largest known has 20 MB
)

// Prefixes are what stands before a text for a model that was made with such. Nil means what the model's directory
// says, or nothing.
type Prefixes struct {
	Query, Document *string
}

// IsHere reports whether a directory says that it holds a model of these types.
func IsHere(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "config.json"))
	var c struct {
		Type string `json:"model_type"`
	}
	return err == nil && json.Unmarshal(text, &c) == nil && (c.Type == "bert" || c.Type == "xlm-roberta")
}

// Open opens the model in a directory of the layout of sentence-transformers: config.json, model.safetensors and
// tokenizer.json or vocab.txt, of the type bert or xlm-roberta; perhaps 1_Pooling/config.json,
// sentence_bert_config.json and config_sentence_transformers.json. Its weights are made to 8 bits and kept in memory.
// What is wrong with the model is one error that names the file.
func Open(dir string, by Prefixes) (*Embedder, error) {
	var c config
	if err := c.read(dir); err != nil {
		return nil, err
	}
	words, digest, err := c.tokenizer(dir)
	if err != nil {
		return nil, err
	}
	o, err := c.options(dir, words)
	if err != nil {
		return nil, err
	}
	if by.Query != nil {
		o.Query = *by.Query
	}
	if by.Document != nil {
		o.Document = *by.Document
	}
	path := filepath.Join(dir, modelFile)
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the model: %w", err)
	}
	defer file.Close() // it was only read
	weights, err := c.weights(file)
	if err != nil {
		return nil, fmt.Errorf("the model %s cannot be used: %w", path, err)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(file, 0, 1<<62)); err != nil {
		return nil, fmt.Errorf("read the model %s: %w", path, err)
	}
	// what else makes other vectors of the same weights
	settings := fmt.Sprintf("%s %v %d %q %q", digest, c.shape, o.Tokens, o.Query, o.Document)
	o.Name = "bert:sha256:" + hex.EncodeToString(sum.Sum(nil)) + "+" + short([]byte(settings))
	return New(weights, words, o), nil
}

func short(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// A config is what a model's directory says of it.
type config struct {
	shape           Shape
	offset          int  // of the first position
	like            like // which kind of model
	tokens          int  // most of a text, or 0
	query, document string
}

// A like is a kind of model: the names of the tokens that mark the ends of a text, and of what is unknown.
type like struct{ begin, end, unknown string }

var kinds = map[string]like{
	"bert":        {"[CLS]", "[SEP]", "[UNK]"},
	"xlm-roberta": {"<s>", "</s>", "<unk>"},
}

// modulesKnown are the parts of a model there may be. Vectors are of unit length in any case.
var modulesKnown = []string{"Transformer", "Pooling", "Normalize"}

// setting reads a file of settings into into. One that may be missing leaves it as it is.
func setting(dir, name string, needed bool, into any) error {
	path := filepath.Join(dir, name)
	at, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) && !needed {
		return nil
	}
	if err == nil && (at.Size() > maxSettings || !at.Mode().IsRegular()) {
		return fmt.Errorf("the settings %s are not a file, or are too large", path)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the settings of the model: %w", err)
	}
	if err := json.Unmarshal(content, into); err != nil {
		return fmt.Errorf("the settings %s cannot be read: %w", path, err)
	}
	return nil
}

func (c *config) read(dir string) error {
	var model struct {
		Type      string  `json:"model_type"`
		Layers    int     `json:"num_hidden_layers"`
		Hidden    int     `json:"hidden_size"`
		Heads     int     `json:"num_attention_heads"`
		Inner     int     `json:"intermediate_size"`
		Words     int     `json:"vocab_size"`
		Positions int     `json:"max_position_embeddings"`
		Padding   int     `json:"pad_token_id"`
		Epsilon   float32 `json:"layer_norm_eps"`
		Bend      string  `json:"hidden_act"`
		Places    string  `json:"position_embedding_type"`
	}
	model.Epsilon, model.Bend, model.Places = 1e-12, "gelu", "absolute"
	if err := setting(dir, "config.json", true, &model); err != nil {
		return err
	}
	var pooling struct {
		First bool `json:"pooling_mode_cls_token"`
		Mean  bool `json:"pooling_mode_mean_tokens"`
		Max   bool `json:"pooling_mode_max_tokens"`
		Root  bool `json:"pooling_mode_mean_sqrt_len_tokens"`
	}
	pooling.Mean = true
	if err := setting(dir, "1_Pooling/config.json", false, &pooling); err != nil {
		return err
	}
	var sentence struct {
		Tokens int `json:"max_seq_length"`
	}
	if err := setting(dir, "sentence_bert_config.json", false, &sentence); err != nil {
		return err
	}
	var modules []struct {
		Type string `json:"type"`
	}
	if err := setting(dir, "modules.json", false, &modules); err != nil {
		return err
	}
	var more struct {
		Prompts map[string]string `json:"prompts"`
	}
	if err := setting(dir, "config_sentence_transformers.json", false, &more); err != nil {
		return err
	}
	known := false
	c.like, known = kinds[model.Type]
	var wrong string
	switch {
	case !known:
		wrong = fmt.Sprintf("it is of type %q, not bert or xlm-roberta", model.Type)
	case model.Bend != "gelu" && model.Bend != "gelu_new" && model.Bend != "gelu_pytorch_tanh":
		wrong = fmt.Sprintf("its hidden_act is %q, not gelu", model.Bend)
	case model.Places != "absolute":
		wrong = fmt.Sprintf("its position_embedding_type is %q, not absolute", model.Places)
	case pooling.First == pooling.Mean || pooling.Max || pooling.Root:
		wrong = "its vector is neither the mean of the tokens' nor that of the first"
	case model.Padding < 0 || model.Padding > maxPositions:
		wrong = fmt.Sprintf("its pad_token_id is %d", model.Padding)
	}
	for _, module := range modules {
		if name := module.Type[strings.LastIndex(module.Type, ".")+1:]; !slices.Contains(modulesKnown, name) {
			wrong = fmt.Sprintf("it has a part of the type %q", module.Type)
		}
	}
	if wrong != "" {
		return fmt.Errorf("the model %s cannot be used: %s", dir, wrong)
	}
	if model.Type == "xlm-roberta" {
		c.offset = model.Padding + 1 // there the positions before it are for padding
	}
	c.shape = Shape{
		Layers: model.Layers, Hidden: model.Hidden, Heads: model.Heads, Inner: model.Inner, Words: model.Words,
		Positions: model.Positions - c.offset, First: pooling.First, Epsilon: model.Epsilon,
	}
	if err := c.shape.check(); err != nil {
		return fmt.Errorf("the model %s cannot be used: it has %w", dir, err)
	}
	c.tokens = sentence.Tokens
	c.query = more.Prompts["query"]
	for _, name := range []string{"document", "passage"} {
		if prompt, is := more.Prompts[name]; is {
			c.document = prompt
			break
		}
	}
	return nil
}

// tokenizer reads the file that finds tokens, and gives the beginning of its digest.
func (c *config) tokenizer(dir string) (*tokenizer.Tokenizer, string, error) {
	for _, name := range []string{tokenizerFile, vocabularyFile} {
		path := filepath.Join(dir, name)
		at, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && (at.Size() > maxTokenizer || !at.Mode().IsRegular()) {
			return nil, "", fmt.Errorf("the tokenizer %s is not a file, or is too large", path)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, "", fmt.Errorf("read the tokenizer: %w", err)
		}
		parse := tokenizer.Parse
		if name == vocabularyFile {
			parse = tokenizer.ParseVocabulary
		}
		words, err := parse(string(content))
		if err == nil && words.Top() > c.shape.Words {
			err = fmt.Errorf("it has %d tokens, the model %d", words.Top(), c.shape.Words)
		}
		if err != nil {
			return nil, "", fmt.Errorf("the tokenizer %s cannot be used: %w", path, err)
		}
		return words, short(content), nil
	}
	return nil, "", fmt.Errorf("the directory %s holds neither %s nor %s", dir, tokenizerFile, vocabularyFile)
}

func (c *config) options(dir string, words *tokenizer.Tokenizer) (Options, error) {
	o := Options{Tokens: c.tokens, Query: c.query, Document: c.document}
	for _, token := range []struct {
		name string
		into *int
	}{{c.like.begin, &o.Begin}, {c.like.end, &o.End}, {c.like.unknown, &o.Unknown}} {
		number, known := words.Control(token.name)
		if !known || number < 0 || number >= c.shape.Words {
			return o, fmt.Errorf("the tokenizer in %s cannot be used: it has no token %s", dir, token.name)
		}
		*token.into = number
	}
	return o, nil
}

func (c *config) weights(file *os.File) (*Weights, error) {
	at, err := file.Stat()
	if err != nil {
		return nil, err
	}
	tensors, err := Tensors(file, at.Size())
	if err != nil {
		return nil, err
	}
	quantised, err := Quantise(c.shape, c.offset, tensors)
	if err != nil {
		return nil, err
	}
	return Read(inPlace(quantised))
}
