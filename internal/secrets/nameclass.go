package secrets

import (
	"bytes"
	"slices"
	"strings"
)

// What a name says about its value.
const (
	nothing = iota
	password
	secret
	token
	key
)

// A nameClass is what a name says.
type nameClass struct {
	class  int
	upper  bool // it is written as a variable of an environment
	surely bool // a key or token of a kind that is secret
	alone  bool // PASS, which tests say too
	shared bool // the key of a network, which may be words with blanks
}

// nameOf reads a name: what its last word is, and what stands before it.
func nameOf(name []byte) nameClass {
	name = bytes.Trim(name, ".-_")
	last := name[bytes.LastIndexByte(name, '.')+1:]
	n := nameClass{upper: len(last) > 0 && bytes.Equal(last, bytes.ToUpper(last)) && upper(last[0])}
	if w := string(name); w == "key" || w == "keys" || w == "token" || w == "tokens" {
		return n // alone they say nothing
	}
	var words []string
	if one := string(name); run(name, 0, lower) == len(name) {
		words = []string{one} // most are
	} else {
		words = wordsOf(one)
	}
	for len(words) > 1 && (tails.has(words[len(words)-1]) || onlyDigits([]byte(words[len(words)-1]))) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 || asks.has(words[0]) {
		return n
	}
	word, before := words[len(words)-1], ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	ends := func(list ...string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return strings.HasSuffix(word, w) })
	}
	switch {
	case ends("password", "passwd", "passphrase", "passwort", "kennwort"), word == "pwd", word == "passcode",
		word == "pass", word == "psk", ends("dbpass", "userpass", "rootpass", "mypass"):
		n.class, n.alone, n.shared = password, word == "pass" && before == "", word == "psk"
	case ends("secret"):
		n.class = secret
	case ends("token") && (before != "" || n.upper || word != "token") && !tameTokens.has(before):
		n.class, n.surely = token, secretKeys.has(before)
	case ends("apikey", "secretkey", "privatekey", "accesskey"):
		n.class, n.surely = key, true
	case word == "key" && secretKeys.has(before):
		n.class, n.surely = key, true
	case word == "key" && n.upper && before != "" && !tameKeys.has(before):
		n.class = key
	}
	return n
}

// wordsOf splits a name where its writer would: at signs, and where capitals begin. Small.
func wordsOf(name string) []string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '_' || c == '-' || c == '.':
			c = ' '
		case upper(c) && i > 0 && (lower(name[i-1]) || digit(name[i-1]) ||
			upper(name[i-1]) && i+1 < len(name) && lower(name[i+1])):
			b.WriteByte(' ')
		}
		b.WriteByte(folded(c))
	}
	return strings.Fields(b.String())
}

// A wordSet is words with blanks between them. It costs nothing before it is asked.
type wordSet string

func (s wordSet) has(w string) bool {
	if w == "" {
		return false
	}
	for rest := string(s); ; {
		i := strings.Index(rest, w)
		if i < 0 {
			return false
		}
		end := i + len(w)
		if (i == 0 || rest[i-1] == ' ') && (end == len(rest) || rest[end] == ' ') {
			return true
		}
		rest = rest[i+1:]
	}
}

const (
	// tails may follow the word that counts.
	tails wordSet = "base prod production dev development staging test live old new main b64 base64 hex value v"
	// asks begin names of what is not a secret but about one.
	asks wordSet = "has is use uses show hide no require requires required needs need ask reset forgot " +
		"allow bypass " +
		"enable disable enabled disabled min max with without can should must get set on validate check " +
		"compare verify generate"

	secretKeys wordSet = "api app secret private encryption access auth signing sign master account license " +
		"licence deploy " +
		"service shared admin root webhook hmac aes cipher crypto unseal session jwt client bot refresh " +
		"oauth bearer user github gitlab npm ci id sas data personal internal server agent"
	tameKeys wordSet = "cache primary foreign sort partition public pub index hot map row column routing " +
		"group order config " +
		"storage lookup dedup dedupe idempotency i18n translation message object state label error event " +
		"query setting settings feature flag item meta metadata file host short arrow enter escape shift " +
		"ctrl alt delete backspace tab space any tag topic kafka parent child node natural composite unique " +
		"search filter registry redis local env menu option theme language locale prefix name type " +
		"session_store s3 bucket dict json xml field param header"
	tameTokens wordSet = "next page continuation cancellation max total prompt completion stop eos bos pad " +
		"unk special design " +
		"input output sync cursor start end mask sep cls current last first previous prev parse string " +
		"comment"

	// tame are values that are no secret: types, states, ways.
	tame wordSet = "true false yes no on off none null nil undefined empty string str text int integer " +
		"number boolean " +
		"bool bytes byte char object any void varchar required optional enabled disabled hidden prompt ask " +
		"auto default env environment keychain vault file stdin inherit manual bearer basic plain sensitive " +
		"masked missing invalid incorrect wrong unknown value todo unset encrypted protected deprecated " +
		"credentials self input output interactive always never optionnel obligatoire obligatorio " +
		"erforderlich hash hashed plaintext placeholder dummy omitted removed unchanged here"
)
