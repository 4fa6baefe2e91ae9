package bert

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/internal/model/static/statictest"
	"github.com/stemma-memory/stemma/llm"
)

// tiny is the model that directory writes.
var tiny = Shape{Layers: 1, Hidden: 32, Heads: 2, Inner: 64, Words: 9, Positions: 20, Epsilon: 1e-12}

const (
	bertTokens = `{"normalizer":{"type":"BertNormalizer"},"pre_tokenizer":{"type":"BertPreTokenizer"},` +
		`"added_tokens":[{"id":0,"content":"[CLS]"},{"id":1,"content":"[SEP]"},{"id":2,"content":"[UNK]"}],` +
		`"model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[CLS]":0,"[SEP]":1,"[UNK]":2,"the":3,"queue":4,` +
		`"query":5,":":6,"a":7,"b":8}}}`
	xlmTokens = `{"pre_tokenizer":{"type":"Metaspace","replacement":"▁"},` +
		`"added_tokens":[{"id":0,"content":"<s>"},{"id":1,"content":"</s>"},{"id":2,"content":"<unk>"}],` +
		`"model":{"type":"Unigram","unk_id":2,"vocab":[["<s>",0],["</s>",0],["<unk>",0],["▁the",-1],["▁queue",-2],` +
		`["▁query",-2],[":",-1],["▁a",-1],["▁b",-1]]}}`
)

