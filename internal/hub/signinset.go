package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/hub/signin"
	"github.com/stemma-memory/stemma/internal/store"
)

// signInSetting names the settings of the OpenID provider.
const signInSetting = "sign-in"

// SignInOf returns the settings of a hub's OpenID provider; no issuer is that people do not sign in.
func SignInOf(ctx context.Context, h store.Hub) (out signin.Settings, err error) {
	raw, err := h.Setting(ctx, signInSetting)
	if err == nil && len(raw) > 0 {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		err = fmt.Errorf("read the settings of the OpenID provider: %w", err)
	}
	return out, err
}

// SetSignIn keeps the settings of a hub's OpenID provider; nil removes them.
func SetSignIn(ctx context.Context, h store.Hub, set *signin.Settings) error {
	if set == nil {
		return h.SetSetting(ctx, signInSetting, nil)
	}
	raw, err := json.Marshal(set)
	if err != nil {
		return err
	}
	return h.SetSetting(ctx, signInSetting, raw)
}

// signIn is what a server keeps of its OpenID provider.
type signIn struct {
	verifier signin.Verifier

	mu   sync.Mutex
	set  signin.Settings
	read time.Time
}

// settingsLast is how long a running hub relies on the settings that it read.
const settingsLast = 30 * time.Second

func (i *signIn) settings(ctx context.Context, h store.Hub, now time.Time) (signin.Settings, error) {
	i.mu.Lock()
	set, age := i.set, now.Sub(i.read)
	i.mu.Unlock()
	if age >= 0 && age < settingsLast {
		return set, nil
	}
	set, err := SignInOf(ctx, h)
	if err == nil {
		i.mu.Lock()
		i.set, i.read = set, now
		i.mu.Unlock()
	}
	return set, err
}
