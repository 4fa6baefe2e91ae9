//go:build !race

package words

import (
	"testing"
)

func TestEveryCharacterKeepsThePromises(t *testing.T) {
	for r := rune(0); r <= lastAssigned; r++ {
		if r == 0x40000 { // ten planes with nothing in them
			r = 0xe0000
		}
		checkText(t, "a"+string(r)+"B "+string(r)+string(r))
	}
}
