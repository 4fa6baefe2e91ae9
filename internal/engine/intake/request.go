package intake

import (
	"github.com/stemma-memory/stemma/internal/engine/core"
)

func BadLineIf(n int, err error) error {
	if err == nil {
		return nil
	}
	return core.BadLine(n, err)
}
