package keys

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// ErrAgent says that an ssh-agent is needed to sign and did not.
var ErrAgent = errors.New("no signature from an ssh-agent")

const (
	// OpenSSH's agent hangs up on a message above 256 KiB; the key and the frame of
	// the message are in that.
	maxAgentMessage = 256<<10 - 1<<10

	agentAnswers = 10 * time.Second // that it is there, and what it holds
	agentSigns   = 2 * time.Minute  // a person may have to confirm, or touch a token
)

// sshAgent signs with a key of which only the public half is here.
type sshAgent struct {
	socket string // "" is none
	file   string // where the private half would be
	public publicKey
}

func (d *keyDir) agentKey(name string, o Options) (*Key, error) {
	next := name + nextSuffix + pubSuffix
	if d.has(next) && !d.has(name+nextSuffix) {
		// The .pub file may still be the old key's.
		return nil, fmt.Errorf("%s is missing, and a rotation was not finished: if the key of %s is the present one, mv "+
			"%s %s",
			d.path(name), d.path(next), quote(d.path(next)), quote(d.path(name+pubSuffix)))
	}
	did, err := d.readPublic(name + pubSuffix)
	if err != nil {
		return nil, err
	}
	public, err := parseDID(did)
	if err != nil {
		return nil, err
	}
	a := &sshAgent{socket: o.AgentSocket, file: d.path(name), public: public}
	return &Key{did: did, sign: a.sign, place: InAgent}, nil
}

// sign believes nothing the agent says: what it gives is a signature of this key over
// this message, or an error.
func (a *sshAgent) sign(message []byte) ([]byte, error) {
	sig, err := a.ask(message)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAgent, err)
	}
	return sig, nil
}

func (a *sshAgent) ask(message []byte) ([]byte, error) {
	if a.socket == "" {
		return nil, fmt.Errorf(
			"%s is not there, and no agent is named: set SSH_AUTH_SOCK, or restore the file from a backup",
			a.file,
		)
	}
	if len(message) > maxAgentMessage {
		return nil, fmt.Errorf(
			"it signs at most %d bytes, not %d: sign with the key in a file", maxAgentMessage, len(message),
		)
	}
	conn, err := net.DialTimeout("unix", a.socket, agentAnswers)
	if err != nil {
		return nil, fmt.Errorf("it does not answer, start it: %w", err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(agentAnswers)); err != nil {
		return nil, err
	}
	public, err := ssh.NewPublicKey(ed25519.PublicKey(a.public[:]))
	if err != nil {
		return nil, err
	}
	client := agent.NewClient(conn)
	held, err := client.List()
	if err != nil {
		return nil, fmt.Errorf("it does not list its keys: %w", err)
	}
	blob := public.Marshal()
	if !slices.ContainsFunc(held, func(k *agent.Key) bool { return bytes.Equal(k.Blob, blob) }) {
		return nil, fmt.Errorf(
			"it does not hold %s: ssh-add it, or unlock the agent with ssh-add -X",
			ssh.FingerprintSHA256(public),
		)
	}
	if err := conn.SetDeadline(time.Now().Add(agentSigns)); err != nil {
		return nil, err
	}
	sig, err := client.Sign(public, message)
	if err != nil {
		return nil, fmt.Errorf("it refuses to sign with %s: %w", ssh.FingerprintSHA256(public), err)
	}
	if sig.Format != sshType || len(sig.Rest) > 0 || !verify(a.public, message, sig.Blob) {
		return nil, fmt.Errorf("its signature is not one of %s: %w", ssh.FingerprintSHA256(public), ErrBadSignature)
	}
	return sig.Blob, nil
}
