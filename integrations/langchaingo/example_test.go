package stemmalangchain_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"

	"github.com/stemma-memory/stemma"
	stemmalangchain "github.com/stemma-memory/stemma/integrations/langchaingo"
	"github.com/stemma-memory/stemma/internal/toolset/toolsettest"
)

// An agent remembers, is corrected, recalls the correction and shows what it rests on. In place
// of the scripted model stands any that LangChainGo has.
func Example() {
	ctx := context.Background()
	e, err := stemma.Open(ctx, place(), stemma.Config{Agent: "planner", Session: "monday"})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	tools, err := stemmalangchain.Tools(e)
	if err != nil {
		log.Fatal(err)
	}
	agent := agents.NewExecutor(agents.NewOpenAIFunctionsAgent(scripted{}, tools))
	said, err := chains.Run(ctx, agent, toolsettest.Asked)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(said)
	// Output:
	// We deploy on Tuesdays. It rests on "We deploy on Fridays" (replaced) and "We deploy on Tuesdays".
}
