package ledger

import (
	"strings"
	"testing"
)

// A checkpoint at its bounds is read, and one byte or line more is not.
func TestACheckpointIsBounded(t *testing.T) {
	line := func(n int) string { return strings.Repeat("x", n) }
	lines := func(n, of int) (all []string) {
		for range n {
			all = append(all, line(of))
		}
		return all
	}
	root := EmptyRoot()
	for what, tt := range map[string]struct {
		c    Checkpoint
		want bool
	}{
		"all that there can be": {Checkpoint{line(512), MaxSize, root, lines(16, 512)}, true},
		"a longer origin":       {Checkpoint{line(513), 1, root, nil}, false},
		"one line more":         {Checkpoint{"x", 1, root, lines(17, 1)}, false},
		"a longer line":         {Checkpoint{"x", 1, root, lines(1, 513)}, false},
		"a greater log":         {Checkpoint{"x", MaxSize + 1, root, nil}, false},
		"less than nothing":     {Checkpoint{"x", -1, root, nil}, false},
		"nothing":               {Checkpoint{"x", 0, root, nil}, true},
		"nothing with a root":   {Checkpoint{"x", 0, Hash{1}, nil}, false},
		"a blank origin":        {Checkpoint{" ", 1, root, nil}, false},
		"a blank line":          {Checkpoint{"x", 1, root, []string{""}}, false},
		"a tab":                 {Checkpoint{"x\ty", 1, root, nil}, false},
		"a space":               {Checkpoint{"x y", 1, root, nil}, true},
		"a tilde":               {Checkpoint{"x~", 1, root, nil}, true},
		"a delete":              {Checkpoint{"x\x7f", 1, root, nil}, false},
		"no text":               {Checkpoint{"x\xff", 1, root, nil}, false},
	} {
		text, err := tt.c.Format()
		if (err == nil) != tt.want {
			t.Errorf("%s is written: %v", what, err)
			continue
		}
		if err != nil {
			text = tt.c.Origin + "\n1\n" + EncodeHash(tt.c.Root) + "\n" + strings.Join(append(tt.c.Extra, ""), "\n")
			if tt.c.Size != 1 {
				continue
			}
		}
		if _, err := ParseCheckpoint(text); (err == nil) != tt.want {
			t.Errorf("%s is read: %v", what, err)
		}
	}
	for _, text := range []string{"", "x\n", "x\n1\n", "x\n1\n" + EncodeHash(root), "x\n+1\n" + EncodeHash(root) + "\n",
		"x\n1\n" + EncodeHash(root)[1:] + "\n", "x\n1\n" + strings.Repeat("!", 44) + "\n",
		"x\n1\n" + strings.Repeat("A", 43) + "!\n"} {
		if c, err := ParseCheckpoint(text); err == nil {
			t.Errorf("%q is read as %+v", text, c)
		}
	}
}

// A text that is too long is not looked at, nor is a proof.
func TestWhatIsTooLongIsSaid(t *testing.T) {
	for n, want := range map[int]string{9747: "want lines of origin", 9748: "9748 bytes"} {
		if _, err := ParseCheckpoint(strings.Repeat("x", n)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a text of %d bytes: %v, want %q", n, err, want)
		}
	}
	for n, want := range map[int]string{96: "from 1 to 2", 97: "97 hashes"} {
		err := CheckConsistency(make(Proof, n), 1, Hash{}, 2, Hash{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a proof of %d hashes: %v, want %q", n, err, want)
		}
	}
}

func TestAHashIsThirtyTwoBytes(t *testing.T) {
	good := EncodeHash(Hash{1, 2, 3})
	for s, want := range map[string]bool{
		good: true, good[:40]: false, good + "AAAA": false, strings.Repeat("!", 44): false,
		strings.Repeat("A", 44):        false, // 33 bytes
		strings.Repeat("A", 42) + "==": false, strings.Repeat("A", 42) + "B=": false, strings.Repeat("A", 43) + "=": true,
	} {
		if h, err := DecodeHash(s); (err == nil) != want {
			t.Errorf("%q is %x, %v", s, h, err)
		}
	}
	for n, want := range map[int]bool{0: true, maxProof: true, maxProof + 1: false} {
		hashes := make([]string, n)
		for i := range hashes {
			hashes[i] = good
		}
		p, err := ParseProof(hashes)
		if (err == nil) != want || want && len(p) != n {
			t.Errorf("a proof of %d hashes: %d, %v", n, len(p), err)
		}
	}
	if maxProof != 96 || MaxSize != 1<<48 {
		t.Errorf("a proof has %d hashes, a tree %d ids", maxProof, int64(MaxSize))
	}
}

// What a tree is asked must be within it.
func TestATreeIsAskedWithinItsBounds(t *testing.T) {
	const size = 5
	tree, _ := newTree(t, size)
	for _, tt := range []struct {
		index, size int64
		want        bool
	}{
		{0, 1, true}, {0, size, true}, {4, size, true}, {5, size, false}, {-1, size, false}, {0, 0, false},
		{0, size + 1, false}, {0, -1, false}, {3, 4, true}, {4, 4, false},
	} {
		if _, err := tree.Inclusion(tt.index, tt.size); (err == nil) != tt.want {
			t.Errorf("that %d is in %d: %v", tt.index, tt.size, err)
		}
	}
	for _, tt := range []struct {
		old, size int64
		want      bool
	}{
		{1, 1, true}, {1, size, true}, {size, size, true}, {0, size, false}, {-1, size, false}, {3, 2, false},
		{1, size + 1, false}, {1, 0, false}, {1, -1, false},
	} {
		if _, err := tree.Consistency(tt.old, tt.size); (err == nil) != tt.want {
			t.Errorf("that %d grew to %d: %v", tt.old, tt.size, err)
		}
	}
	for n, want := range map[int64]bool{-1: false, 0: true, size: true, size + 1: false} {
		if _, err := tree.Root(n); (err == nil) != want {
			t.Errorf("the root of %d: %v", n, err)
		}
	}
}
