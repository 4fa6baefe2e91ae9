package receipts

import (
	"strings"
	"testing"
)

// A line is read where it may be of a conversation that is asked for, and not for what its results say.
func TestMayName(t *testing.T) {
	for _, tt := range []struct {
		line  string
		names []string
		want  bool
	}{
		{`{"session":"one","key":"k","results":[{"text":"two"}]}`, []string{"one"}, true},
		{`{"session":"one","key":"k","results":[{"text":"\"two\""}]}`, []string{"two"}, false},
		{`{"session":"one","key":"k","results":[]}`, []string{"two", "k"}, true},
		{`{"session":"one","key":"","results":[]}`, []string{"two", ""}, true},
		{`{"session":"a \"b\"","results":[]}`, []string{`a "b"`}, true},
		{`{"session":"one"`, []string{"two"}, false},
		{`{"session":"one"`, nil, true},
	} {
		if got := mayName([]byte(tt.line), inJSON(tt.names)); got != tt.want {
			t.Errorf("%s, %q: %v, want %v", tt.line, tt.names, got, tt.want)
		}
	}
}

// What a receipt keeps of a text says where it was cut.
func TestReceiptLine(t *testing.T) {
	long := strings.Repeat("words ", 100)
	if got := ReceiptLine(long); len(got) > ReceiptText || !strings.HasSuffix(got, "words…") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
	if got := ReceiptLine("short"); got != "short" {
		t.Errorf("%q", got)
	}
}
