// Package tokenizer finds in a text the tokens of a model: it reads a tokenizer.json of type WordPiece, WordLevel or
// Unigram, and a plain vocab.txt.
package tokenizer

import (
	"fmt"
	"slices"
	"strings"
)

// MaxText is how many bytes of a text are read, before and after it is normalized.
const MaxText = 64 << 10

// Unknown is the number of a word or character that no token covers.
const Unknown = -1

// A Tokenizer turns a text into the numbers of the tokens a model knows in three steps: it normalizes the text,
// splits it into pieces, and finds tokens in the pieces.
//
// The tokens that control models, such as [CLS], are not looked for in texts: a text that names one means the word.
type Tokenizer struct {
	normalizers []func(string) string
	splitters   []splitter
	finder      finder
	control     map[string]int // tokens that control models
	top         int            // one more than the highest number of a token
}

// A splitter calls yield with each piece of a text until it says false, and then says false itself.
type splitter func(text string, yield func(piece string) bool) bool

// A finder appends the tokens found in a piece.
type finder interface {
	find(tokens []int, piece string) []int
}

// Tokens returns the numbers of the first tokens of a text, at most so many. What is unknown is left out.
func (t *Tokenizer) Tokens(text string, most int) []int {
	known := func(tokens []int) []int {
		return slices.DeleteFunc(tokens, func(token int) bool { return token == Unknown })
	}
	found := t.find(text, most, known)
	return found[:min(len(found), most)]
}

// Pieces is Tokens with Unknown in the place of each word that is unknown.
func (t *Tokenizer) Pieces(text string, most int) []int {
	found := t.find(text, most, func(tokens []int) []int { return tokens })
	return found[:min(len(found), most)]
}

// find keeps of each piece's tokens what keep leaves, until there are enough.
func (t *Tokenizer) find(text string, most int, keep func([]int) []int) []int {
	text = strings.ToValidUTF8(text[:min(len(text), MaxText)], "\uFFFD")
	for _, normalize := range t.normalizers {
		text = normalize(text)
		text = text[:min(len(text), MaxText)] // some make it longer
	}
	var found []int
	t.split(0, text, func(piece string) bool {
		if piece != "" {
			before := len(found)
			found = t.finder.find(found, piece)
			found = found[:before+len(keep(found[before:]))]
		}
		return len(found) < most
	})
	return found
}

// Control is the number of a token that controls models, such as [CLS].
func (t *Tokenizer) Control(token string) (number int, known bool) {
	number, known = t.control[token]
	return number, known
}

// Top is one more than the highest number of a token.
func (t *Tokenizer) Top() int { return t.top }

// split puts a text through the splitters from the given one on.
func (t *Tokenizer) split(from int, text string, yield func(string) bool) bool {
	if from == len(t.splitters) {
		return yield(text)
	}
	return t.splitters[from](text, func(piece string) bool { return t.split(from+1, piece, yield) })
}

// ParseVocabulary reads a vocab.txt: a token a line, of a BERT that knows lower case only.
func ParseVocabulary(text string) (*Tokenizer, error) {
	vocabulary, control, top := map[string]int{}, map[string]int{}, 0
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		token := strings.TrimSuffix(line, "\r")
		if strings.HasPrefix(token, "[") && strings.HasSuffix(token, "]") {
			control[token] = top
		}
		if vocabulary[token] = top; top > maxTokens {
			return nil, fmt.Errorf("it has more than %d lines", maxTokens)
		}
		top++
	}
	return &Tokenizer{
		normalizers: []func(string) string{bert{clean: true, chinese: true, strip: true, lower: true}.normalize},
		splitters:   []splitter{splitBert},
		finder:      newWordPiece(vocabulary, "##", "[UNK]", maxWord),
		control:     control,
		top:         top,
	}, nil
}

// Parse reads a tokenizer.json as far as models of vectors need it. What it does not know is an error, never
// passed over: half understood, it would give other tokens than the model was made for.
func Parse(text string) (*Tokenizer, error) {
	whole, err := fields(text)
	if err != nil {
		return nil, err
	}
	t := &Tokenizer{control: map[string]int{}}
	if t.normalizers, err = parseNormalizer(whole["normalizer"]); err != nil {
		return nil, fmt.Errorf("its normalizer: %w", err)
	}
	if t.splitters, err = parseSplitter(whole["pre_tokenizer"]); err != nil {
		return nil, fmt.Errorf("its pre_tokenizer: %w", err)
	}
	if err := t.parseModel(whole["model"]); err != nil {
		return nil, fmt.Errorf("its model: %w", err)
	}
	var added []struct {
		ID      int    `json:"id"`
		Content string `json:"content"`
	}
	if err := unmarshal("added_tokens", whole["added_tokens"], &added); err != nil {
		return nil, err
	}
	for _, token := range added {
		t.top = max(t.top, token.ID+1)
		t.control[token.Content] = token.ID
	}
	return t, nil
}

func (t *Tokenizer) parseModel(text string) error {
	model, err := fields(text)
	if err != nil {
		return err
	}
	var kind string
	if err := unmarshal("type", model["type"], &kind); err != nil {
		return err
	}
	if kind == "Unigram" {
		return t.parseUnigram(model)
	}
	if kind != "WordPiece" && kind != "WordLevel" {
		return fmt.Errorf("the type %q is not read, only WordPiece, WordLevel and Unigram", kind)
	}
	vocabulary, top, err := parseWords(model["vocab"])
	if err != nil {
		return fmt.Errorf("its vocab: %w", err)
	}
	t.top = top
	prefix, unknown, most := "##", "", maxWord
	for _, err := range []error{
		unmarshal("continuing_subword_prefix", model["continuing_subword_prefix"], &prefix),
		unmarshal("unk_token", model["unk_token"], &unknown),
		unmarshal("max_input_chars_per_word", model["max_input_chars_per_word"], &most),
	} {
		if err != nil {
			return err
		}
	}
	if kind == "WordLevel" {
		delete(vocabulary, unknown)
		t.finder = wordLevel(vocabulary)
		return nil
	}
	t.finder = newWordPiece(vocabulary, prefix, unknown, most)
	return nil
}

// parseWords reads {"token": number, …}.
func parseWords(text string) (words map[string]int, top int, err error) {
	words = make(map[string]int, min(strings.Count(text, ",")+1, maxHint))
	s := scanner{text: text}
	err = s.object(func(word string) error {
		number, err := s.literal()
		if err != nil {
			return err
		}
		n := 0
		for _, c := range []byte(number) {
			if n = 10*n + int(c-'0'); c < '0' || c > '9' || n > maxTokens {
				return fmt.Errorf("the number of %q is %s", word, number)
			}
		}
		words[word] = n
		top = max(top, n+1)
		return nil
	})
	return words, top, err
}

const (
	maxHint   = 1 << 17 // tokens made room for before they are read
	maxTokens = 1 << 24 // more than any model tells apart
)
