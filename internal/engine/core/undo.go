package core

import (
	"fmt"

	"github.com/stemma-memory/stemma/memory"
)

func QuotedCut(s string) string { return fmt.Sprintf("%q", memory.Cut(s, 60)) }
