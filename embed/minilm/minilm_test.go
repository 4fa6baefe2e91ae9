package minilm

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/model/bert"
	"github.com/stemma-memory/stemma/internal/model/tokenizer"
	"github.com/stemma-memory/stemma/llm"
)

// A made line is one that testdata/reference.py wrote.
type made struct {
	Text   string `json:"text"`
	Tokens json.RawMessage
	Vector string `json:"vector"`
}

func lines(t *testing.T, name string) []made {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var list []made
	for s := bufio.NewScanner(file); s.Scan(); {
		var m made
		if err := json.Unmarshal(s.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	if len(list) < 40 {
		t.Fatalf("%s has %d lines: this would prove little", name, len(list))
	}
	return list
}

func embed(t *testing.T, e *Embedder, text string) []float32 {
	t.Helper()
	v, err := e.Embed(t.Context(), llm.Document, text)
	if err != nil || len(v) != 1 {
		t.Fatalf("%.40q: %d vectors, error %v", text, len(v), err)
	}
	return v[0]
}

func cosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i, x := range a {
		dot += float64(x) * float64(b[i])
		aa += float64(x) * float64(x)
		bb += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(aa*bb)
}

// The reference is the model as published, in floats of 32 bits.
func TestVectorsAreThoseOfThePublishedModel(t *testing.T) {
	e := New()
	var sum float64
	least := 1.
	list := lines(t, "vectors.jsonl")
	for _, m := range list {
		raw, err := base64.StdEncoding.DecodeString(m.Vector)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]float32, len(raw)/2)
		for i := range want {
			want[i] = float32(int16(binary.LittleEndian.Uint16(raw[2*i:])))
		}
		got := embed(t, e, m.Text)
		if len(got) != len(want) {
			t.Fatalf("%.60q: %d numbers, want %d", m.Text, len(got), len(want))
		}
		near := cosine(got, want)
		sum += near
		least = min(least, near)
	}
	mean := sum / float64(len(list))
	t.Logf("%d texts, cosine in the mean %.5f, at least %.5f", len(list), mean, least)
	if mean < .999 || least < .998 {
		t.Errorf("cosine in the mean %.5f, at least %.5f, want .999 and .998", mean, least)
	}
}

