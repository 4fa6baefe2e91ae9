package evolve

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestDbg(t *testing.T) {
	for _, line := range strings.Split(os.Getenv("DBG"), "\n") {
		a, b, _ := strings.Cut(line, " | ")
		about := []string{strings.Fields(a + " x")[0]}
		o, n := read(Memory{Text: a, About: about}), read(Memory{Text: b, About: about})
		for _, s := range append(o, n...) {
			c, at := s.classed()
			fmt.Print(s.verb, s.ended, s.denied, s.now, c, at, " ")
			for _, x := range s.tokens {
				fmt.Print(x.word, "/", x.key, "/", x.class, " ")
			}
			fmt.Println()
		}
		r := relation(o, n)
		fmt.Printf("=> %+v\n", r)
	}
}
