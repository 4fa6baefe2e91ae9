package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// made is what is remembered of a store that is kept.
type made struct {
	Server string            `json:"server,omitempty"` // where it is; "" is a file
	Stands map[string]string `json:"stands"`           // what words in capitals stand for
}

// kept returns what words in capitals stand for in the store of a directory. It makes the store where
// there is none, and says what its import took.
func (o Options) kept(
	ctx context.Context, h *home, dir string, records int, each func(Verb),
) (map[string]string, error) {
	note := filepath.Join(dir, "made.json")
	text, err := os.ReadFile(note)
	switch {
	case o.Keep && err == nil:
		var m made
		if err := json.Unmarshal(text, &m); err != nil || m.Stands == nil {
			return nil, fmt.Errorf("bench: %s says nothing of a store: %w", note, err)
		}
		h.server = m.Server
		return m.Stands, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("bench: %w", err)
	}
	if o.Server != nil {
		if h.server, err = o.Server(ctx); err != nil {
			return nil, err
		}
	}
	m := made{Server: h.server, Stands: map[string]string{"TALK": filepath.Join(dir, "talk.jsonl"), "PERSON": name(0)}}
	if err := talk(m.Stands["TALK"], records); err != nil {
		return nil, err
	}
	v, err := h.ask(ctx, []string{"import", "jsonl", "TALK"}, m.Stands)
	if err != nil {
		return nil, err
	}
	if v.Failed != "" {
		return nil, errors.New(v.Failed)
	}
	if v.Verb, v.Records = importing, records; o.Verbs(importing) {
		each(v)
	}
	if err := errors.Join(h.differ(ctx, m.Stands), h.answer(ctx, dir, m.Stands), h.code(ctx, m.Stands)); err != nil {
		return nil, err
	}
	text, err = json.Marshal(m)
	if err == nil {
		err = os.WriteFile(note, text, 0o600)
	}
	return m.Stands, err
}

// differ says what does not go together, and finds the newest of some kinds.
func (h *home) differ(ctx context.Context, stands map[string]string) error {
	for i := range 8 {
		for _, place := range []string{"Acme", "Globex"} {
			said := fmt.Sprintf("Person%d works at %s", i+1, place)
			if err := h.run(ctx, "remember", said); err != nil {
				return err
			}
		}
	}
	for name, kind := range map[string]string{"BELIEF": "belief", "NOTE": "note", "EPISODE": "episode", "RAW": "raw"} {
		var reply struct{ Memories, Raws []struct{ Ref string } }
		if err := h.reply(ctx, &reply, "list", kind, "--limit", "1", "--json"); err != nil {
			return err
		}
		if reply.Memories = append(reply.Memories, reply.Raws...); len(reply.Memories) == 0 {
			return fmt.Errorf("bench: no %s is listed", kind)
		}
		stands[name] = reply.Memories[0].Ref
	}
	return nil
}

// answer keeps one answer with what proves it, a text that quotes it, and its receipt.
func (h *home) answer(ctx context.Context, dir string, stands map[string]string) error {
	var pack bytes.Buffer
	if _, err := h.used(ctx, &pack, "recall", "where does Person1 work", "--proofs", "--json"); err != nil {
		return err
	}
	stands["PACK"], stands["ANSWER"] = filepath.Join(dir, "pack.json"), filepath.Join(dir, "answer.txt")
	err := errors.Join(os.WriteFile(stands["PACK"], pack.Bytes(), 0o600),
		os.WriteFile(stands["ANSWER"], []byte("Person1 works at Acme. Person1 is tall.\n"), 0o600))
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	var reply struct {
		Receipts []struct{ ID string }
	}
	if err := h.reply(ctx, &reply, "receipts", "list", "--limit", "1", "--json"); err != nil {
		return err
	}
	if len(reply.Receipts) > 0 {
		stands["RECEIPT"] = reply.Receipts[0].ID
	}
	return nil
}

// code makes a repository of two commits where the person works, if there is git.
func (h *home) code(ctx context.Context, stands map[string]string) error {
	if _, err := exec.LookPath("git"); err != nil {
		return nil
	}
	path := filepath.Join(h.dir, "add.go")
	for i, text := range []string{"package add\n", "package add\n\nfunc Add(a, b int) int { return a + b }\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return fmt.Errorf("bench: %w", err)
		}
		steps := [][]string{{"add", "add.go"}, {"commit", "-q", "-m", "add"}}
		if i == 0 {
			steps = append([][]string{{"init", "-q"}}, steps...)
		}
		for _, s := range steps {
			as := []string{"-c", "user.name=P", "-c", "user.email=p@example.org"}
			cmd := exec.CommandContext(ctx, "git", append(as, s...)...)
			cmd.Dir, cmd.Env = h.dir, h.env
			if said, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("bench: git %s: %w: %s", s[0], err, said)
			}
		}
	}
	stands["CODE"] = path + ":3"
	return nil
}

// reply runs a verb and reads what it prints.
func (h *home) reply(ctx context.Context, to any, args ...string) error {
	var out bytes.Buffer
	if _, err := h.used(ctx, &out, args...); err != nil {
		return err
	}
	if err := json.Unmarshal(out.Bytes(), to); err != nil {
		return fmt.Errorf("bench: stemma %s: %w", args[0], err)
	}
	return nil
}
