package cli

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/internal/ops"
)

// trust shows who stands behind a memory, then gives it to a stranger, and
// changes one letter of it on the way.
func (t *tour) trust(ref, words string) error {
	t.say("9. Trust: how far can you trust the belief? See every term of its score.")
	if err := t.show("trust", ref); err != nil {
		return err
	}
	t.say("Anybody can check the belief with only a file: bytes, signatures, keys and its place in the log.")
	part := filepath.Join(t.dir, "part.jsonl")
	for _, step := range [][]string{{"export", ref, "--proofs", "-o", part}, {"audit", part}} {
		if err := t.show(step...); err != nil {
			return err
		}
	}
	t.say("Somebody changes one letter of the belief in that file.")
	if err := changeLetter(part, words); err != nil {
		return err
	}
	t.prompt("audit", part)
	if code := t.run(t.a.env.Stdout, "audit", part); code != ops.ExitFailed {
		return fmt.Errorf("tour: this step failed with exit code %d", code)
	}
	return nil
}

var payload = lazy.Regexp(`"payload":"([^"]+)"`)

// changeLetter changes the first letter of words in the one record of a file that
// says them, and leaves its signature as it is.
func changeLetter(path, words string) error {
	file, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("tour: %w", err)
	}
	for _, found := range payload.Get().FindAllSubmatchIndex(file, -1) {
		at := file[found[2]:found[3]]
		record, err := base64.StdEncoding.DecodeString(string(at))
		i := bytes.Index(record, []byte(words))
		if err != nil || i < 0 {
			continue
		}
		record[i] ^= 1 // of the letters, another one
		base64.StdEncoding.Encode(at, record)
		if err := os.WriteFile(path, file, 0o600); err != nil {
			return fmt.Errorf("tour: %w", err)
		}
		return nil
	}
	return errors.New("tour: the belief is not in the file")
}
