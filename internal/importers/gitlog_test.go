package importers

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stemma-memory/stemma/memory"
	"pgregory.net/rapid"
)

// logOf puts commits down as git does.
func logOf(commits []*loggedCommit, paths map[*loggedCommit][]string) string {
	var b strings.Builder
	for i, c := range commits {
		if i > 0 {
			b.WriteByte(0)
		}
		fmt.Fprintf(&b, "%s\x00%d\x00%s\x00%s\x00", c.hash, c.at.Time().Unix(), c.author, c.message)
		for j, p := range paths[c] {
			if j == 0 {
				b.WriteString("\x00\n")
			}
			b.WriteString(p)
		}
	}
	if len(commits) > 0 && len(paths[commits[len(commits)-1]]) == 0 {
		b.WriteByte(0)
	}
	return b.String()
}

// TestLogComesBack: whatever stands in messages and names, the log that git
// writes of commits is read as those commits, in pieces of any size.
func TestLogComesBack(t *testing.T) {
	field := rapid.StringMatching(`([A-Z]{1,2}|[0-9a-f]{40}|\n|"|é|\xff|[ -~]){0,6}`)
	rapid.Check(t, func(t *rapid.T) {
		var commits []*loggedCommit
		paths := make(map[*loggedCommit][]string)
		for range rapid.IntRange(0, 4).Draw(t, "commits") {
			c := &loggedCommit{
				hash:   rapid.StringMatching(`[0-9a-f]{40}`).Draw(t, "hash"),
				at:     memory.At(time.UnixMilli(rapid.Int64Range(-1e9, 1e11).Draw(t, "at") * 1000)),
				author: field.Draw(t, "author"), message: field.Draw(t, "message"),
			}
			for range rapid.IntRange(0, 3).Draw(t, "files") {
				status := rapid.SampledFrom([]string{"A", "M", "D", "T", "MM", "AAA"}).Draw(t, "status")
				path := "p" + field.Draw(t, "path")
				paths[c] = append(paths[c], status+"\x00"+path+"\x00")
				c.files = append(c.files, status+" "+printable(path))
				c.touched++
			}
			commits = append(commits, c)
		}
		var got []*loggedCommit
		for c, err := range readLog(iotest.OneByteReader(strings.NewReader(logOf(commits, paths)))) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, c)
		}
		if !slices.EqualFunc(got, commits, func(a, b *loggedCommit) bool { return reflect.DeepEqual(a, b) }) {
			t.Errorf("read %+v, want %+v", got, commits)
		}
	})
}

// FuzzLog: bytes that are no log are an error, not a panic, and what is read of
// them can be captured.
func FuzzLog(f *testing.F) {
	hash := strings.Repeat("0a", 20)
	f.Add([]byte(hash + "\x0017\x00Ada\x00one\x00\x00\nM\x00a\x00\x00" + hash + "\x00x\x00\x00\x00"))
	f.Add([]byte(hash + "\x00"))
	f.Add([]byte("fatal\x00"))
	f.Fuzz(func(t *testing.T, log []byte) {
		for c, err := range readLog(strings.NewReader(string(log))) {
			if err != nil {
				if !errors.Is(err, errLog) {
					t.Errorf("err = %v, want %v", err, errLog)
				}
				return
			}
			if err := memory.Check(c.foreign("r").Body); err != nil {
				t.Errorf("%+v: %v", c, err)
			}
		}
	})
}

func TestPrintableStaysOnItsLine(t *testing.T) {
	for name, want := range map[string]string{
		"a b.go": "a b.go", "größe": "größe", "日本": "日本", "a\nb": `"a\nb"`, "\xff": `"\xff"`, `"a"`: `"\"a\""`, `a"b`: `a"b`,
	} {
		if got := printable(name); got != want {
			t.Errorf("printable(%q) = %s, want %s", name, got, want)
		}
	}
}
