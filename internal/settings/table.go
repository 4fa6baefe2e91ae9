package settings

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Known is a key there is, and what it is for.
type Known struct {
	Key        string // table.name
	Env        string
	Default    string
	Doc        string
	ProjectMay bool // may a project's file set it?
	PersonOnly bool // it sends memory somewhere, or loosens what is kept: an agent does not set it

	calm   bool     // its default and "none" send nothing and loosen nothing: any program may go back to them
	order  []string // the values from the loosest: a project's file may only go towards the end
	whole  bool     // written as a number
	secret bool     // of the environment only
	adds   bool     // a project's value comes beside the user's, not in its place
	check  func(string) error
}

var table = []Known{
	{Key: "embedder.kind", Env: "STEMMA_EMBEDDER", PersonOnly: true, calm: true, Default: "box",
		Doc: "what makes vectors: box (the model within stemma), openai (any server that speaks as OpenAI's does), " +
			"ollama, static (a model in a directory), or none",
		check: oneOf("box", "none", "openai", "ollama", "static")},
	{Key: "embedder.url", Env: "STEMMA_EMBEDDER_URL", PersonOnly: true,
		Doc:   "base address of the embedder's server",
		check: address},
	{Key: "embedder.model", Env: "STEMMA_EMBEDDER_MODEL", PersonOnly: true,
		Doc:   "name of the model, or the directory of a static one",
		check: name},
	{Key: "embedder.key", Env: "STEMMA_EMBEDDER_KEY", secret: true,
		Doc:   "key for the embedder's server; in the environment only",
		check: token},
	{Key: "embedder.dimensions", Env: "STEMMA_EMBEDDER_DIMENSIONS", PersonOnly: true, Default: "0", whole: true,
		Doc:   "numbers in a vector; 0 is the model's own",
		check: between(0, 1<<16)},
	{Key: "embedder.timeout", Env: "STEMMA_EMBEDDER_TIMEOUT", PersonOnly: true, Default: "3s",
		Doc:   "how long a search waits for its vector; making those of memories may take longer",
		check: lasting(time.Millisecond, 10*time.Minute)},
	{Key: "model.kind", Env: "STEMMA_MODEL", PersonOnly: true, calm: true, Default: "none",
		Doc: "what drafts and compares memories: none (rules do), openai (any server that speaks as OpenAI's does), " +
			"ollama, anthropic, or sim (for trying out)",
		check: oneOf("none", "openai", "ollama", "anthropic", "sim")},
	{Key: "model.url", Env: "STEMMA_MODEL_URL", PersonOnly: true,
		Doc:   "base address of the model's server",
		check: address},
	{Key: "model.name", Env: "STEMMA_MODEL_NAME", PersonOnly: true,
		Doc:   "name of the model there",
		check: name},
	{Key: "model.key", Env: "STEMMA_MODEL_KEY", secret: true,
		Doc:   "key for the model's server; in the environment only",
		check: token},
	{Key: "model.timeout", Env: "STEMMA_MODEL_TIMEOUT", PersonOnly: true, Default: "10s",
		Doc:   "timeout of one attempt",
		check: lasting(time.Millisecond, 10*time.Minute)},
	{Key: "model.tokens", Env: "STEMMA_MODEL_TOKENS", PersonOnly: true, Default: "0", whole: true,
		Doc:   "tokens per day (UTC), in requests and answers; 0 for no limit",
		check: between(0, 1<<30)},
	{Key: "model.seed", Env: "STEMMA_MODEL_SEED", PersonOnly: true, Default: "0", whole: true,
		Doc:   "seed for model requests, so that a run can be repeated; 0 for none",
		check: between(0, 1<<30)},
	{Key: "pack.budget", Env: "STEMMA_BUDGET", ProjectMay: true, whole: true,
		Doc:   "tokens of a context pack, 100 to 50000; empty for the level's own",
		check: orEmpty(between(100, 50_000))},
	{Key: "capture.secrets", Env: "STEMMA_SECRETS", PersonOnly: true, Default: "redact", ProjectMay: true,
		Doc: "what to do with passwords, keys and tokens in new records: redact, block or allow; a project may " +
			"only make it stricter",
		order: secretsOrder, check: oneOf(secretsOrder...)},
	{Key: "capture.ignore", Env: "STEMMA_IGNORE", PersonOnly: true, ProjectMay: true, adds: true,
		Doc: "globs, separated by commas: hooks store no event that names a matching file or happens in a matching " +
			"directory; a project's are added to yours",
		check: name},
	{Key: "review.policy", Env: "STEMMA_REVIEW_POLICY", PersonOnly: true, Default: "default",
		Doc: "what a person is asked to decide: default (constraints, values, goals and drives that agents wrote, what " +
			"would replace a person's words, contradictions), strict (everything that agents wrote), or project (as " +
			"default, and an agent's update of an agent's memory applies at once)",
		check: oneOf("default", "strict", "project")},
	{Key: "spaces.read", Env: "STEMMA_SPACES_READ", PersonOnly: true, Default: "team",
		Doc: "what is read where no space is named beside your project and what is your own: team (the spaces that you " +
			"joined, unless they are bound to another project), mine (nothing), or names of spaces, separated by commas",
		check: spaces},
	{Key: "spaces.everywhere", Env: "STEMMA_SPACES_EVERYWHERE", PersonOnly: true, Default: "person",
		Doc:   "who may read all projects with --everywhere: person, or agents too",
		check: oneOf("person", "agents")},
	{Key: "receipts.keep", Env: "STEMMA_RECEIPTS", PersonOnly: true, Default: "8388608", whole: true,
		Doc:   "bytes of receipts to keep, 65536 to 1073741824; 0 for none",
		check: zeroOr(between(64<<10, 1<<30))},
	{Key: "sync.auto", Env: "STEMMA_SYNC_AUTO", PersonOnly: true, calm: true, Default: "off",
		Doc: "when to exchange records with the store's remotes by itself: off, load (only take, before 'stemma " +
			"load', for up to 3 s), or watch (load, and servers do all the time: serve, ui and mcp)",
		check: oneOf("off", "load", "watch")},
	{Key: "sync.every", Env: "STEMMA_SYNC_EVERY", PersonOnly: true, Default: "1m",
		Doc: "with sync.auto watch: how long a server waits at most between two exchanges with a remote that answers; " +
			"after a write it is two seconds",
		check: lasting(time.Second, 24*time.Hour)},
	{Key: "serve.addr", Env: "STEMMA_ADDR", Default: "127.0.0.1:7463",
		Doc:   "where 'stemma serve' listens",
		check: name},
	{Key: "serve.hosts", Env: "STEMMA_HOSTS", PersonOnly: true, calm: true,
		Doc:   "host names besides localhost that a server answers to, separated by commas",
		check: name},
	{Key: "serve.writes", Env: "STEMMA_WRITES", Default: "20", whole: true,
		Doc: "writes per second that a server accepts from one client; bursts of five times, and ten times as many " +
			"reads, are accepted; 0 for no limit",
		check: between(0, 1<<20)},
	{Key: "store.passphrase", Env: "STEMMA_STORE_PASSPHRASE_FILE",
		Doc:   "file with the passphrase of encrypted stores; empty for store-passphrase next to your settings",
		check: name},
	{Key: "telemetry.endpoint", Env: "STEMMA_TELEMETRY", PersonOnly: true,
		Doc: "OpenTelemetry collector that 'stemma serve' sends its metrics to, as OTLP over HTTP; empty for the " +
			"address in OpenTelemetry's variables, if any",
		check: address},
	{Key: "timestamp.roots", Env: "STEMMA_TIMESTAMP_ROOTS", PersonOnly: true,
		Doc:   "file (PEM) with the authorities trusted for timestamps; empty for the system's",
		check: name},
}

