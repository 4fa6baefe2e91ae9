-- Who shares this store, where it is a hub: those it knows, what each may do where,
-- and what opens it to them. Of secrets the SHA-256 alone is kept. Times are in
-- milliseconds since 1970; 0 is none.
CREATE TABLE hub_accounts (did TEXT PRIMARY KEY, name TEXT NOT NULL, made BIGINT NOT NULL, ended BIGINT NOT NULL);
CREATE TABLE hub_members (
	space TEXT NOT NULL, account TEXT NOT NULL, role TEXT NOT NULL, made BIGINT NOT NULL, PRIMARY KEY (space, account)
);
CREATE TABLE hub_tokens (
	secret BYTEA PRIMARY KEY, id TEXT NOT NULL, account TEXT NOT NULL, audience TEXT NOT NULL, label TEXT NOT NULL,
	made BIGINT NOT NULL, expires BIGINT NOT NULL, revoked BIGINT NOT NULL
);
CREATE TABLE hub_invitations (
	secret BYTEA PRIMARY KEY, id TEXT NOT NULL, space TEXT NOT NULL, role TEXT NOT NULL, by TEXT NOT NULL,
	made BIGINT NOT NULL, expires BIGINT NOT NULL, used TEXT NOT NULL
);

-- What a space or an account may bring, and what each account brought into each space.
CREATE TABLE hub_quotas (of TEXT PRIMARY KEY, records BIGINT NOT NULL, bytes BIGINT NOT NULL);
CREATE TABLE hub_brought (
	space TEXT NOT NULL, account TEXT NOT NULL, records BIGINT NOT NULL, bytes BIGINT NOT NULL, PRIMARY KEY (space, account)
);

-- Requests to be a witness and their answers, on their way.
CREATE TABLE hub_letters (
	receiver TEXT NOT NULL, id TEXT NOT NULL, sender TEXT NOT NULL, re TEXT NOT NULL, body BYTEA NOT NULL,
	made BIGINT NOT NULL, expires BIGINT NOT NULL, PRIMARY KEY (receiver, id)
);

-- Spaces whose key records belong to what was written in a space.
CREATE TABLE hub_keys (space TEXT NOT NULL, keys TEXT NOT NULL, PRIMARY KEY (space, keys));
