-- A token is bound to a key, and renewed until it ends for good: its rows share an id. When and from where it was last
-- used, to the minute. Tokens of earlier releases have no key.
ALTER TABLE hub_tokens ADD COLUMN key TEXT NOT NULL DEFAULT '';
ALTER TABLE hub_tokens ADD COLUMN ends BIGINT NOT NULL DEFAULT 0;
ALTER TABLE hub_tokens ADD COLUMN used BIGINT NOT NULL DEFAULT 0;
ALTER TABLE hub_tokens ADD COLUMN address TEXT NOT NULL DEFAULT '';

-- A service account has the account that made it, and an end. Who signed in at an OpenID provider has the issuer and
-- the subject, and the address that the provider told.
ALTER TABLE hub_accounts ADD COLUMN maker TEXT NOT NULL DEFAULT '';
ALTER TABLE hub_accounts ADD COLUMN expires BIGINT NOT NULL DEFAULT 0;
ALTER TABLE hub_accounts ADD COLUMN subject TEXT NOT NULL DEFAULT '';
ALTER TABLE hub_accounts ADD COLUMN email TEXT NOT NULL DEFAULT '';
