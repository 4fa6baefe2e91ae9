package stemmagenkit_test

import (
	"context"
	"fmt"
	"log"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"

	"github.com/stemma-memory/stemma"
	stemmagenkit "github.com/stemma-memory/stemma/integrations/genkit"
	"github.com/stemma-memory/stemma/internal/toolset/toolsettest"
)

// A flow remembers, is corrected, recalls the correction and shows what it rests on. In place of
// the scripted model stands any that Genkit has.
func Example() {
	ctx := context.Background()
	e, err := stemma.Open(ctx, place(), stemma.Config{Agent: "planner", Session: "monday"})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	g := genkit.Init(ctx)
	tools, err := stemmagenkit.DefineTools(g, e)
	if err != nil {
		log.Fatal(err)
	}
	said, err := genkit.Generate(ctx, g, ai.WithModel(scripted(g)), ai.WithPrompt(toolsettest.Asked),
		ai.WithTools(tools...))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(said.Text())
	// Output:
	// We deploy on Tuesdays. It rests on "We deploy on Fridays" (replaced) and "We deploy on Tuesdays".
}
