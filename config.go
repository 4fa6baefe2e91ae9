package stemma

import (
	"crypto/x509"
	"io"
	"time"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
	"github.com/stemma-memory/stemma/llm"
	"github.com/stemma-memory/stemma/memory"
)

// Config says how an Engine behaves. The zero value works: keys next to the store, or in memory
// with it; the space "main"; the voice of an agent; no model, and no network.
type Config struct {
	Origin   memory.Origin // the channel; "" is agent. Owner signs with the owner's key
	Agent    string        // display name of the agent that writes
	Platform string        // where it runs
	Session  string        // the conversation that writes belong to

	Space      string // the space: a local name, a full space, or "*" to read all; "" is main
	ReadSpaces string // what is read where no space was named: "team", "mine" or names; "" is team
	ReadOnly   bool   // never write, not even usage

	Secrets string // what to do with secrets in what is written: redact, block or allow; "" is redact
	// Review is what a person is asked to decide: "default", "strict" or "project"; "" is default.
	Review string

	Keys   KeyConfig
	Models ModelConfig
	Code   CodeConfig
	Files  FileConfig

	SecondStore string        // a second store read together with the first; none if it is not there
	Patience    time.Duration // how long SQLite waits for others that write; 0 is ten seconds

	// Purged receives the words that were purged, wherever the purge came from, so that the
	// program can drop its own copies.
	Purged func(words []string) error

	Now  func() time.Time // the clock; several goroutines ask it at once; nil is time.Now
	Zone *time.Location   // of the days that readings name; nil is UTC
	Rand io.Reader        // source of nonces and keys; read by several goroutines; nil is crypto/rand
}

// KeyConfig says where keys are, and how those are reached that are in no plain file.
type KeyConfig struct {
	Dir     string // the person's keys, made on first use; "" is "keys" beside the store
	Session string // the name of a session in Dir whose key speaks for the agent

	Unlock        func(path string) ([]byte, error) // the passphrase of a locked key; nil for no prompt
	NewPassphrase func() ([]byte, error)            // for a key that follows a locked one
	Recovery      func() (string, error)            // the phrase that a rotation is signed with; nil is the old key
	AgentSocket   string                            // of an ssh-agent that signs for the owner

	// Store returns the passphrase of an encrypted store, whose file is at path; nil opens none.
	Store func(path string) ([]byte, error)

	TimestampRoots *x509.CertPool // authorities trusted for timestamps; nil is the system's
}

// ModelConfig names the models that the program brings.
type ModelConfig struct {
	Embedder   llm.Embedder  // makes vectors; nil is none, and words alone are searched
	LLM        llm.Generator // drafts and compares; nil is none, and rules do
	Bounds     llm.Bounds    // around LLM; its tokens are counted in the store
	Seed       int64         // of questions to LLM, so that a run can be repeated; 0 is none
	Candidates int           // memories that a new one is compared with; 0 is 5, at most 10
}

// CodeConfig says where the code is that memories name.
type CodeConfig struct {
	Dir  string // where the user stands: code refs are read from its repository; "" is nowhere
	Root string // the root of refs where Dir is in no repository; "" is Dir
}

// FileConfig names files beside the store. All may be absent.
type FileConfig struct {
	Data         string // the person's data directory, for notes of what was verified; "" keeps them in memory
	Cache        string // directory for what can be computed again; "" keeps it in memory
	Receipts     string // file in which answers to agents are noted, of all of the person's stores; "" notes none
	ReceiptBytes int64  // how large it grows; 0 is 8 MiB
	Remotes      string // the file with the person's remotes; "" has none
}

// A Caller is somebody on whose behalf a program asks: through which channel, and
// what else follows from who it is.
type Caller struct {
	Origin   memory.Origin // "" is agent
	Agent    string        // display name of the agent that writes
	Platform string        // where it runs
	Session  string        // the conversation that writes belong to
	Space    string        // the space; "" is the engine's
}

// inner returns the configuration of the engine, with what opens its stores.
func (c Config) inner() engine.Config {
	return engine.Config{
		Origin: c.Origin, Agent: c.Agent, Platform: c.Platform, Session: c.Session,
		Space: c.Space, ReadSpaces: c.ReadSpaces, ReadOnly: c.ReadOnly,
		Secrets: c.Secrets, ReviewPolicy: c.Review,
		KeyDir: c.Keys.Dir, KeySession: c.Keys.Session, Unlock: c.Keys.Unlock, NewPassphrase: c.Keys.NewPassphrase,
		Recovery: c.Keys.Recovery, AgentSocket: c.Keys.AgentSocket, TimestampRoots: c.Keys.TimestampRoots,
		Embedder: c.Models.Embedder, LLM: c.Models.LLM, Bounds: c.Models.Bounds, Seed: c.Models.Seed,
		Candidates: c.Models.Candidates,
		Dir:        c.Code.Dir, Root: c.Code.Root,
		Data: c.Files.Data, Cache: c.Files.Cache, Receipts: c.Files.Receipts, Keep: c.Files.ReceiptBytes,
		Remotes:     c.Files.Remotes,
		SecondStore: c.SecondStore, Patience: c.Patience, Purged: c.Purged,
		Now: c.Now, Zone: c.Zone, Rand: c.Rand,
		Databases: sqlstore.Databases{Passphrases: c.Keys.passphrases()},
	}
}

// inner returns the caller as the engine knows it.
func (c Caller) inner() engine.Caller {
	return engine.Caller{Origin: c.Origin, Agent: c.Agent, Platform: c.Platform, Session: c.Session, Space: c.Space}
}

// passphrases returns those of encrypted stores as the engine asks for them.
func (c KeyConfig) passphrases() func(path string) ([][]byte, error) {
	if c.Store == nil {
		return nil
	}
	return func(path string) ([][]byte, error) {
		pass, err := c.Store(path)
		return [][]byte{pass}, err
	}
}
