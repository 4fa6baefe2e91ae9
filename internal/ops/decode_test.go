package ops

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// A request that cannot be read is refused in the words of who wrote it.
func TestDecode(t *testing.T) {
	for request, want := range map[string]string{
		`{"text":"x"}`: "", "": "", "  ": "", `null`: "",
		`{"textt":"x"}`:      `there is no member "textt"`,
		`{"text":5}`:         `text: must be text, got number`,
		`{"tags":"x"}`:       `tags: must be a list, got string`,
		`{"approve":"x"}`:    `approve: must be true or false, got string`,
		`{"confidence":"x"}`: `confidence: must be a number, got string`,
		`[]`:                 `the request must be an object, got array`,
		`"x"`:                `the request must be an object, got string`,
		`{"text"`:            `the request is not JSON: it ends in the middle`,
		`{text:1}`: `the request is not JSON, at byte 2: invalid character 't' looking for ` +
			`beginning of object key string`,
		`{} {}`:                   `there is text after the request`,
		`{"text":"a","text":"b"}`: `text: appears twice`,
		`{"Text":"a"}`:            `Text: unknown field; it is written "text"`,
		`{"tags":["\ud800"]}`:     `tags[0]: \ud800 is half a character; write both halves, or the character itself`,
		"{\"text\":\"\xff\"}":     `the text is not UTF-8`,
		`{} ]`:                    `there is text after the request`,
	} {
		got := ""
		if err := decode([]byte(request), new(api.CaptureRequest)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", request, got, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"text":"x","tags":["a"],"confidence":0.5}`))
	f.Add([]byte(`{"text":`))
	f.Fuzz(func(t *testing.T, request []byte) {
		_ = decode(request, new(api.CaptureRequest))
		_ = decode(request, new(api.PromoteRequest))
	})
}
