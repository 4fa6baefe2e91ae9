package stemma_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma"
	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/memory"
)

// exampleStore returns a place for an example and what removes it again.
func exampleStore() (path string, remove func()) {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	return filepath.Join(dir, "memory.db"), func() { os.RemoveAll(dir) }
}

// A store is opened once, and keys are made by the first write.
func ExampleOpen() {
	path, remove := exampleStore()
	defer remove()
	ctx := context.Background()
	e, err := stemma.Open(ctx, path, stemma.Config{Agent: "planner", Session: "monday"})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	said, err := e.Capture(ctx, stemma.CaptureRequest{Text: "We deploy on Fridays", Speaker: "Ada"})
	if err != nil {
		log.Fatal(err)
	}
	shown, err := e.Show(ctx, stemma.RefRequest{Ref: said.Ref})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(shown.Type, shown.Origin, shown.Agent, shown.Session)
	// Output:
	// raw agent planner monday
}

// What is found comes with how far it can be believed.
func ExampleEngine_Search() {
	path, remove := exampleStore()
	defer remove()
	ctx := context.Background()
	e, err := stemma.Open(ctx, path, stemma.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	_, err = e.Add(ctx, stemma.AddRequest{Draft: stemma.Draft{Kind: "belief", Text: "Deploys on Friday fail"}})
	if err != nil {
		log.Fatal(err)
	}
	found, err := e.Search(ctx, stemma.SearchRequest{Query: "when do deploys fail", Kind: "belief"})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range found.Results {
		fmt.Println(r.Text, r.Tier, r.Level, r.Actionable)
	}
	// Output:
	// Deploys on Friday fail inferred unverified false
}

// A pack is text for the beginning of a prompt, within a hard budget of tokens.
func ExampleEngine_Context() {
	path, remove := exampleStore()
	defer remove()
	ctx := context.Background()
	e, err := stemma.Open(ctx, path, stemma.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	_, err = e.Add(ctx, stemma.AddRequest{Draft: stemma.Draft{Kind: "value", Text: "Measure before you change anything"}})
	if err != nil {
		log.Fatal(err)
	}
	pack, err := e.Load(ctx, stemma.LoadRequest{Budget: 300})
	if err != nil {
		log.Fatal(err)
	}
	text, err := pack.Render("text", false)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(text) > 0, len(text) < 4*300)
	// Output:
	// true true
}

// What changes is said again; the old words stay, with what they rested on.
func ExampleEngine_Revise() {
	path, remove := exampleStore()
	defer remove()
	ctx := context.Background()
	e, err := stemma.Open(ctx, path, stemma.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	old, err := e.Add(ctx, stemma.AddRequest{Draft: stemma.Draft{Kind: "belief", Text: "Deploys on Friday fail"}})
	if err != nil {
		log.Fatal(err)
	}
	_, err = e.Revise(
		ctx,
		stemma.ReviseRequest{Ref: old.Ref, Draft: stemma.Draft{Text: "Deploys on Friday failed until the freeze"}},
	)
	if err != nil {
		log.Fatal(err)
	}
	history, err := e.History(ctx, stemma.RefRequest{Ref: old.Ref})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range history.Revisions {
		fmt.Println(r.Headline, r.Hidden)
	}
	// Output:
	// Deploys on Friday fail superseded
	// Deploys on Friday failed until the freeze
}

// Who speaks is decided where the caller is known, not by what it says.
func ExampleEngine_As() {
	path, remove := exampleStore()
	defer remove()
	ctx := context.Background()
	e, err := stemma.Open(ctx, path, stemma.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	agent, err := e.As(stemma.Caller{Agent: "reviewer", Session: "pr-7"})
	if err != nil {
		log.Fatal(err)
	}
	owner, err := e.As(stemma.Caller{Origin: memory.OriginOwner})
	if err != nil {
		log.Fatal(err)
	}
	note, err := agent.Add(
		ctx, stemma.AddRequest{Draft: stemma.Draft{Kind: "note", Text: "The parser drops the last line"}},
	)
	if err != nil {
		log.Fatal(err)
	}
	_, err = agent.Quarantine(ctx, stemma.QuarantineRequest{Target: note.Ref})
	fmt.Println("an agent quarantines:", errors.Is(err, stemma.ErrForbidden))
	done, err := owner.Approve(ctx, stemma.DecideRequest{Refs: []string{note.Ref}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the owner approves:", done.Memories[0].Review)
	// Output:
	// an agent quarantines: true
	// the owner approves: approved
}

// Errors are of six kinds, whatever their words are.
func ExampleEngine_Show_errors() {
	path, remove := exampleStore()
	defer remove()
	ctx := context.Background()
	e, err := stemma.Open(ctx, path, stemma.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	_, err = e.Show(ctx, stemma.RefRequest{Ref: "belief:a04e"})
	switch {
	case errors.Is(err, stemma.ErrNotFound):
		fmt.Println("there is none")
	case errors.Is(err, stemma.ErrAmbiguous):
		fmt.Println("more digits, please")
	case err != nil:
		log.Fatal(err)
	}
	// Output:
	// there is none
}

// shows stands before each block of Go on a page, with the example it is from.
const shows = "<!-- example: "

// The Go on the pages of docs is a part of examples that run.
func TestDocsShowExamples(t *testing.T) {
	bodies := exampleBodies(t)
	pages, err := filepath.Glob("docs/reference/*.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(string(text), "```go\n")
		for i, part := range parts[1:] {
			blocks++
			block, _, _ := strings.Cut(part, "```")
			_, after, ok := strings.Cut(lastLine(parts[i]), shows)
			name, _, closed := strings.Cut(after, " -->")
			switch {
			case !ok || !closed:
				t.Errorf("%s: a block of Go with no example named before it:\n%s", page, block)
			case bodies[name] == "":
				t.Errorf("%s: there is no example %s", page, name)
			case !strings.Contains(bodies[name], block):
				t.Errorf("%s: this is no part of %s:\n%s", page, name, block)
			}
		}
	}
	if blocks < 6 {
		t.Errorf("%d blocks of Go in docs, want at least 6", blocks)
	}
}

func lastLine(s string) string {
	s = strings.TrimRight(s, "\n")
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// exampleBodies returns the bodies of all examples here and one level down (dir.Example), without the tab before
// each line.
func exampleBodies(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	others, err := filepath.Glob("*/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, others...)
	bodies := make(map[string]string)
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, src, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			in := strings.TrimPrefix(filepath.Dir(name)+".", "..")
			if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Example") {
				body := src[set.Position(f.Body.Lbrace).Offset+2 : set.Position(f.Body.Rbrace).Offset]
				bodies[in+f.Name.Name] = strings.ReplaceAll("\n"+string(body), "\n\t", "\n")[1:]
			}
		}
	}
	return bodies
}

// A program opens an encrypted store with a passphrase that it brings, and without it none.
func TestAnEncryptedStoreOpensWithItsPassphrase(t *testing.T) {
	key, err := atrest.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	h, err := atrest.NewHead(key, []byte("correct horse battery"), []byte("another horse battery"))
	if err != nil {
		t.Fatal(err)
	}
	head, err := h.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "memory.db")
	if err := os.WriteFile(path, head, 0o600); err != nil {
		t.Fatal(err)
	}
	with := func(pass string) stemma.Config {
		return stemma.Config{Keys: stemma.KeyConfig{Store: func(string) ([]byte, error) { return []byte(pass), nil }}}
	}
	for says, c := range map[string]stemma.Config{
		"its passphrase was not given": {}, "the passphrase does not open it": with("wrong horse battery"),
	} {
		if _, err := stemma.Open(t.Context(), path, c); !errors.Is(err, stemma.ErrUnavailable) ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("it opens with %v, want that %s", err, says)
		}
	}
	e, err := stemma.Open(t.Context(), path, with("correct horse battery"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Capture(t.Context(), stemma.CaptureRequest{Text: "zanzibar lives"}); err != nil {
		t.Fatal(err)
	}
	if s, err := e.Status(t.Context(), stemma.Nothing{}); err != nil || !s.Encrypted {
		t.Errorf("the status is %+v, %v", s, err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(path); err != nil || strings.Contains(string(raw), "zanzibar") {
		t.Errorf("the file has the words, %v", err)
	}
}