// directory writes a model. Files of the same names take the place of its own; an empty one is left out.
func directory(t *testing.T, kind string, files map[string]string) string {
	t.Helper()
	numbers := chance(3)
	var tensors []statictest.Tensor
	add := func(name string, before int, shape ...int) {
		size := 1
		for _, n := range shape {
			size *= n
		}
		list, err := numbers(name, size, 0, -1)
		if err != nil {
			t.Fatal(err)
		}
		list = append(make([]float32, before), list...)
		shape[0] += before / (size / shape[0])
		tensors = append(tensors, statictest.Tensor{
			Name: name, Type: "F32", Shape: shape, Data: statictest.Floats(list...),
		})
	}
	s, before := tiny, 0
	if kind == "xlm-roberta" {
		before = 2 * s.Hidden // the rows of the positions that are for padding
	}
	add("embeddings.word_embeddings.weight", 0, s.Words, s.Hidden)
	add("embeddings.position_embeddings.weight", before, s.Positions, s.Hidden)
	add("embeddings.token_type_embeddings.weight", 0, 2, s.Hidden)
	pair := func(name string, shape ...int) {
		add(name+".weight", 0, shape...)
		add(name+".bias", 0, shape[0])
	}
	pair("embeddings.LayerNorm", s.Hidden)
	at := "encoder.layer.0."
	for _, part := range []string{"self.query", "self.key", "self.value", "output.dense"} {
		pair(at+"attention."+part, s.Hidden, s.Hidden)
	}
	pair(at+"attention.output.LayerNorm", s.Hidden)
	pair(at+"intermediate.dense", s.Inner, s.Hidden)
	pair(at+"output.dense", s.Hidden, s.Inner)
	pair(at+"output.LayerNorm", s.Hidden)
	all := map[string]string{
		"config.json": fmt.Sprintf(`{"model_type":%q,"num_hidden_layers":1,"hidden_size":32,"num_attention_heads":2,`+
			`"intermediate_size":64,"vocab_size":9,"max_position_embeddings":%d,"pad_token_id":%d,"hidden_act":"gelu"}`,
			kind, s.Positions+before/s.Hidden, before/s.Hidden/2),
		"model.safetensors": string(statictest.File(tensors...)),
		"tokenizer.json":    map[string]string{"bert": bertTokens, "xlm-roberta": xlmTokens}[kind],
	}
	maps.Copy(all, files)
	dir := t.TempDir()
	for name, content := range all {
		if content == "" {
			continue
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func vector(t *testing.T, dir string, by Prefixes, purpose llm.Purpose, text string) ([]float32, string) {
	t.Helper()
	e, err := Open(dir, by)
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.Embed(t.Context(), purpose, text)
	if err != nil || v[0] == nil {
		t.Fatalf("%q: %v, error %v", text, v, err)
	}
	return v[0], e.Model()
}

func TestModelsInDirectories(t *testing.T) {
	plainDir := directory(t, "bert", nil)
	want, name := vector(t, plainDir, Prefixes{}, llm.Query, "the queue a b")
	asked, _ := vector(t, plainDir, Prefixes{}, llm.Query, "query: the queue a b")
	first, _ := vector(t, directory(t, "bert", map[string]string{
		"1_Pooling/config.json": `{"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":false}`,
	}), Prefixes{}, llm.Query, "the queue a b")
	question, nothing := "query: ", ""
	prompts := map[string]string{
		"config_sentence_transformers.json": `{"prompts":{"query":"query: ","passage":"a "}}`,
	}
	tests := []struct {
		name    string
		dir     string
		by      Prefixes
		purpose llm.Purpose
		want    []float32
		same    bool // the same name
	}{
		{"the same files", directory(t, "bert", nil), Prefixes{}, llm.Query, want, true},
		{"another kind of the same numbers", directory(t, "xlm-roberta", nil), Prefixes{}, llm.Query, want, false},
		{"a question by settings", plainDir, Prefixes{Query: &question}, llm.Query, asked, false},
		{"a document beside it", plainDir, Prefixes{Query: &question}, llm.Document, want, false},
		{"a question by the directory", directory(t, "bert", prompts), Prefixes{}, llm.Query, asked, false},
		{"settings above the directory", directory(t, "bert", prompts), Prefixes{Query: &nothing}, llm.Query, want, false},
		{
			"a list of words", directory(t, "bert", map[string]string{
				"tokenizer.json": "", "vocab.txt": "[CLS]\n[SEP]\n[UNK]\nthe\nqueue\nquery\n:\na\nb\n",
			}), Prefixes{}, llm.Query, want, false,
		},
	}
	for _, tt := range tests {
		got, gotName := vector(t, tt.dir, tt.by, tt.purpose, "the queue a b")
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: another vector", tt.name)
		}
		if (gotName == name) != tt.same {
			t.Errorf("%s: the name %s, that of the plain one %s", tt.name, gotName, name)
		}
	}
	if slices.Equal(first, want) || slices.Equal(asked, want) {
		t.Error("the first token's vector, or that of a question, is that of all: this proves nothing")
	}
}

func TestModelsThatCannotBeOpened(t *testing.T) {
	config := func(change string, to any) string {
		var c map[string]any
		text := `{"model_type":"bert","num_hidden_layers":1,"hidden_size":32,"num_attention_heads":2,` +
			`"intermediate_size":64,"vocab_size":9,"max_position_embeddings":20,"hidden_act":"gelu"}`
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Fatal(err)
		}
		c[change] = to
		changed, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		return string(changed)
	}
	tests := []struct{ file, content, says string }{
		{"config.json", "", "config.json: no such file"},
		{"config.json", "{", "config.json cannot be read"},
		{"config.json", strings.Repeat(" ", maxSettings+1), "too large"},
		{"config.json", config("model_type", "modernbert"), `type "modernbert"`},
		{"config.json", config("hidden_act", "relu"), `hidden_act is "relu"`},
		{"config.json", config("position_embedding_type", "relative_key"), "relative_key"},
		{"config.json", config("num_hidden_layers", 1000), "1000 layers"},
		{"config.json", config("num_hidden_layers", 2), `no tensor "encoder.layer.1`},
		{"config.json", config("hidden_size", 64), `"embeddings.word_embeddings.weight" holds 288 numbers, not 576`},
		{"config.json", config("max_position_embeddings", 21), "fewer than 21 positions"},
		{"config.json", config("vocab_size", 8), "it has 9 tokens, the model 8"},
		{"config.json", config("pad_token_id", -1), "pad_token_id is -1"},
		{"1_Pooling/config.json", `{"pooling_mode_max_tokens":true}`, "neither the mean"},
		{"1_Pooling/config.json", `{"pooling_mode_cls_token":true}`, "neither the mean"},
		{"modules.json", `[{"type":"sentence_transformers.models.Dense"}]`, "models.Dense"},
		{"model.safetensors", "", "model.safetensors: no such file"},
		{"model.safetensors", "GGUF\x03\x00\x00\x00", "a GGUF file"},
		{"tokenizer.json", "", "holds neither tokenizer.json nor vocab.txt"},
		{"tokenizer.json", "{", "tokenizer.json cannot be used"},
		{"tokenizer.json", strings.ReplaceAll(bertTokens, "[SEP]", "[END]"), "no token [SEP]"},
	}
	for _, tt := range tests {
		dir := directory(t, "bert", map[string]string{tt.file: tt.content})
		if _, err := Open(dir, Prefixes{}); err == nil || !strings.Contains(err.Error(), tt.says) ||
			!strings.Contains(err.Error(), dir) {
			t.Errorf("%s of %.40q: error %v, want one that says %q and where", tt.file, tt.content, err, tt.says)
		}
	}
}
