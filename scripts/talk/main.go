// Command talk writes conversations for measurements: see bench.Talk.
//
//	go run ./scripts/talk 100000 > talk.jsonl
package main

import (
	"log"
	"os"
	"strconv"

	"github.com/stemma-memory/stemma/internal/bench"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("talk: ")
	n := 0
	if len(os.Args) == 2 {
		n, _ = strconv.Atoi(os.Args[1])
	}
	if n <= 0 {
		log.Fatal("usage: talk RECORDS > FILE")
	}
	if err := bench.Talk(os.Stdout, n); err != nil {
		log.Fatal(err)
	}
}
