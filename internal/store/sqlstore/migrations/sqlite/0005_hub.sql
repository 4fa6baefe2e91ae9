-- Who shares this store, where it is a hub: those it knows, what each may do where,
-- and what opens it to them. Of secrets the SHA-256 alone is kept. Times are in
-- milliseconds since 1970; 0 is none.
CREATE TABLE hub_accounts (did TEXT PRIMARY KEY, name TEXT NOT NULL, made INTEGER NOT NULL, ended INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE hub_members (
	space TEXT NOT NULL, account TEXT NOT NULL, role TEXT NOT NULL, made INTEGER NOT NULL, PRIMARY KEY (space, account)
) WITHOUT ROWID;
CREATE TABLE hub_tokens (
	secret BLOB PRIMARY KEY, id TEXT NOT NULL, account TEXT NOT NULL, audience TEXT NOT NULL, label TEXT NOT NULL,
	made INTEGER NOT NULL, expires INTEGER NOT NULL, revoked INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE hub_invitations (
	secret BLOB PRIMARY KEY, id TEXT NOT NULL, space TEXT NOT NULL, role TEXT NOT NULL, by TEXT NOT NULL,
	made INTEGER NOT NULL, expires INTEGER NOT NULL, used TEXT NOT NULL
) WITHOUT ROWID;

-- What a space or an account may bring, and what each account brought into each space.
CREATE TABLE hub_quotas (of TEXT PRIMARY KEY, records INTEGER NOT NULL, bytes INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE hub_brought (
	space TEXT NOT NULL, account TEXT NOT NULL, records INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (space, account)
) WITHOUT ROWID;

-- Requests to be a witness and their answers, on their way.
CREATE TABLE hub_letters (
	receiver TEXT NOT NULL, id TEXT NOT NULL, sender TEXT NOT NULL, re TEXT NOT NULL, body BLOB NOT NULL,
	made INTEGER NOT NULL, expires INTEGER NOT NULL, PRIMARY KEY (receiver, id)
) WITHOUT ROWID;

-- Spaces whose key records belong to what was written in a space.
CREATE TABLE hub_keys (space TEXT NOT NULL, keys TEXT NOT NULL, PRIMARY KEY (space, keys)) WITHOUT ROWID;
