package importers

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// gptTalk is a conversation of ChatGPT with one turn of so many bytes.
func gptTalk(n, size int) string {
	return fmt.Sprintf(`{"title":"t%d","conversation_id":"c%d","current_node":"n%d","mapping":{"n%d":`+
		`{"id":"n%d","parent":null,"children":[],"message":{"id":"n%d","author":{"role":"user"},`+
		`"create_time":1714560002.5,"recipient":"all",`+
		`"content":{"content_type":"text","parts":["turn %d %s"]},"metadata":{}}}}}`,
		n, n, n, n, n, n, n, strings.Repeat("words ", size/6))
}

func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// take reads a source to its end.
func take(t testing.TB, s Source) (*Found, []api.Foreign, error) {
	t.Helper()
	found, err := Read(t.Context(), s)
	if err != nil {
		return nil, nil, err
	}
	var all []api.Foreign
	for f, err := range found.Records {
		if err != nil {
			return found, all, err
		}
		all = append(all, f)
	}
	return found, all, nil
}

// A file that was cut is read up to there, and says where.
func TestACutFile(t *testing.T) {
	whole := "[" + gptTalk(1, 60) + "," + gptTalk(2, 60) + "," + gptTalk(3, 60) + "]"
	found, all, err := take(t, Source{Path: write(t, "conversations.json", whole[:len(whole)-40])})
	if err != nil || len(all) != 2 || found.Lost.Broken != 1 ||
		!strings.Contains(found.Lost.Bad[0], "the file ends in the middle; the 2 parts before that were taken") {
		t.Errorf("%d records, %+v, %v", len(all), found, err)
	}
	if _, all, err := take(t, Source{Path: write(t, "conversations.json", whole[:80])}); err == nil || len(all) > 0 {
		t.Errorf("of a file cut in its first part: %d, %v", len(all), err)
	} else {
		refused(t, err, "the file ends in the middle")
	}
	for _, n := range []int{40, 200, 2000} {
		packed, err := os.ReadFile(zipped(t, filepath.Dir(write(t, "conversations.json", whole))))
		if err != nil {
			t.Fatal(err)
		}
		_, all, err := take(t, Source{Path: write(t, "x.zip", string(packed[:min(n, len(packed)-30)]))})
		if err == nil || len(all) > 0 {
			t.Errorf("of an archive cut after %d bytes: %d, %v", n, len(all), err)
		}
	}
}

// A conversation that is broken costs itself and is named.
func TestABadConversation(t *testing.T) {
	text := "[" + gptTalk(1, 60) + `,{"title":"x","mapping":7,"create_time":1},7,` + gptTalk(3, 60) + "]"
	found, all, err := take(t, Source{Path: write(t, "conversations.json", text)})
	if err != nil || len(all) != 2 || found.Lost.Broken != 2 ||
		!strings.Contains(found.Lost.Bad[0], "conversation 2: mapping") {
		t.Errorf("%d records, %+v, %v", len(all), found.Lost, err)
	}
}

// bomb packs files: one that expands far, and one that does not.
func bomb(t testing.TB) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "export.zip")
	f, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	big, err := z.Create("conversations.json")
	if err != nil {
		t.Fatal(err)
	}
	blank := bytes.Repeat([]byte(" "), 1<<20)
	for range 100 {
		if _, err := big.Write(blank); err != nil {
			t.Fatal(err)
		}
	}
	small, err := z.Create("more/conversations.json")
	if err == nil {
		_, err = io.WriteString(small, "["+gptTalk(1, 60)+"]")
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return out
}

// An archive that expands to far more than it is costs only that file, and is never unpacked.
func TestAZipBomb(t *testing.T) {
	found, all, err := take(t, Source{Path: bomb(t)})
	if err != nil || len(all) != 1 || found.Lost.Broken != 1 || !strings.Contains(found.Lost.Bad[0], "expands to") {
		t.Errorf("%d records, %+v, %v", len(all), found, err)
	}
}

// talks is an export of many conversations that is made while it is read.
type talks struct {
	left, size int
	n          int
	buf        []byte
}

func (r *talks) Read(p []byte) (int, error) {
	for len(r.buf) == 0 {
		switch {
		case r.n == 0:
			r.buf = append(r.buf, '[')
		case r.n > r.left+1:
			return 0, io.EOF
		case r.n > r.left:
			r.buf = append(r.buf, ']')
		default:
			if r.n > 1 {
				r.buf = append(r.buf, ',')
			}
			r.buf = append(r.buf, gptTalk(r.n, r.size)...)
		}
		r.n++
	}
	n := copy(p, r.buf)
	r.buf = r.buf[n:]
	return n, nil
}

// A large export is never held as a whole.
func TestALargeExportIsStreamed(t *testing.T) {
	const conversations, size = 400, 256 << 10 // 100 MiB
	found, err := Read(t.Context(), Source{Path: "-", In: &talks{left: conversations, size: size}})
	if err != nil {
		t.Fatal(err)
	}
	var most uint64
	n := 0
	for _, err := range found.Records {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n%50 == 0 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		}
	}
	if n != conversations || most > 48<<20 {
		t.Errorf("%d records with %d MiB held, want %d with less than 48", n, most>>20, conversations)
	}
}

