package cli

import (
	"path/filepath"
	"time"

	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/hosts"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/memory"
)

// conversations is where hooks note which conversations go on, and where.
func (a *app) conversations() (hosts.Conversations, error) {
	dir, err := a.dataDir()
	return hosts.Conversations{Dir: filepath.Join(dir, "conversations")}, err
}

// noteConversation notes what a hook knows about its conversation, and says whether it is new.
// What fails here costs no event: without a note more is marked as external, not less.
func (a *app) noteConversation(event *hosts.Event) (first bool) {
	c, err := a.conversations()
	if err == nil {
		if err = c.Join(event, a.env.Dir); err != nil {
			a.hookFailed([]string{event.Host, event.Name}, err)
		}
		first, err = c.Note(hosts.Conversation{Host: event.Host, Dir: a.env.Dir, Session: event.Session, Ended: event.Ends()})
	}
	if err != nil {
		a.hookFailed([]string{event.Host, event.Name}, err)
	}
	return first
}

// conversationOf returns the conversation's name by the host of an MCP client, "" if it gives
// none, and the names that its hooks give for this directory.
func (a *app) conversationOf(client string) (named string, also []string) {
	host := hosts.OfClient(client)
	c, err := a.conversations()
	if err != nil {
		return "", nil
	}
	here := func() []string { return c.In(host, a.env.Dir, time.Now()) }
	switch env := a.envSession(); {
	case env == "" && host == "":
		return "", nil
	case env == "":
		return "", here()
	case host != "" && host != hosts.ClaudeCode: // started from a shell of Claude Code
		return "", append(here(), env)
	case c.Ended(hosts.ClaudeCode, env): // the host went on to another, and its server lives
		return env, c.In(hosts.ClaudeCode, a.env.Dir, time.Now())
	default:
		return env, nil
	}
}

// envSession is the conversation that a host names in the environment.
func (a *app) envSession() string {
	return shorten.To(a.env.Getenv(hosts.EnvSession), memory.MaxNameBytes)
}

// inConversation says to an engine in which conversation an agent's command runs: the
// one that was named, that of the environment, or those that hooks noted for this
// directory.
func (a *app) inConversation(c *engine.Config) {
	c.Session, c.Claimed = a.sessionName(), a.flags.session != ""
	if c.Session != "" || c.Origin == memory.OriginOwner {
		return
	}
	if notes, err := a.conversations(); err == nil {
		c.Sessions = notes.In("", a.env.Dir, time.Now())
	}
}

// sessionName is the conversation that was named: by a flag or STEMMA_SESSION, or by the
// host in the environment of its agent's commands.
func (a *app) sessionName() string {
	if a.flags.session != "" || a.origin() == memory.OriginOwner {
		return a.flags.session
	}
	return a.envSession()
}
