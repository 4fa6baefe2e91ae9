package cli

import (
	"errors"

	"github.com/stemma-memory/stemma/internal/atrest"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// passphrases returns those that may open an encrypted store.
type passphrases func(path string) ([][]byte, error)

// databases opens stores, and encrypted ones with the person's passphrase file.
func (a *app) databases() sqlstore.Databases { return sqlstore.Databases{Passphrases: a.passes} }

// keyOfStore returns the key of a store's file, nil for one that is not encrypted.
func (a *app) keyOfStore(path string) (*atrest.Key, error) {
	key, err := atrest.KeyOf(path)
	if _, is := errors.AsType[*atrest.LockedError](err); is {
		if err = sqlstore.Unlock(path, a.passes); err == nil {
			key, err = atrest.KeyOf(path)
		}
	}
	return key, err
}
