package stemmaeino_test

import (
	"context"
	"fmt"
	"log"

	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"

	"github.com/stemma-memory/stemma"
	stemmaeino "github.com/stemma-memory/stemma/integrations/eino"
	"github.com/stemma-memory/stemma/internal/toolset/toolsettest"
)

// An agent remembers, is corrected, recalls the correction and shows what it rests on. In place
// of the scripted model stands any that Eino has.
func Example() {
	ctx := context.Background()
	e, err := stemma.Open(ctx, place(), stemma.Config{Agent: "planner", Session: "monday"})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	tools, err := stemmaeino.Tools(e)
	if err != nil {
		log.Fatal(err)
	}
	agent, err := react.NewAgent(ctx, &react.AgentConfig{
		ToolCallingModel: scripted{}, ToolsConfig: compose.ToolsNodeConfig{Tools: tools},
	})
	if err != nil {
		log.Fatal(err)
	}
	said, err := agent.Generate(ctx, []*schema.Message{schema.UserMessage(toolsettest.Asked)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(said.Content)
	// Output:
	// We deploy on Tuesdays. It rests on "We deploy on Fridays" (replaced) and "We deploy on Tuesdays".
}