// secretsOrder is what can be done with secrets, from the loosest.
var secretsOrder = []string{"allow", "redact", "block"}

// looser says that a value allows more than another.
func (k Known) looser(a, b string) bool {
	return k.order != nil && slices.Index(k.order, a) < slices.Index(k.order, b)
}

// Keys returns the table of all keys there are.
func Keys() []Known { return slices.Clone(table) }

func find(key string) (Known, error) {
	if i := slices.IndexFunc(table, func(k Known) bool { return k.Key == key }); i >= 0 {
		return table[i], nil
	}
	return Known{}, fmt.Errorf("unknown setting %s%s", printable(key), suggestion(key))
}

// insteadOf says what to do with a secret that was to be kept in a file.
func insteadOf(k Known) string {
	return fmt.Sprintf("set %s instead: keys do not belong in files that are copied", k.Env)
}

func oneOf(words ...string) func(string) error {
	return func(s string) error {
		if slices.Contains(words, s) {
			return nil
		}
		last := len(words) - 1
		return fmt.Errorf("%.100q, want %s or %s", s, strings.Join(words[:last], ", "), words[last])
	}
}

func between(least, most int) func(string) error {
	return func(s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || strconv.Itoa(n) != s || n < least || n > most {
			return fmt.Errorf("%.100q, want a whole number from %d to %d", s, least, most)
		}
		return nil
	}
}

func orEmpty(check func(string) error) func(string) error {
	return func(s string) error {
		if s == "" {
			return nil
		}
		return check(s)
	}
}

func zeroOr(check func(string) error) func(string) error {
	return func(s string) error {
		if s == "0" {
			return nil
		}
		if err := check(s); err != nil {
			return fmt.Errorf("%w, or 0", err)
		}
		return nil
	}
}

func lasting(least, most time.Duration) func(string) error {
	return func(s string) error {
		if d, err := time.ParseDuration(s); err != nil || d < least || d > most {
			return fmt.Errorf("%.100q, want a duration from %v to %v, such as 3s or 500ms", s, least, most)
		}
		return nil
	}
}

// address never repeats what it refuses: there may be a password in it.
func address(s string) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return errors.New("want an address that begins with http:// or https:// and names a host")
	case u.User != nil:
		return errors.New("there is a user or password in the address: give the key as a key")
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(s, "#"):
		return errors.New("there is a ? or # in the address")
	}
	return name(s)
}

// spaces accepts names of spaces separated by commas; team and mine look like names.
func spaces(s string) error {
	for _, one := range strings.Split(s, ",") {
		one = strings.TrimSpace(one)
		if one == "" || strings.ContainsFunc(one, func(r rune) bool {
			return r > '~' || r != '*' && !strings.ContainsRune("._-:/", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			return fmt.Errorf("%.100q, want team, mine or names of spaces separated by commas", s)
		}
	}
	return name(s)
}

func name(s string) error {
	const most = 4096
	if len(s) > most {
		return fmt.Errorf("%d bytes, want at most %d", len(s), most)
	}
	if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return errors.New("there are control characters in it, or it is not UTF-8")
	}
	return nil
}

// token never repeats what it refuses.
func token(s string) error {
	if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("a key cannot contain spaces or these characters")
	}
	return nil
}