func TestTokensAreThoseOfTheReference(t *testing.T) {
	words, err := tokenizer.ParseVocabulary(vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range lines(t, "tokens.jsonl") {
		var want []int
		if err := json.Unmarshal(m.Tokens, &want); err != nil {
			t.Fatal(err)
		}
		got := words.Pieces(m.Text, 300)
		for i, token := range got {
			if token == tokenizer.Unknown {
				got[i] = unknown
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%.60q is %v, want %v", m.Text, got, want)
		}
	}
}

func TestTheNameCarriesTheDigest(t *testing.T) {
	sum := sha256.Sum256([]byte(weights))
	digest := hex.EncodeToString(sum[:])
	if want := "all-MiniLM-L6-v2:sha256:" + digest[:16]; New().Model() != want {
		t.Errorf("the name is %q, want %q", New().Model(), want)
	}
}

func TestNearnessIsOfMeaning(t *testing.T) {
	e := New()
	question := embed(t, e, "the thing that tries again after a failure")
	near := cosine(question, embed(t, e, "Retries are capped at five, with exponential backoff."))
	far := cosine(question, embed(t, e, "My sister's wedding is on the third Saturday of June."))
	if near < far+.1 {
		t.Errorf("backoff %.3f, wedding %.3f", near, far)
	}
}

func TestWhatItCannotReadHasNoVector(t *testing.T) {
	tests := []struct {
		text  string
		reads bool
	}{
		{"The queue keeps a message until its lease ends.", true},
		{"internal/store/sqlstore opens the database with WAL and a busy timeout of 5,000 ms.", true},
		{"Why does ErrUnavailable come back twice?", true},
		{"JPY and KRW have no minor unit, so the exponent in currency.go is 0 for both.", true},
		{"backups", true},
		{"Lorenz drinks coffee every hour.", true},
		{"Annelies bakes bread at night", true},
		{"Tokens expire after 15 minutes", true},
		{"Use pnpm, not npm", true},
		{"Wojciech pendelt mit dem Fahrrad zur Arbeit", false},
		{"Zsófia a kórussal próbál minden csütörtökön", false},
		{"", false},
		{"   \n", false},
		{"— … !!", false},
		{"Der Schlüssel zum Lagerraum liegt in der obersten Schublade links neben dem Fenster.", false},
		{"La llave del almacén está en el cajón de arriba, a la izquierda de la ventana.", false},
		{"Klíč od skladu je v horní zásuvce vlevo vedle okna, hned pod policí s nářadím.", false},
		{"倉庫の鍵は窓の左の一番上の引き出しにあります。", false},
		{"仓库的钥匙在窗户左边最上面的抽屉里。", false},
		{"مفتاح المخزن في الدرج العلوي على يسار النافذة.", false},
		{"Ключ от склада лежит в верхнем ящике слева от окна.", false},
		{"창고 열쇠는 창문 왼쪽 맨 위 서랍에 있습니다.", false},
		{"dGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZyBhbmQgcnVucw==", false},
		{"4a6440fd642b80c2af140b4a4b9ee8cccca9761d1147a73906b46fbe2b73a1c5", false},
		{"newPoisoned SuggestionReply tailFile endedWrongly hasCitus LinkEnd", false},
		{"0.677 | 0.023 | 0.489 | 0.660\n0.770 | 0.158 | 0.962 | 0.271", false},
		{`10.1.2.3 - - [18/Nov/2026:16:35:12 +0000] "GET /api/v1/items/67200 HTTP/1.1" 500 9545`, false},
	}
	e := New()
	for _, tt := range tests {
		v := embed(t, e, tt.text)
		if (v != nil) != tt.reads {
			t.Errorf("%.60q: a vector %t, want %t", tt.text, v != nil, tt.reads)
		}
	}
}

func TestManyAskAtOnce(t *testing.T) {
	e := New()
	texts := []string{"The dog is afraid of thunder.", words(40), words(100), "Use feature flags for what changes."}
	var want [][]float32
	for _, text := range texts {
		want = append(want, embed(t, New(), text))
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range texts {
				k := (i + j) % len(texts)
				got, err := e.Embed(t.Context(), llm.Query, texts[k], texts[0])
				if err != nil || !slices.Equal(got[0], want[k]) || !slices.Equal(got[1], want[0]) {
					t.Errorf("another vector of %.30q, error %v", texts[k], err)
				}
			}
		})
	}
	all.Wait()
}

func TestItStopsAtOnce(t *testing.T) {
	e := New()
	embed(t, e, "opened")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	v, err := e.Embed(ctx, llm.Document, "The dog is afraid of thunder.")
	if !errors.Is(err, context.Canceled) || v != nil {
		t.Errorf("%d vectors, error %v", len(v), err)
	}
	if _, err := e.Embed(ctx, llm.Document, "", "—"); !errors.Is(err, context.Canceled) {
		t.Errorf("of texts that it cannot read: error %v", err)
	}
	texts := make([]string, 2000)
	for i := range texts {
		texts[i] = words(250)
	}
	ctx, cancel = context.WithCancel(t.Context())
	stopped := make(chan time.Time, 1)
	go func() {
		embed(t, e, words(13)) // while the others are under way
		stopped <- time.Now()
		cancel()
	}()
	_, err = e.Embed(ctx, llm.Document, texts...)
	if late := time.Since(<-stopped); !errors.Is(err, context.Canceled) || late > 2*time.Second {
		t.Errorf("error %v, %v after it was told", err, late)
	}
}

func TestAPassLeavesLittleBehind(t *testing.T) {
	e := New()
	text := words(120)
	embed(t, e, text)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 20 {
		embed(t, e, text)
	}
	runtime.ReadMemStats(&after)
	if bytes := (after.TotalAlloc - before.TotalAlloc) / 20; bytes > 32<<10 {
		t.Errorf("%d bytes a text", bytes)
	}
}

// The model in its directory, as published, is the one in the box.
func TestTheDirectoryGivesTheSame(t *testing.T) {
	dir := os.Getenv("STEMMA_MINILM")
	if dir == "" {
		t.Skip("optional data: STEMMA_MINILM names no directory with the published model")
	}
	other, err := bert.Open(dir, bert.Prefixes{})
	if err != nil {
		t.Fatal(err)
	}
	e := New()
	for _, text := range []string{"The dog is afraid of thunder.", words(62), words(255)} {
		v, err := other.Embed(t.Context(), llm.Document, text)
		if err != nil || !slices.Equal(v[0], embed(t, e, text)) {
			t.Errorf("%.30q: another vector, error %v", text, err)
		}
	}
}
