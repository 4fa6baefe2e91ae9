package enginetest

import (
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/memory"
	_ "modernc.org/sqlite"
)

// Hundred is text of 100 characters, as long as a turn of a conversation.
const Hundred = "I went to the support group on Tuesday and it was so good to hear what the others had been through."

// Foreigners returns n turns of 100 characters, no two alike.
func Foreigners(n int) func(func(api.Foreign, error) bool) {
	words := strings.Fields(Hundred)
	return func(yield func(api.Foreign, error) bool) {
		for i := range n {
			text := fmt.Sprintf("%s %d %s", strings.Join(words[:8], " "), i*7919%n, words[i%len(words)])
			text += strings.Repeat(" more", (100-len(text))/5)
			f := api.Foreign{
				Alias: []string{fmt.Sprint("bench:", i)},
				Body:  &memory.Raw{Text: text, Source: "import", Event: "turn"},
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}
