package importers

import (
	"fmt"
	"strings"

	"github.com/stemma-memory/stemma/internal/hosts"
)

// isTranscript reports whether a file is a conversation that Claude Code or Codex kept.
func isTranscript(s *sight) bool {
	if s.listed || s.ext() != ".jsonl" && s.tree.dir {
		return false
	}
	return s.has("sessionId", "type") && s.any("uuid", "cwd", "parentUuid", "leafUuid", "operation") ||
		s.has("type", "payload", "timestamp") || s.is("type", "summary") && s.has("leafUuid") ||
		s.is("type", "file-history-snapshot", "queue-operation")
}

// readTranscripts reads conversations: words that a hook has kept before are not kept twice.
func readTranscripts(r *reading, files []*file) error {
	return r.eachFile(files, func(f *file) error {
		where, err := f.onPath()
		if err != nil {
			return err
		}
		t, err := hosts.ReadTranscript(where)
		if err != nil {
			return err
		}
		lost := &r.found.Lost
		if t.Torn {
			lost.leaveOut("last lines that are not finished; the next import takes them")
		}
		for _, n := range t.Broken {
			lost.bad("%s", strings.TrimPrefix(fmt.Sprintf("%s, line %d: cannot be read", r.where(f), n), ", "))
		}
		if n := len(t.Unknown); n > 0 {
			lost.LeftOut = plus(lost.LeftOut, "outputs of unknown calls", n)
		}
		var said []string
		for _, m := range t.Messages {
			if m.Said != "" {
				said = append(said, m.Said)
			}
		}
		held := map[string]bool{}
		if r.source.Held != nil && len(said) > 0 {
			refs, err := r.source.Held(r.ctx, said...)
			if err != nil {
				return err
			}
			for alias := range refs {
				held[alias] = true
			}
		}
		for _, m := range t.Messages {
			if held[m.Said] {
				m.Alias[0] = m.Said // a hook has kept it
			}
			if err := r.give(m.Foreign); err != nil {
				return err
			}
		}
		return nil
	})
}
