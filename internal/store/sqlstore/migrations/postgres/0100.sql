-- The schema of version 0.1.0. Later versions add files; this one never changes.

-- The log. A key is the number of the space, then the place in its log, so
-- that the primary key is the log of every space, one after the other.
-- last is the place of the newest record, indexed of the newest whose words are
-- in the index. came is when the newest record came, tree the right edge of the tree over
-- the ids of the log; NULL is to be made of the log.
CREATE TABLE spaces (
	no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
	last BIGINT NOT NULL, indexed BIGINT NOT NULL,
	came BIGINT NOT NULL DEFAULT 0, tree BYTEA
);
CREATE TABLE authors (no INTEGER PRIMARY KEY, did TEXT NOT NULL UNIQUE);
-- The memories have numbers from 1 to 99, claims and keys from 101 to 199; kinds that the
-- program does not know get numbers from 1001.
CREATE TABLE kinds (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
-- last numbers the vectors of a model, dims is how many numbers a vector has; 0 until the first is kept.
CREATE TABLE models (
	no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, last BIGINT NOT NULL DEFAULT 0, dims INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE records (
	key     BIGINT  PRIMARY KEY,
	id      BYTEA   NOT NULL UNIQUE,
	kind    INTEGER NOT NULL,
	author  INTEGER NOT NULL,
	at      BIGINT  NOT NULL, -- milliseconds since 1970
	session BIGINT,  -- the first bytes of its SHA-256; none is NULL
	more    INTEGER NOT NULL, -- signatures in the table signatures
	came    BIGINT, -- when it came, by this store's clock, in milliseconds since 1970; it never goes back within a space
	sum     BIGINT   -- of its key and when it came, so that damage to it is seen
);
CREATE INDEX records_kind ON records (kind, key);
CREATE INDEX records_session ON records (session, key) WHERE session IS NOT NULL;

-- The signed bytes, and the author's signature of them. A purge deletes here.
CREATE TABLE payloads (key BIGINT PRIMARY KEY, bytes BYTEA NOT NULL, sig BYTEA);
CREATE TABLE signatures (
	key BIGINT NOT NULL, ord INTEGER NOT NULL, author INTEGER NOT NULL, sig BYTEA NOT NULL,
	PRIMARY KEY (key, ord)
);

-- Arrows between held records, and those to records that are not held.
CREATE TABLE edges (
	src BIGINT NOT NULL, ord INTEGER NOT NULL, rel INTEGER NOT NULL, dst BIGINT NOT NULL,
	PRIMARY KEY (src, ord)
);
CREATE INDEX edges_dst ON edges (dst, src, ord, rel);
CREATE TABLE dangling (
	src BIGINT NOT NULL, ord INTEGER NOT NULL, rel INTEGER NOT NULL, dst BYTEA NOT NULL,
	PRIMARY KEY (src, ord)
);
CREATE INDEX dangling_dst ON dangling (dst, src, ord, rel);

-- The ids records had elsewhere, as SHA-256: they may be long.
CREATE TABLE aliases (
	space INTEGER NOT NULL, alias BYTEA NOT NULL, key BIGINT NOT NULL,
	PRIMARY KEY (space, alias, key)
);

-- What follows from a record and what is said of it, where that differs from
-- what a record starts with.
CREATE TABLE state (key BIGINT PRIMARY KEY, flags INTEGER NOT NULL, due BIGINT, fold TEXT);
CREATE INDEX state_due ON state (due) WHERE due IS NOT NULL;

-- The index of words is ours: segments of neighbouring records, each a head and
-- blocks of terms. It is made of the records.
CREATE TABLE segments (
	space INTEGER NOT NULL, no BIGINT NOT NULL, level INTEGER NOT NULL, version INTEGER NOT NULL,
	first BIGINT NOT NULL, last BIGINT NOT NULL, -- places in the log
	PRIMARY KEY (space, no)
);
CREATE TABLE segment_parts (
	space INTEGER NOT NULL, no BIGINT NOT NULL, part INTEGER NOT NULL, bytes BYTEA NOT NULL,
	PRIMARY KEY (space, no, part)
);

-- What is local and never synced.
CREATE TABLE usage (key BIGINT PRIMARY KEY, times BIGINT NOT NULL, last BIGINT NOT NULL, sum BIGINT);
-- Vectors are numbered in the order in which they came, so that a copy of them elsewhere
-- knows what it lacks.
CREATE TABLE vectors (
	model INTEGER NOT NULL, key BIGINT NOT NULL, ord BIGINT NOT NULL, vec BYTEA NOT NULL, sum BIGINT,
	PRIMARY KEY (model, key)
);
CREATE INDEX vectors_ord ON vectors (model, ord);
CREATE TABLE cursors (name TEXT PRIMARY KEY, seq BIGINT NOT NULL);

-- For people who look with SQL; nothing of ours reads it.
CREATE VIEW memory_provenance AS
SELECT
	k.name AS memory_type,
	encode(r.id, 'hex') AS id,
	CASE j.doc #>> '{provenance,via}'
		WHEN 'direct' THEN 'direct_experience' WHEN 'consolidate' THEN 'consolidation'
		WHEN 'told' THEN 'told_by_agent' WHEN 'import' THEN 'unknown' ELSE j.doc #>> '{provenance,via}'
	END AS source_type,
	coalesce(j.doc #> '{provenance,from}', '[]') AS derived_from,
	(SELECT coalesce(jsonb_agg(f), '[]') FROM jsonb_array_elements(coalesce(j.doc #> '{provenance,from}', '[]')) f
		WHERE f #>> '{}' LIKE 'episode:%') AS source_episodes,
	j.doc ->> 'at' AS created_at
FROM records r
JOIN kinds k ON k.no = r.kind
JOIN (SELECT key, convert_from(bytes, 'UTF8')::jsonb AS doc FROM payloads) j ON j.key = r.key
LEFT JOIN state s ON s.key = r.key
WHERE r.kind BETWEEN 2 AND 99 AND coalesce(s.flags, 0) & 63 = 0;

-- Names the store, so that what was copied from another is not taken for a copy of this one.
INSERT INTO meta (name, value) VALUES ('store', replace(gen_random_uuid()::text, '-', ''));

-- What logs were, and who holds word of it outside ('' is no one).
CREATE TABLE checkpoints (
	space TEXT NOT NULL, size BIGINT NOT NULL, root BYTEA NOT NULL, by TEXT NOT NULL, note TEXT NOT NULL, at BIGINT NOT NULL,
	PRIMARY KEY (space, size, root, by)
);

-- What is signed does not change. Bytes and signatures go only where a mark says
-- that they were purged. Privileges bind who is given this schema; the triggers
-- bind its owner too.
REVOKE UPDATE, DELETE, TRUNCATE ON records FROM PUBLIC;
REVOKE UPDATE, TRUNCATE ON payloads, signatures FROM PUBLIC;
REVOKE UPDATE, DELETE, TRUNCATE ON records FROM CURRENT_USER;
REVOKE UPDATE, TRUNCATE ON payloads, signatures FROM CURRENT_USER;
CREATE FUNCTION stemma_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'what is signed does not change'; END $$;
CREATE FUNCTION stemma_purged() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	IF NOT EXISTS (SELECT 1 FROM edges e JOIN records c ON c.key = e.src JOIN payloads p ON p.key = e.src
		WHERE e.dst = OLD.key AND e.rel = 3 AND c.kind = 106 AND convert_from(p.bytes, 'UTF8')::jsonb #>> '{body,verb}' = 'purge') THEN
		RAISE EXCEPTION 'no mark says that this record was purged';
	END IF;
	RETURN OLD;
END $$;
CREATE FUNCTION stemma_signed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	IF EXISTS (SELECT 1 FROM payloads WHERE key = OLD.key) THEN
		RAISE EXCEPTION 'signatures stay with what they sign';
	END IF;
	RETURN OLD;
END $$;
CREATE TRIGGER kept BEFORE UPDATE OR DELETE ON records FOR EACH ROW EXECUTE FUNCTION stemma_kept();
CREATE TRIGGER whole BEFORE TRUNCATE ON records FOR EACH STATEMENT EXECUTE FUNCTION stemma_kept();
CREATE TRIGGER kept BEFORE UPDATE ON payloads FOR EACH ROW EXECUTE FUNCTION stemma_kept();
CREATE TRIGGER whole BEFORE TRUNCATE ON payloads FOR EACH STATEMENT EXECUTE FUNCTION stemma_kept();
CREATE TRIGGER stays BEFORE DELETE ON payloads FOR EACH ROW EXECUTE FUNCTION stemma_purged();
CREATE TRIGGER kept BEFORE UPDATE ON signatures FOR EACH ROW EXECUTE FUNCTION stemma_kept();
CREATE TRIGGER whole BEFORE TRUNCATE ON signatures FOR EACH STATEMENT EXECUTE FUNCTION stemma_kept();
CREATE TRIGGER stays BEFORE DELETE ON signatures FOR EACH ROW EXECUTE FUNCTION stemma_signed();

-- Work that was left for later, and counters of a day. Both are local. Times are in
-- milliseconds since 1970; 0 is none.
CREATE TABLE jobs (
	key TEXT PRIMARY KEY, task TEXT NOT NULL, space TEXT NOT NULL, body BYTEA, made BIGINT NOT NULL, due BIGINT NOT NULL,
	tries BIGINT NOT NULL DEFAULT 0, holder TEXT NOT NULL DEFAULT '', until BIGINT NOT NULL DEFAULT 0,
	ended BIGINT NOT NULL DEFAULT 0, gave INTEGER NOT NULL DEFAULT 0, note TEXT NOT NULL DEFAULT ''
);
CREATE INDEX jobs_open ON jobs (ended, made, key);

CREATE TABLE counts (day TEXT NOT NULL, name TEXT NOT NULL, n BIGINT NOT NULL, PRIMARY KEY (day, name));

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

-- What a space or an account may bring and begin: records, bytes, spaces, and how many letters
-- and how many of their bytes may wait. 0 is what the hub gives everybody, below 0 is no bound.
-- And what each account brought into each space.
CREATE TABLE hub_quotas (
	of TEXT PRIMARY KEY, records BIGINT NOT NULL, bytes BIGINT NOT NULL, spaces BIGINT NOT NULL DEFAULT 0,
	letters BIGINT NOT NULL DEFAULT 0, letter_bytes BIGINT NOT NULL DEFAULT 0
);
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

-- What is asked by account is asked with each request.
CREATE INDEX hub_members_account ON hub_members (account, space);
CREATE INDEX hub_brought_account ON hub_brought (account, space);
CREATE INDEX hub_letters_sender ON hub_letters (sender, expires);
