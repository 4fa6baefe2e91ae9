package secrets

import "bytes"

// signWords are the words for a password in languages that write no blanks between words.
var signWords = []string{"密码", "密碼", "口令", "パスワード", "暗証番号", "暗号キー", "비밀번호", "암호"}

// signVerbs may stand between the word and the password.
var signVerbs = []string{"是", "为", "為", "はい", "は", "が", "：", ":", "＝", "=", "는", "은"}

// lookSigned finds a password after a word of such a language: the first run of letters, digits and signs, with
// digits or signs in it.
func lookSigned(s *scanner, at, length int) (start, end int, ok bool) {
	text := s.text
	i, verb := inline(text, at+length), false
	for _, v := range signVerbs {
		if bytes.HasPrefix(text[i:], []byte(v)) {
			i, verb = inline(text, i+len(v)), true
			break
		}
	}
	for _, q := range []string{`\"`, `"`, "'", "`", "“", "「", "『"} {
		if bytes.HasPrefix(text[i:], []byte(q)) {
			i, verb = i+len(q), true
			break
		}
	}
	end = run(text[:min(len(text), i+saidLong)], i, func(c byte) bool {
		return c > ' ' && c < 0x7f && c != ',' && c != '"' && c != '\\' && c != '`'
	})
	b := bytes.TrimRight(text[i:end], ".;:)!?'")
	end = i + len(b)
	p := saying{verb: ":"}
	return i, end, verb && len(b) >= saidShort && (p.strong(b) || onlyDigits(b)) && !placeholder(b) && !gives(b) &&
		!expression(b) && !bytes.Contains(b, []byte("://"))
}
