package ollama

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/llm"
)

// A fake is an Ollama with one model.
type fake struct {
	name, digest string
	tags         int // the status of the list of models, 0 for 200
	embeddings   string
	asked        []string
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.asked = append(f.asked, r.Method+" "+r.URL.Path+" "+string(body))
	switch {
	case r.URL.Path == "/api/tags" && f.tags != 0:
		w.WriteHeader(f.tags)
	case r.URL.Path == "/api/tags":
		fmt.Fprintf(
			w, `{"models":[{"name":"other:latest","digest":"00"},{"name":%q,"model":%q,"digest":%q}]}`, f.name,
			f.name, f.digest,
		)
	case f.embeddings == "":
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"error":"model not found, try pulling it first"}`)
	default:
		fmt.Fprintf(w, `{"model":%q,"embeddings":%s}`, f.name, f.embeddings)
	}
}

func open(t *testing.T, f *fake, model string) (*Embedder, error) {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return Open(t.Context(), Config{Base: server.URL + "/v1/", Model: model})
}

func TestEmbed(t *testing.T) {
	f := &fake{name: "nomic-embed-text:latest", digest: "0a109f", embeddings: `[[1,2],[3,4]]`}
	e, err := open(t, f, "nomic-embed-text")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := e.Model(), "ollama:nomic-embed-text:latest@0a109f"; got != want {
		t.Errorf("model %q, want %q", got, want)
	}
	got, err := e.Embed(t.Context(), llm.Query, "one", "two")
	if err != nil {
		t.Fatal(err)
	}
	if want := [][]float32{{1, 2}, {3, 4}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v, want %v", got, want)
	}
	want := []string{"GET /api/tags ", `POST /api/embed {"model":"nomic-embed-text","input":["one","two"]}`}
	if !slices.Equal(f.asked, want) {
		t.Errorf("asked %q, want %q", f.asked, want)
	}
	if got, err := e.Embed(t.Context(), llm.Query); got != nil || err != nil {
		t.Errorf("no texts: %v, %v", got, err)
	}
}

func TestModelNotPulled(t *testing.T) {
	_, err := open(t, &fake{name: "a:latest"}, "hf.co:443/b")
	if !errors.Is(err, llm.ErrRefused) || !strings.Contains(err.Error(), `run "ollama pull hf.co:443/b"`) {
		t.Errorf("not in the list: %v", err)
	}
	e, err := open(t, &fake{name: "a:v1"}, "a:v1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), llm.Document, "x"); !errors.Is(err, llm.ErrRefused) ||
		!strings.Contains(err.Error(), "ollama pull a:v1") {
		t.Errorf("gone since: %v", err)
	}
}

func TestWithoutAListOfModels(t *testing.T) {
	e, err := open(t, &fake{tags: 404, embeddings: `[[1]]`}, "a")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := e.Model(), "ollama:"+e.server.Base.Host+":a:latest"; got != want {
		t.Errorf("model %q, want %q", got, want)
	}
	if _, err := e.Embed(t.Context(), llm.Document, "x"); err != nil {
		t.Error(err)
	}
}

func TestModelPulledAgain(t *testing.T) {
	f := &fake{name: "a:latest", digest: "1", embeddings: `[[1]]`}
	e, err := open(t, f, "a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), llm.Document, "x"); err != nil {
		t.Fatal(err)
	}
	f.digest = "2"
	if got, err := e.Embed(t.Context(), llm.Document, "x"); got != nil || !errors.Is(err, llm.ErrRefused) {
		t.Errorf("got %v, %v, want ErrRefused", got, err)
	}
	if e.Model() != "ollama:a:latest@1" {
		t.Errorf("the model's name changed to %s", e.Model())
	}
}

func TestNonsense(t *testing.T) {
	for _, embeddings := range []string{`[]`, `[[1],[2]]`, `[[]]`, `[null]`, `[[null]]`, `null`, `[["NaN"]]`} {
		e, err := open(t, &fake{name: "a:latest", digest: "1", embeddings: embeddings}, "a")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := e.Embed(t.Context(), llm.Query, "x"); got != nil || !errors.Is(err, llm.ErrNonsense) {
			t.Errorf("%s: got %v, %v, want ErrNonsense", embeddings, got, err)
		}
	}
}

func TestDown(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	if _, err := Open(t.Context(), Config{Base: server.URL, Model: "a"}); !errors.Is(err, llm.ErrUnavailable) {
		t.Errorf("down: %v, want ErrUnavailable", err)
	}
	for _, c := range []Config{{Model: ""}, {Base: "nonsense", Model: "a"}, {Model: "a", Key: "two words"}} {
		if _, err := Open(t.Context(), c); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
}
