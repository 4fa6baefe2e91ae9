package stemma_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/stemma-memory/stemma"
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
