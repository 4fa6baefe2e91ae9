package tokenizer

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	unknownPenalty = 10  // how much worse an unknown character is than the worst token
	longestToken   = 128 // bytes; longer ones are not looked for
)

// A unigram finds the tokens that make up a piece with the greatest sum of scores (Viterbi's algorithm).
type unigram struct {
	tokens  map[string]scored
	longest int
	unknown float64 // the score of an unknown character
	bytes   []int   // the tokens of the 256 bytes that stand for unknown characters, or nil
}

type scored struct {
	number int
	score  float64
}

// parseUnigram reads {"vocab": [["token", score], …], "unk_id": 0, "byte_fallback": false}.
func (t *Tokenizer) parseUnigram(model map[string]string) error {
	unknown, fallback := -1, false
	if err := unmarshal("unk_id", model["unk_id"], &unknown); err != nil {
		return err
	}
	if err := unmarshal("byte_fallback", model["byte_fallback"], &fallback); err != nil {
		return err
	}
	text := model["vocab"]
	u := &unigram{tokens: make(map[string]scored, min(strings.Count(text, "[")+1, maxHint))}
	worst := math.Inf(1)
	s := scanner{text: text}
	err := s.array(func() error {
		if !s.take('[') {
			return errJSON
		}
		token, err := s.str()
		if err != nil {
			return err
		}
		if !s.take(',') {
			return errJSON
		}
		number, err := s.literal()
		if err != nil {
			return err
		}
		score, err := strconv.ParseFloat(number, 64)
		if err != nil || math.IsNaN(score) || math.IsInf(score, 0) {
			return fmt.Errorf("the score of %q is %s", token, number)
		}
		if !s.take(']') {
			return errJSON
		}
		worst = min(worst, score)
		if t.top != unknown {
			u.tokens[token] = scored{t.top, score}
			if len(token) <= longestToken {
				u.longest = max(u.longest, len(token))
			}
		}
		t.top++
		return nil
	})
	if err != nil {
		return fmt.Errorf("its vocab: %w", err)
	}
	if unknown >= t.top {
		return fmt.Errorf("its unk_id %d is beyond its %d tokens", unknown, t.top)
	}
	u.unknown = worst - unknownPenalty
	if fallback {
		u.bytes = make([]int, 256)
		for b := range u.bytes {
			token, found := u.tokens[fmt.Sprintf("<0x%02X>", b)]
			if !found {
				return fmt.Errorf("it has byte_fallback and no token <0x%02X>", b)
			}
			u.bytes[b] = token.number
		}
	}
	t.finder = u
	return nil
}

// A step is the best way to come to a place in the piece.
type step struct {
	score  float64
	from   int // the place before
	number int // of the token between the two, or -1
}

func (u *unigram) find(tokens []int, piece string) []int {
	best := make([]step, len(piece)+1)
	for i := range best {
		best[i].from = -1
	}
	offer := func(to int, s step) {
		if best[to].from < 0 || s.score > best[to].score {
			best[to] = s
		}
	}
	for at := 0; at < len(piece); {
		_, width := utf8.DecodeRuneInString(piece[at:])
		for end := at + 1; end <= min(len(piece), at+u.longest); end++ {
			if end < len(piece) && !utf8.RuneStart(piece[end]) {
				continue
			}
			if token, found := u.tokens[piece[at:end]]; found {
				offer(end, step{best[at].score + token.score, at, token.number})
			}
		}
		// worse than the character as a token, if it is one
		offer(at+width, step{best[at].score + u.unknown, at, -1})
		at += width
	}
	before := len(tokens)
	for to := len(piece); to > 0; to = best[to].from {
		if number := best[to].number; number >= 0 {
			tokens = append(tokens, number)
			continue
		}
		if u.bytes != nil {
			for i := to - 1; i >= best[to].from; i-- {
				tokens = append(tokens, u.bytes[piece[i]])
			}
			continue
		}
		if len(tokens) == before || tokens[len(tokens)-1] != Unknown { // a run of unknown characters is one
			tokens = append(tokens, Unknown)
		}
	}
	found := tokens[before:] // from the end to the beginning
	for i, j := 0, len(found)-1; i < j; i, j = i+1, j-1 {
		found[i], found[j] = found[j], found[i]
	}
	return tokens
}
