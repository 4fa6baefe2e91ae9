package canon

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// The published corpus: what is not JSON is refused, what is JSON is taken,
// except for repeated members; the rest is either refused or stable.
func TestJSONTestSuite(t *testing.T) {
	repeats := map[string]bool{
		"y_object_duplicated_key.json":           true,
		"y_object_duplicated_key_and_value.json": true,
	}
	count := map[byte]int{}
	for _, name := range names(t, "json-strict/test_parsing/*.json") {
		raw := read(t, "json-strict/test_parsing", name)
		count[name[0]]++
		out, err := Transform(raw)
		if checked := Check(raw); (checked == nil) != (err == nil && bytes.Equal(out, raw)) {
			t.Errorf("Check(%s) = %v, but Transform: %.80q, %v", name, checked, out, err)
		}
		switch {
		case name[0] == 'n' && err == nil:
			t.Errorf("Transform(%s) = %.80q, want an error", name, out)
		case name[0] == 'n' && (errors.Is(err, ErrDuplicate) || errors.Is(err, ErrNumber)):
			t.Errorf("Transform(%s): %v, want another reason", name, err)
		case name[0] == 'y' && repeats[name] && !errors.Is(err, ErrDuplicate):
			t.Errorf("Transform(%s): %v, want %v", name, err, ErrDuplicate)
		case name[0] == 'y' && !repeats[name] && err != nil:
			t.Errorf("Transform(%s): %v, want nil", name, err)
		}
		if err == nil {
			stable(t, name, out)
		}
	}
	for kind, want := range map[byte]int{'y': 95, 'n': 188, 'i': 35} {
		if got := count[kind]; got != want {
			t.Errorf("%d files %c_, want %d", got, kind, want)
		}
	}
}

// stable fails unless out is the canonical form of itself.
func stable(t *testing.T, name string, out []byte) {
	t.Helper()
	again, err := Transform(out)
	if err != nil || !bytes.Equal(again, out) {
		t.Errorf("%s: Transform(%.80q) = %.80q, %v, want the same", name, out, again, err)
	}
	if err := Check(out); err != nil {
		t.Errorf("%s: Check(%.80q) = %v, want nil", name, out, err)
	}
}

// What other readers change without a word is refused or kept.
func TestNothingIsChangedSilently(t *testing.T) {
	tests := map[string]struct {
		want string
		err  error
	}{
		"number_-9223372036854775808.json":         {err: ErrNumber},
		"number_-9223372036854775809.json":         {err: ErrNumber},
		"number_1.0.json":                          {want: "[1]"},
		"number_1.000000000000000005.json":         {want: "[1]"},
		"number_1000000000000000.json":             {want: "[1000000000000000]"},
		"number_10000000000000000999.json":         {err: ErrNumber},
		"number_1e-999.json":                       {want: "[0]"},
		"number_1e6.json":                          {want: "[1000000]"},
		"number_9223372036854775807.json":          {err: ErrNumber},
		"number_9223372036854775808.json":          {err: ErrNumber},
		"object_key_nfc_nfd.json":                  {want: "{\"e\u0301\":\"NFD\",\"\u00e9\":\"NFC\"}"},
		"object_key_nfd_nfc.json":                  {want: "{\"e\u0301\":\"NFD\",\"\u00e9\":\"NFC\"}"},
		"object_same_key_different_values.json":    {err: ErrDuplicate},
		"object_same_key_same_value.json":          {err: ErrDuplicate},
		"object_same_key_unclear_values.json":      {err: ErrDuplicate},
		"string_1_escaped_invalid_codepoint.json":  {err: ErrUTF8},
		"string_1_invalid_codepoint.json":          {err: ErrUTF8},
		"string_2_escaped_invalid_codepoints.json": {err: ErrUTF8},
		"string_2_invalid_codepoints.json":         {err: ErrUTF8},
		"string_3_escaped_invalid_codepoints.json": {err: ErrUTF8},
		"string_3_invalid_codepoints.json":         {err: ErrUTF8},
		"string_with_escaped_NULL.json":            {want: `["A\u0000B"]`},
	}
	for _, name := range names(t, "json-strict/test_transform/*.json") {
		tt, ok := tests[name]
		if !ok {
			t.Errorf("%s: nothing is said of it", name)
		}
		delete(tests, name)
		got, err := Transform(read(t, "json-strict/test_transform", name))
		if string(got) != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("Transform(%s) = %s, %v, want %s, %v", name, got, err, tt.want, tt.err)
		}
	}
	for name := range tests {
		t.Errorf("%s: no such file", name)
	}
}

