package cli

import (
	"path/filepath"

	"github.com/stemma-memory/stemma/internal/outside"
)

// outsideJudge tells words of strangers from others in what a hook sees. Without a directory for what was done to files
// it forgets from one event to the next.
func (a *app) outsideJudge() outside.Judge {
	j := outside.Judge{
		Home: a.env.Getenv("HOME"), Dir: a.env.Dir, Path: filepath.SplitList(a.env.Getenv("PATH")), Files: true,
	}
	if dir, err := a.dataDir(); err == nil {
		j.Seen.Dir = filepath.Join(dir, "handled")
	}
	return j
}