// An import that was cut off goes on where it was: what is there is passed, and nothing is doubled.
func TestALargeExportGoesOn(t *testing.T) {
	const total, cut = 1600, 1300
	e := newEngine(t)
	path := filepath.Join(t.TempDir(), "conversations.json")
	text, _ := io.ReadAll(&talks{left: total, size: 60})
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := Read(t.Context(), Source{Path: path, Held: e.Held})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Ingest(t.Context(), cutAfter(found.Records, cut), nil); !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	before := stored(t, e)
	found, err = Read(t.Context(), Source{Path: path, Held: e.Held})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := e.Ingest(t.Context(), found.Records, nil)
	if err != nil || before == 0 || reply.AlreadyThere != before || reply.Added != total-before || stored(t, e) != total {
		t.Errorf("%+v, %v after %d of %d", reply, err, before, total)
	}
}

// Two accounts in one file are both taken, and told apart.
func TestTwoAccounts(t *testing.T) {
	talk := func(n int, who string) string {
		return fmt.Sprintf(`{"uuid":"c%d","name":"x","account":{"uuid":%q},"chat_messages":[{"uuid":"m%d","text":"hello",`+
			`"sender":"human","created_at":"2025-01-0%dT00:00:00Z"}]}`, n, who, n, n)
	}
	path := write(t, "conversations.json", "["+talk(1, "ada")+","+talk(2, "ben")+","+talk(3, "ben")+"]")
	found, all, err := take(t, Source{Path: path})
	if err != nil || len(all) != 3 || len(found.Lost.Accounts) != 2 || found.Lost.Accounts["ben"] != 2 {
		t.Errorf("%d records, %+v, %v", len(all), found.Lost, err)
	}
}

// Links of a folder that lead in a circle, and notes that link to each other, are no trouble.
func TestAVaultInACircle(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.md": "to [[b]]", "b.md": "to [[a]] and [[b]]"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(dir, filepath.Join(dir, "again")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("/etc", filepath.Join(dir, "outside")); err != nil {
		t.Skip(err)
	}
	found, all, err := take(t, Source{Path: dir})
	if err != nil || len(all) != 2 || found.Lost.LeftOut["symbolic links"] != 2 {
		t.Errorf("%d records, %+v, %v", len(all), found.Lost, err)
	}
}

// An unknown file is named by what it looks like.
func TestUnknownFilesAreNamed(t *testing.T) {
	for name, tt := range map[string]struct{ content, want string }{
		"chat.html":  {"<html><script>var jsonData = [", "looks like the page of a ChatGPT export"},
		"My.html":    {"<!DOCTYPE html><html><title>My Activity History</title>", "looks like Gemini's activity as HTML"},
		"page.html":  {"<html><p>x", "is a web page"},
		"paper.pdf":  {"%PDF-1.7\n\x00\x01", "is a PDF"},
		"odd.json":   {`{"a":{"b":[1,2]}}`, "is JSON of a shape"},
		"empty.json": {"", "is empty"},
		"photo.jpg":  {"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01", "is no text"},
	} {
		_, _, err := take(t, Source{Path: write(t, name, tt.content)})
		if err == nil {
			t.Errorf("%s was taken", name)
			continue
		}
		refused(t, err, tt.want)
	}
}

// Times are read in each way in which programs write them.
func TestTimesOfOtherPrograms(t *testing.T) {
	for text, want := range map[string]string{
		"2024-03-05T10:00:00+01:00":             "2024-03-05T09:00:00.000Z",
		"2024-03-05T10:00:00.123456":            "2024-03-05T10:00:00.123Z",
		"2024-03-05T10:00:00+0100":              "2024-03-05T09:00:00.000Z",
		"2024-03-05 10:00:00":                   "2024-03-05T10:00:00.000Z",
		"2024-03-05 10:00:00.5+01:00":           "2024-03-05T09:00:00.500Z",
		"2024-03-05 10:00:00 +0100":             "2024-03-05T09:00:00.000Z",
		"Tue, 5 Mar 2024 10:00:00 +0100":        "2024-03-05T09:00:00.000Z",
		"Tue, 05 Mar 2024 10:00:00 +0100 (CET)": "2024-03-05T09:00:00.000Z",
		"Tue Mar  5 10:00:00 2024":              "2024-03-05T10:00:00.000Z",
		"March 5, 2024 10:00 AM":                "2024-03-05T10:00:00.000Z",
		"1709632800":                            "2024-03-05T10:00:00.000Z",
		"1709632800.25":                         "2024-03-05T10:00:00.250Z",
		"1709632800123":                         "2024-03-05T10:00:00.123Z",
		"1709632800123456":                      "2024-03-05T10:00:00.123Z",
		"2024-03-05":                            "2024-03-05T00:00:00.000Z",
		"yesterday":                             "", "17": "", "": "", " (CET)": "",
	} {
		got := ""
		if at, ok := stamp(text); ok {
			got = at.String()
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// No input of any format does more than fail.
func FuzzFormats(f *testing.F) {
	dirs, err := filepath.Glob("testdata/formats/*/*.*")
	if err != nil {
		f.Fatal(err)
	}
	for i, path := range dirs {
		if raw, err := os.ReadFile(path); err == nil {
			f.Add(uint8(i), string(raw))
		}
	}
	names := Names()
	f.Fuzz(func(t *testing.T, n uint8, content string) {
		found, err := Read(t.Context(), Source{
			Path: "f", In: strings.NewReader(content), Format: names[int(n)%len(names)], Name: "x",
		})
		if err != nil {
			return
		}
		defer found.Close()
		if found.Open != nil {
			return
		}
		for _, err := range found.Records {
			if err != nil && !errors.Is(err, api.ErrInvalid) {
				t.Error(err)
			}
		}
	})
}