func TestRefusals(t *testing.T) {
	nest := func(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }
	nestObjects := func(depth int) string {
		return strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth)
	}
	tests := []struct {
		name, in  string
		transform error // what Transform says
		check     error
		where     string // as Transform says, or else Check
	}{
		{name: "nothing", in: "", transform: ErrSyntax, check: ErrSyntax, where: "byte 0:"},
		{name: "byte order mark", in: "\uFEFF1", transform: ErrSyntax, check: ErrSyntax, where: "byte 0:"},
		{name: "text after the value", in: "{}{}", transform: ErrSyntax, check: ErrSyntax, where: "byte 2:"},
		{name: "NUL after the value", in: "1\x00", transform: ErrSyntax, check: ErrSyntax, where: "byte 1:"},
		{name: "as deep as allowed", in: nest(MaxDepth)},
		{name: "objects as deep as allowed", in: nestObjects(MaxDepth)},
		{name: "too deep", in: nest(MaxDepth + 1), transform: ErrDepth, check: ErrDepth, where: "byte 32:"},
		{name: "objects too deep", in: nestObjects(MaxDepth + 1), transform: ErrDepth, check: ErrDepth, where: "byte 160:"},
		{name: "wide is not deep", in: "[" + strings.Repeat("[],", 100) + "[]]"},
		{name: "repeated", in: `{"a":1,"a":1}`, transform: ErrDuplicate, check: ErrDuplicate, where: "byte 7:"},
		{
			name: "repeated with another between", in: `{"b":1,"a":1,"b":1}`, transform: ErrDuplicate,
			check: ErrNotCanonical, where: "byte 13:",
		},
		{
			name: "repeated under another spelling", in: `{"a":1,"\u0061":1}`, transform: ErrDuplicate,
			check: ErrNotCanonical, where: "byte 7:",
		},
		{
			name: "repeated with a pair of surrogates", in: `{"😂":1,"\ud83d\ude02":1}`, transform: ErrDuplicate,
			check: ErrNotCanonical, where: "byte 10:",
		},
		{name: "the same name in another object", in: `{"a":{"a":1},"b":[{"a":1},{"a":1}]}`},
		{name: "names that differ in case", in: `{"A":1,"a":1}`},
		{name: "out of order", in: `{"b":1,"a":1}`, check: ErrNotCanonical, where: "byte 7:"},
		{name: "above the surrogates first", in: "{\"\uFB33\":1,\"😂\":1}", check: ErrNotCanonical, where: "byte 9:"},
		{name: "surrogates first", in: "{\"😂\":1,\"\uFB33\":1}"},
		{name: "an escape sorts as what it says", in: `{"\n":1,"!":1,"\"":1,"a":1}`},
		{name: "an escape sorted as a backslash", in: `{"!":1,"\n":1}`, check: ErrNotCanonical, where: "byte 7:"},
		{name: "an escape before a longer name", in: `{"\\":1,"\\a":1}`},
		{name: "space before", in: " 1", check: ErrNotCanonical, where: "byte 0:"},
		{name: "space after", in: "1\n", check: ErrNotCanonical, where: "byte 1:"},
		{name: "space before a name", in: `{ "a":1}`, check: ErrNotCanonical, where: "byte 1:"},
		{name: "space before a colon", in: `{"a" :1}`, check: ErrNotCanonical, where: "byte 4:"},
		{name: "space before a value", in: `{"a": 1}`, check: ErrNotCanonical, where: "byte 5:"},
		{name: "space before a comma", in: `[1 ,2]`, check: ErrNotCanonical, where: "byte 2:"},
		{name: "an escaped slash", in: `"\/"`, check: ErrNotCanonical, where: "byte 1:"},
		{name: "an escaped letter", in: `"a\u0062"`, check: ErrNotCanonical, where: "byte 2:"},
		{name: "a control character spelled long", in: `"\u000a"`, check: ErrNotCanonical, where: "byte 1:"},
		{name: "a control character in upper case", in: `"\u001F"`, check: ErrNotCanonical, where: "byte 1:"},
		{name: "control characters", in: `"\b\t\n\f\r\u0000\u001f\"\\` + "\x7f/\u2028\""},
		{name: "noncharacters", in: "\"\uFFFE\uFFFF\uFDD0\U0010FFFF\""},
		{name: "the replacement character itself", in: "\"\uFFFD\""},
		{name: "a raw surrogate", in: "\"\xed\xa0\x80\"", transform: ErrUTF8, check: ErrUTF8, where: "byte 1:"},
		{name: "an overlong slash", in: "\"abc\xc0\xaf\"", transform: ErrUTF8, check: ErrUTF8, where: "byte 4:"},
		{name: "beyond Unicode", in: "\"\xf4\x90\x80\x80\"", transform: ErrUTF8, check: ErrUTF8, where: "byte 1:"},
		{name: "half a character", in: "\"\xe2\x82\"", transform: ErrUTF8, check: ErrUTF8, where: "byte 1:"},
		{name: "half a pair", in: `"\ud83d"`, transform: ErrUTF8, check: ErrUTF8, where: "byte 1:"},
		{name: "the other half", in: `"\ude02\ud83d"`, transform: ErrUTF8, check: ErrUTF8, where: "byte 1:"},
		{name: "half a pair in a name", in: `{"\ud83d":1}`, transform: ErrUTF8, check: ErrUTF8, where: "byte 2:"},
		{name: "a raw line end in a string", in: "\"12345678\n\"", transform: ErrSyntax, check: ErrSyntax, where: "byte 9:"},
		{name: "an unknown escape", in: `"\x41"`, transform: ErrSyntax, check: ErrSyntax, where: "byte 1:"},
		{name: "a string that ends in a backslash", in: `"\`, transform: ErrSyntax, check: ErrSyntax, where: "byte 2:"},
	}
	for _, tt := range tests {
		out, err := Transform([]byte(tt.in))
		if !errors.Is(err, tt.transform) {
			t.Errorf("%s: Transform(%.40q) = %.40q, %v, want %v", tt.name, tt.in, out, err, tt.transform)
		}
		checked := Check([]byte(tt.in))
		if !errors.Is(checked, tt.check) {
			t.Errorf("%s: Check(%.40q) = %v, want %v", tt.name, tt.in, checked, tt.check)
		}
		if tt.transform == nil && tt.check == nil && string(out) != tt.in {
			t.Errorf("%s: Transform(%q) = %q, want the same", tt.name, tt.in, out)
		}
		if err == nil {
			err = checked
		}
		if err != nil && !strings.Contains(err.Error(), tt.where) {
			t.Errorf("%s: %v, want it at %s", tt.name, err, tt.where)
		}
	}
}
