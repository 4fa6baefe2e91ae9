package stemma_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/stemma-memory/stemma"
)

// A belief is traced down to the words it rests on.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	e, err := stemma.Open(ctx, filepath.Join(dir, "memory.db"), stemma.Config{Agent: "planner"})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	raw, err := e.Capture(ctx, stemma.CaptureRequest{Text: "The build broke after the merge", Speaker: "ci"})
	if err != nil {
		log.Fatal(err)
	}
	episode, err := e.Promote(
		ctx, stemma.PromoteRequest{From: []string{raw.Ref}, Draft: stemma.Draft{Text: "Fixed the build"}},
	)
	if err != nil {
		log.Fatal(err)
	}
	belief, err := e.Consolidate(ctx, stemma.ConsolidateRequest{
		From: []string{episode.Ref}, Draft: stemma.Draft{Text: "Merges on Friday break the build"},
	})
	if err != nil {
		log.Fatal(err)
	}
	tree, err := e.Trace(ctx, stemma.TraceRequest{Ref: belief.Ref})
	if err != nil {
		log.Fatal(err)
	}
	source := tree.Backward.Sources[0]
	fmt.Println(tree.Memory.Statement)
	fmt.Println("  from the", source.Type, source.Title)
	fmt.Println("    from the words of", source.Sources[0].Speaker+":", source.Sources[0].Blob)
	// Output:
	// Merges on Friday break the build
	//   from the episode Fixed the build
	//     from the words of ci: The build broke after the merge
}
