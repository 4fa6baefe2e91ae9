package tokenizer

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// written returns a tokenizer.json of parts.
func written(t *testing.T, normalizer, splitter string, model any) *Tokenizer {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"version": "1.0", "normalizer": json.RawMessage(normalizer), "pre_tokenizer": json.RawMessage(splitter),
		"model": model,
	})
	if err != nil {
		t.Fatal(err)
	}
	tok, err := Parse(string(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return tok
}

// numbered returns tokens their numbers in order.
func numbered(tokens ...string) map[string]int {
	vocabulary := map[string]int{}
	for i, token := range tokens {
		vocabulary[token] = i
	}
	return vocabulary
}

// words returns the tokens a text comes apart into.
func words(tok *Tokenizer, names []string, text string) string {
	var found []string
	for _, number := range tok.Tokens(text, 512) {
		found = append(found, names[number])
	}
	return strings.Join(found, " ")
}

const (
	bertNormalizer = `{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,` +
		`"lowercase":true}`
	bertSplitter = `{"type":"BertPreTokenizer"}`
)

func TestWordPiece(t *testing.T) {
	long := strings.Repeat("a", 100)
	names := []string{"[PAD]", "[UNK]", "[CLS]", "un", "##aff", "##able", "##a", "a", "cafe", "naive", ",", "!", "$", "'",
		"s", "it", "[", "]", "cls", "我", "爱", "你", "tokyo", "ガ", "##hello", "hello", "#", "“", "—", "ß", "i", long}
	tok := written(
		t, bertNormalizer, bertSplitter,
		map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "vocab": numbered(names...)},
	)
	tests := []struct{ text, want string }{
		{"", ""},
		{" \t\r\n", ""},
		{"unaffable", "un ##aff ##able"},
		{"UnAffable, hello!", "un ##aff ##able , hello !"},
		{"unaffxable hello", "hello"}, // one part unknown, the whole word is
		{"Café cafe\u0301 NAÏVE", "cafe cafe naive"},
		{"it's $a", "it ' s $ a"},
		{"hello[CLS]", "hello [ cls ]"}, // control tokens are not read from texts
		{"[UNK] [PAD]", "[ ] [ ]"},
		{"我爱你hello", "我 爱 你 hello"},
		{"Tokyo\u3000a", "tokyo a"},
		{"カ\u3099", ""}, // ガ taken apart loses its mark, and カ is not known
		{"hel\u200blo hel\x00lo hel\ufffdlo hel\u00adlo", "hello hello hello hello"},
		{"a\u00a0a a\u2003a\u2028a", "a a a a a"},
		{"a\x0bb", ""}, // a control character joins, unlike a space
		{"“hello”—hello", "“ hello — hello"},
		{"##hello #hello", "# # hello # hello"},
		{"ß", "ß"},
		{"İ", "i"},
		{long, long},
		{"hello " + long + "a hello", "hello hello"}, // 101 characters
		{"hello " + strings.Repeat("é", 101) + " a", "hello a"},
		{"hello\xff\xfehello", "hello ##hello"}, // bytes that are no text
	}
	for _, tt := range tests {
		if got := words(tok, names, tt.text); got != tt.want {
			t.Errorf("%q is %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestBertNormalizerByHalves(t *testing.T) {
	tests := []struct{ options, text, want string }{
		{`"lowercase":false`, "CAFÉ\t我", "CAFÉ  我 "},
		{`"lowercase":true,"strip_accents":false`, "CAFÉ", "café"},
		{`"lowercase":false,"strip_accents":true`, "CAFÉ", "CAFE"},
		{`"clean_text":false,"lowercase":false`, "a\tb\x00", "a\tb\x00"},
		{`"handle_chinese_chars":false`, "我A", "我a"},
	}
	for _, tt := range tests {
		steps, err := parseNormalizer(`{"type":"BertNormalizer",` + tt.options + `}`)
		if err != nil || len(steps) != 1 {
			t.Fatalf("%s: %v", tt.options, err)
		}
		if got := steps[0](tt.text); got != tt.want {
			t.Errorf("%s: %q is %q, want %q", tt.options, tt.text, got, tt.want)
		}
	}
}

func TestVocabularyOfLines(t *testing.T) {
	tok, err := ParseVocabulary("[PAD]\r\n[UNK]\r\nhello\r\n##s\r\n")
	if err != nil || tok.top != 4 {
		t.Fatalf("top %d, error %v, want 4", tok.top, err)
	}
	if got := tok.Tokens("Hellos, [UNK]", 9); !slices.Equal(got, []int{2, 3}) {
		t.Errorf("got %v, want [2 3]", got)
	}
	if got := tok.Tokens("hellos hellos hellos", 3); !slices.Equal(got, []int{2, 3, 2}) {
		t.Errorf("at most three: %v, want [2 3 2]", got)
	}
}

func TestPiecesKeepThePlaceOfTheUnknown(t *testing.T) {
	lines, err := ParseVocabulary("[UNK]\n[CLS]\nhello\n##s\n")
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("a", 101)
	got, want := lines.Pieces("hellos x "+long+" hello hellox", 9), []int{2, 3, -1, -1, 2, -1}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := lines.Pieces("x x hello", 2); !slices.Equal(got, []int{-1, -1}) {
		t.Errorf("at most two: %v", got)
	}
	model, _ := pieces(0, false, "<unk>", 0.0, "a", 0.0, "b", 0.0)
	got, want = written(t, "null", "null", model).Pieces("xyaxbzz", 9), []int{-1, 1, -1, 2, -1}
	if !slices.Equal(got, want) {
		t.Errorf("a run of unknown characters is one: %v, want %v", got, want)
	}
	if number, known := lines.Control("[CLS]"); number != 1 || !known {
		t.Errorf("[CLS] is %d, %t", number, known)
	}
	if _, known := lines.Control("hello"); known {
		t.Error("hello controls the model")
	}
}

// The token for what is unknown has a row, which says nothing.
func TestTheUnknownTokenIsNoWord(t *testing.T) {
	for _, kind := range []string{"WordPiece", "WordLevel"} {
		tok := written(
			t, bertNormalizer, bertSplitter,
			map[string]any{"type": kind, "unk_token": "unk", "vocab": numbered("a", "unk")},
		)
		if got := tok.Tokens("unk a unk", 9); !slices.Equal(got, []int{0}) {
			t.Errorf("%s: got %v, want [0]", kind, got)
		}
	}
}

func TestWordLevel(t *testing.T) {
	names := []string{"[UNK]", "a", "b.", "UNK"}
	tok := written(
		t, `{"type":"Lowercase"}`, `{"type":"WhitespaceSplit"}`,
		map[string]any{"type": "WordLevel", "unk_token": "[UNK]", "vocab": numbered(names...)},
	)
	if got := words(tok, names, "A [UNK] [unk] b. unk"); got != "a b." {
		t.Errorf("got %q, want %q", got, "a b.")
	}
}

// pieces returns a Unigram model of tokens and scores.
func pieces(unknown any, fallback bool, tokensAndScores ...any) (map[string]any, []string) {
	var vocabulary [][]any
	var names []string
	for i := 0; i < len(tokensAndScores); i += 2 {
		vocabulary = append(vocabulary, tokensAndScores[i:i+2])
		names = append(names, tokensAndScores[i].(string))
	}
	return map[string]any{"type": "Unigram", "unk_id": unknown, "vocab": vocabulary, "byte_fallback": fallback}, names
}

func TestUnigram(t *testing.T) {
	model, names := pieces(
		0, false, "<unk>", 0.0, "a", 0.0, "b", 0.0, "c", 0.0, "d", 0.0, "cd", 1.0, "ab", 2.0, "abc", 5.0, "abcd",
		10.0, "é", -1.0,
	)
	tok := written(t, "null", "null", model)
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"abcdacdxx", "abcd a cd"},
		{"abcab", "abc ab"}, // 5+2, better than ab c ab
		{"xaéb", "a é b"},
		{"<unk>", ""},
		{"\xc3a", "a"},
		{strings.Repeat("日", 3) + "cd", "cd"},
	} {
		if got := words(tok, names, tt.text); got != tt.want {
			t.Errorf("%q is %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestUnigramPrefersKnownCharacters(t *testing.T) {
	// -3 + -3 beats one unknown character, which costs ten more than the worst token
	model, names := pieces(0, false, "<unk>", 0.0, "▁", -3.0, "x", -3.0, "▁hi", -1.0)
	tok := written(t, "null", `{"type":"Metaspace","replacement":"▁","add_prefix_space":true}`, model)
	if got := words(tok, names, "hi x"); got != "▁hi ▁ x" {
		t.Errorf("got %q, want %q", got, "▁hi ▁ x")
	}
}

func TestUnigramBytes(t *testing.T) {
	all := []any{"<unk>", 0.0, "a", -1.0}
	for b := range 256 {
		all = append(all, fmt.Sprintf("<0x%02X>", b), -9.0)
	}
	model, names := pieces(0, true, all...)
	tok := written(t, "null", "null", model)
	if got := words(tok, names, "aéa"); got != "a <0xC3> <0xA9> a" {
		t.Errorf("got %q", got)
	}
	model, _ = pieces(0, true, all[:20]...)
	text, _ := json.Marshal(map[string]any{"model": model})
	if _, err := Parse(string(text)); err == nil || !strings.Contains(err.Error(), "byte_fallback") {
		t.Errorf("bytes without tokens: %v", err)
	}
}

func TestSplitters(t *testing.T) {
	tests := []struct{ splitter, text, want string }{
		{bertSplitter, "Hey friend!  How?!", "Hey|friend|!|How|?|!"},
		{`{"type":"Whitespace"}`, "Hey, you_2 ... é́!", "Hey|,|you_2|...|é́|!"},
		{`{"type":"WhitespaceSplit"}`, " a, b\u00a0c ", "a,|b|c"},
		{`{"type":"Punctuation"}`, "a, b!?", "a|,| b|!|?"},
		{`{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"}`, "Hey  you", "▁Hey|▁|▁you"},
		{`{"type":"Metaspace","replacement":"▁","prepend_scheme":"never"}`, "Hey you", "Hey|▁you"},
		{`{"type":"Metaspace","replacement":"▁","add_prefix_space":false}`, "Hey you", "Hey|▁you"},
		{`{"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":false}`, " Hey you", "▁Hey▁you"},
		{
			`{"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},{"type":"Metaspace","replacement":"▁"}]}`,
			"Hey you", "▁Hey|▁you",
		},
		{`{"type":"ByteLevel","add_prefix_space":true,"use_regex":false}`, "é\n a", "ĠÃ©ĊĠa"},
		{`null`, "a b", "a b"},
	}
	for _, tt := range tests {
		steps, err := parseSplitter(tt.splitter)
		if err != nil {
			t.Errorf("%s: %v", tt.splitter, err)
			continue
		}
		var got []string
		(&Tokenizer{splitters: steps}).split(0, tt.text, func(piece string) bool { got = append(got, piece); return true })
		if strings.Join(got, "|") != tt.want {
			t.Errorf("%s: %q is %q, want %q", tt.splitter, tt.text, strings.Join(got, "|"), tt.want)
		}
	}
}

func TestNormalizers(t *testing.T) {
	tests := []struct{ normalizer, text, want string }{
		{
			`{"type":"Sequence","normalizers":[{"type":"NFKD"},{"type":"StripAccents"},{"type":"Lowercase"}]}`,
			"ﬁANCÉ", "fiance",
		},
		{`{"type":"NFC"}`, "e\u0301", "é"},
		{`{"type":"NFKC"}`, "Ａ①", "A1"},
		{`{"type":"Strip","strip_left":false,"strip_right":true}`, " a ", " a"},
		{`{"type":"Prepend","prepend":"▁"}`, "a", "▁a"},
		{`{"type":"Prepend","prepend":"▁"}`, "", ""},
		{`{"type":"Replace","pattern":{"String":"."},"content":" . "}`, "a.b", "a . b"},
		{`{"type":"Replace","pattern":{"Regex":"\\s+"},"content":" "}`, "a \u00a0\u3000\n\vb", "a b"},
		{`{"type":"Replace","pattern":{"Regex":"[0-9]"},"content":"$1"}`, "a7", "a$1"},
		{`{"type":"Precompiled","precompiled_charsmap":""}`, "Ａ", "Ａ"},
	}
	for _, tt := range tests {
		steps, err := parseNormalizer(tt.normalizer)
		if err != nil {
			t.Errorf("%s: %v", tt.normalizer, err)
			continue
		}
		got := tt.text
		for _, step := range steps {
			got = step(got)
		}
		if got != tt.want {
			t.Errorf("%s: %q is %q, want %q", tt.normalizer, tt.text, got, tt.want)
		}
	}
}

// A charsmap of hand-made units: A becomes "a", AB becomes "xy".
func TestCharsmap(t *testing.T) {
	const leaf, ends = 1 << 31, 1 << 8
	units := make([]uint32, 1024)
	units[0] = 256 << 10                            // the root's children are 256 further
	units[256^'A'] = (256 ^ 'A' ^ 512) << 10        // those of A at 512 ...
	units[256^'A'] |= 'A' | ends                    // ... of which 512 itself says that A ends here
	units[512] = leaf                               // "a"
	units[512^'B'] = (512^'B'^768)<<10 | 'B' | ends // likewise AB
	units[768] = leaf | 2                           // "xy"
	var blob []byte
	for _, u := range units {
		blob = binary.LittleEndian.AppendUint32(blob, u)
	}
	content := append(binary.LittleEndian.AppendUint32(nil, uint32(len(blob))), blob...)
	content = append(content, "a\x00xy\x00"...)
	field, _ := json.Marshal(base64.StdEncoding.EncodeToString(content))
	steps, err := parseNormalizer(`{"type":"Precompiled","precompiled_charsmap":` + string(field) + `}`)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := steps[0]("A AB éAAB"), "a xy éaxy"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, cut := range []int{1, 3, 100} {
		field, _ := json.Marshal(base64.StdEncoding.EncodeToString(content[:cut]))
		if _, err := parseNormalizer(`{"type":"Precompiled","precompiled_charsmap":` + string(field) + `}`); err == nil {
			t.Errorf("a charsmap of %d bytes: no error", cut)
		}
	}
}

func TestTokenizersThatAreNotRead(t *testing.T) {
	model := `"model":{"type":"WordPiece","vocab":{"a":0}}`
	deep := strings.Repeat(`{"type":"Sequence","normalizers":[`, 100) + strings.Repeat(`]}`, 100)
	many := `{"type":"Sequence","pretokenizers":[` + strings.Repeat(bertSplitter+",", 20) + bertSplitter + `]}`
	tests := []struct{ text, says string }{
		{``, "not JSON"},
		{`[]`, "not JSON"},
		{`{`, "not JSON"},
		{`{"model":{"type":"WordPiece","vocab":{"a":0`, "not JSON"},
		{`{"model":{"type":"WordPiece","vocab":{"a\`, "not JSON"},
		{`{` + model + `} {}`, "not JSON"},
		{`{}`, "not JSON"},
		{`{"model":{"type":"BPE","vocab":{}}}`, `type "BPE" is not read`},
		{`{"model":{"type":"WordPiece","vocab":{"a":-1}}}`, `the number of "a" is -1`},
		{`{"model":{"type":"WordPiece","vocab":{"a":1e9}}}`, `the number of "a" is 1e9`},
		{`{"model":{"type":"WordPiece","vocab":{"a":99999999999999999999}}}`, `the number of "a"`},
		{`{"model":{"type":"WordPiece","vocab":["a"]}}`, "not JSON"},
		{`{"model":{"type":"Unigram","vocab":[["a",null]]}}`, `the score of "a" is null`},
		{`{"model":{"type":"Unigram","vocab":[["a",1e999]]}}`, `the score of "a" is`},
		{`{"model":{"type":"Unigram","vocab":[["a",NaN]]}}`, `the score of "a" is NaN`},
		{`{"model":{"type":"Unigram","unk_id":1,"vocab":[["a",0]]}}`, "unk_id 1"},
		{`{"normalizer":{"type":"Magic"},` + model + `}`, `"Magic": this step is not known`},
		{`{"normalizer":{"type":"Replace","pattern":{"Regex":"(?!x)"},"content":""},` + model + `}`, "error parsing regexp"},
		{
			`{"normalizer":{"type":"Replace","pattern":{"String":"a"},"content":"` + strings.Repeat("a", 65) + `"},` +
				model + `}`,
			"not known",
		},
		{`{"normalizer":` + deep + `,` + model + `}`, "not JSON"},
		{`{"pre_tokenizer":` + many + `,` + model + `}`, "too many steps"},
		{`{"pre_tokenizer":{"type":"ByteLevel"},` + model + `}`, `"ByteLevel": this step is not known`},
		{`{"pre_tokenizer":{"type":"Metaspace","replacement":"  "},` + model + `}`, `"Metaspace": this step is not known`},
		{`{"added_tokens":{},` + model + `}`, "added_tokens"},
	}
	for _, tt := range tests {
		_, err := Parse(tt.text)
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%.80s: error %v, want one that says %q", tt.text, err, tt.says)
		}
	}
}

func FuzzTokenizer(f *testing.F) {
	f.Add(
		`{"normalizer":`+bertNormalizer+`,"pre_tokenizer":`+bertSplitter+
			`,"model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[UNK]":0,"a":1,"##b":2}}}`,
		"ab é我",
	)
	f.Add(
		`{"normalizer":{"type":"Replace","pattern":{"Regex":"b*"},"content":"cc"},"pre_tokenizer":{"type":"Metaspace",`+
			`"replacement":"▁"},"model":{"type":"Unigram","unk_id":0,"vocab":[["\u0041",-1.5],["▁a",2]]}}`,
		"a b",
	)
	f.Add(
		`{"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"ByteLevel","use_regex":false},`+
			`{"type":"Punctuation"}]},"model":{"type":"WordLevel","vocab":{"a":0}}}`,
		"a, b",
	)
	f.Fuzz(func(t *testing.T, file, text string) {
		tok, err := Parse(file)
		if err != nil {
			return
		}
		for _, number := range tok.Tokens(text, 5) {
			if number < 0 || number >= tok.top {
				t.Errorf("token %d of %d", number, tok.top)
			}
		}
	})
}

func FuzzCharsmap(f *testing.F) {
	f.Add([]byte("\x08\x00\x00\x00\x00\x04\x00\x00\x41\x01\x00\x00a\x00"), "A")
	f.Fuzz(func(t *testing.T, content []byte, text string) {
		field, _ := json.Marshal(content)
		normalize, err := parseCharsmap(string(field))
		if err != nil {
			return
		}
		if got := normalize(text); len(got) > maxReplacement*len(text) {
			t.Errorf("%d bytes became %d", len(text), len(got))
		}
	})
}
