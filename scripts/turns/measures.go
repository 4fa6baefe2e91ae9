package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A measure is something that is done some times in a turn.
type measure struct {
	name  string
	calls int
	// begin readies a side, and returns what does it once for each question of a turn.
	begin func(*side) (taking func(asked []string) (time.Duration, error), end func() error, err error)
}

func measures(plain string) []measure {
	const asked, traced, fresh = 60, 12, 5
	budget := 2000
	all := []measure{
		{"search by words, one process", asked, calling("search", func(_ *side, _ int, q string) map[string]any {
			return map[string]any{"query": q}
		})},
		{"pack of 2,000 tokens, one process", asked, calling("context", func(_ *side, _ int, q string) map[string]any {
			return map[string]any{"query": q, "budget": budget}
		})},
		{"trace of a belief over 50 episodes", traced, calling("memory_trace", func(s *side, i int, _ string) map[string]any {
			return map[string]any{"ref": s.grounded[i%len(s.grounded)], "depth": 3}
		})},
		{"trace of 500 revisions", traced, calling("memory_trace", func(s *side, i int, _ string) map[string]any {
			return map[string]any{"ref": s.revised[i%len(s.revised)], "depth": revisions}
		})},
		{"a process: search", fresh, running("search", asQuestion)},
		{"a process: context", fresh, running("context", asQuestion)},
		{"a process: raw", fresh, running("raw", asQuestion)},
	}
	for _, verb := range [][]string{{"load"}, {"list"}, {"recent"}, {"status"}, {"raw", "list"}, {"--version"}} {
		all = append(all, measure{
			"a process: " + strings.Join(verb, " "), fresh, running("", func(string) []string { return verb }),
		})
	}
	if _, err := exec.LookPath("sqlite3"); err == nil {
		all = append(all, measure{"raw (new) to an insert by sqlite3 (old)", fresh, insertOrRaw(plain)})
	}
	return all
}

func asQuestion(q string) []string { return []string{q} }

// calling asks one process, which was asked before: that which is asked most is warm.
func calling(
	tool string, args func(*side, int, string) map[string]any,
) func(*side) (func([]string) (time.Duration, error), func() error, error) {
	return func(s *side) (func([]string) (time.Duration, error), func() error, error) {
		p, err := s.serve()
		if err != nil {
			return nil, nil, err
		}
		n := 0
		return func(asked []string) (time.Duration, error) {
			before, err := p.took()
			for _, q := range asked {
				n++
				if _, failed := p.call(tool, args(s, n, q)); failed != nil {
					return 0, failed
				}
			}
			if err != nil {
				return 0, err
			}
			after, err := p.took()
			return after - before, err
		}, p.end, nil
	}
}

// running runs the program from start to end for each question.
func running(
	verb string, args func(string) []string,
) func(*side) (func([]string) (time.Duration, error), func() error, error) {
	return func(s *side) (func([]string) (time.Duration, error), func() error, error) {
		return func(asked []string) (all time.Duration, err error) {
			for _, q := range asked {
				words := args(q)
				if verb != "" {
					words = append([]string{verb}, words...)
				}
				_, took, err := s.run(words...)
				if err != nil {
					return 0, err
				}
				all += took
			}
			return all, nil
		}, func() error { return nil }, nil
	}
}

// insertOrRaw is an insert by SQLite's own program on the old side, and a capture on the new.
func insertOrRaw(plain string) func(*side) (func([]string) (time.Duration, error), func() error, error) {
	create, add, _ := strings.Cut(plain, "|")
	old := true
	return func(s *side) (func([]string) (time.Duration, error), func() error, error) {
		if !old {
			return running("raw", asQuestion)(s)
		}
		old = false
		file := filepath.Join(s.home, "plain.db")
		insert := func(text string) (time.Duration, error) {
			_, took, err := timed(exec.Command("sqlite3", file, text))
			return took, err
		}
		_, err := insert(create)
		return func(asked []string) (all time.Duration, err error) {
			for _, q := range asked {
				took, err := insert(fmt.Sprintf(add, q))
				if err != nil {
					return 0, err
				}
				all += took
			}
			return all, nil
		}, func() error { return nil }, err
	}
}
