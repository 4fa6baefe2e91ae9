-- The schema of version 0.1.0. Later versions add files; this one never changes.

-- The log. A key is the number of the space, then the place in its log, so
-- that the primary key is the log of every space, one after the other.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
-- last is the place of the newest record, indexed of the newest whose words are
-- in the index. came is when the newest record came, tree the right edge of the tree over
-- the ids of the log; NULL is to be made of the log.
CREATE TABLE spaces (
	no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
	last INTEGER NOT NULL, indexed INTEGER NOT NULL,
	came INTEGER NOT NULL DEFAULT 0, tree BLOB
);
CREATE TABLE authors (no INTEGER PRIMARY KEY, did TEXT NOT NULL UNIQUE);
-- The memories have numbers from 1 to 99, claims and keys from 101 to 199; kinds that the
-- program does not know get numbers from 1001.
CREATE TABLE kinds (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
-- last numbers the vectors of a model, dims is how many numbers a vector has; 0 until the first is kept.
CREATE TABLE models (
	no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, last INTEGER NOT NULL DEFAULT 0, dims INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE records (
	key     INTEGER PRIMARY KEY,
	id      BLOB    NOT NULL UNIQUE,
	kind    INTEGER NOT NULL,
	author  INTEGER NOT NULL,
	at      INTEGER NOT NULL, -- milliseconds since 1970
	session INTEGER, -- the first bytes of its SHA-256; none is NULL
	more    INTEGER NOT NULL, -- signatures in the table signatures
	came    INTEGER, -- when it came, by this store's clock, in milliseconds since 1970; it never goes back within a space
	sum     INTEGER   -- of its key and when it came, so that damage to it is seen
);
CREATE INDEX records_kind ON records (kind);
CREATE INDEX records_session ON records (session) WHERE session IS NOT NULL;

-- The signed bytes, and the author's signature of them. A purge deletes here.
CREATE TABLE payloads (key INTEGER PRIMARY KEY, bytes BLOB NOT NULL, sig BLOB);
CREATE TABLE signatures (
	key INTEGER NOT NULL, ord INTEGER NOT NULL, author INTEGER NOT NULL, sig BLOB NOT NULL,
	PRIMARY KEY (key, ord)
) WITHOUT ROWID;

-- Arrows between held records, and those to records that are not held.
CREATE TABLE edges (
	src INTEGER NOT NULL, ord INTEGER NOT NULL, rel INTEGER NOT NULL, dst INTEGER NOT NULL,
	PRIMARY KEY (src, ord)
) WITHOUT ROWID;
CREATE INDEX edges_dst ON edges (dst, src, ord, rel);
CREATE TABLE dangling (
	src INTEGER NOT NULL, ord INTEGER NOT NULL, rel INTEGER NOT NULL, dst BLOB NOT NULL,
	PRIMARY KEY (src, ord)
) WITHOUT ROWID;
CREATE INDEX dangling_dst ON dangling (dst, src, ord, rel);

-- The ids records had elsewhere, as SHA-256: they may be long.
CREATE TABLE aliases (
	space INTEGER NOT NULL, alias BLOB NOT NULL, key INTEGER NOT NULL,
	PRIMARY KEY (space, alias, key)
) WITHOUT ROWID;

-- What follows from a record and what is said of it, where that differs from
-- what a record starts with.
CREATE TABLE state (key INTEGER PRIMARY KEY, flags INTEGER NOT NULL, due INTEGER, fold TEXT);
CREATE INDEX state_due ON state (due) WHERE due IS NOT NULL;

-- The index of words is ours: segments of neighbouring records, each a head and
-- blocks of terms. It is made of the records.
CREATE TABLE segments (
	space INTEGER NOT NULL, no INTEGER NOT NULL, level INTEGER NOT NULL, version INTEGER NOT NULL,
	first INTEGER NOT NULL, last INTEGER NOT NULL, -- places in the log
	PRIMARY KEY (space, no)
) WITHOUT ROWID;
CREATE TABLE segment_parts (
	space INTEGER NOT NULL, no INTEGER NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL,
	PRIMARY KEY (space, no, part)
);

-- What is local and never synced.
CREATE TABLE usage (key INTEGER PRIMARY KEY, times INTEGER NOT NULL, last INTEGER NOT NULL, sum INTEGER);
-- Vectors are numbered in the order in which they came, so that a copy of them elsewhere
-- knows what it lacks.
CREATE TABLE vectors (
	model INTEGER NOT NULL, key INTEGER NOT NULL, ord INTEGER NOT NULL, vec BLOB NOT NULL, sum INTEGER,
	PRIMARY KEY (model, key)
);
CREATE INDEX vectors_ord ON vectors (model, ord);
CREATE TABLE cursors (name TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;

-- For people who look with SQL; nothing of ours reads it.
CREATE VIEW memory_provenance AS
SELECT
	k.name AS memory_type,
	lower(hex(r.id)) AS id,
	CASE j.via
		WHEN 'direct' THEN 'direct_experience' WHEN 'consolidate' THEN 'consolidation'
		WHEN 'told' THEN 'told_by_agent' WHEN 'import' THEN 'unknown' ELSE j.via
	END AS source_type,
	j.derived AS derived_from,
	(SELECT json_group_array(f.value) FROM json_each(j.derived) f WHERE f.value LIKE 'episode:%') AS source_episodes,
	j.at AS created_at
FROM records r
JOIN kinds k ON k.no = r.kind
JOIN (
	SELECT key,
		json_extract(CAST(bytes AS TEXT), '$.provenance.via') AS via,
		coalesce(json_extract(CAST(bytes AS TEXT), '$.provenance.from'), '[]') AS derived,
		json_extract(CAST(bytes AS TEXT), '$.at') AS at
	FROM payloads
) j ON j.key = r.key
LEFT JOIN state s ON s.key = r.key
WHERE r.kind BETWEEN 2 AND 99 AND coalesce(s.flags, 0) & 63 = 0;

-- Names the store, so that what was copied from another is not taken for a copy of this one.
INSERT INTO meta (name, value) VALUES ('store', lower(hex(randomblob(16))));

-- What logs were, and who holds word of it outside ('' is no one).
CREATE TABLE checkpoints (
	space TEXT NOT NULL, size INTEGER NOT NULL, root BLOB NOT NULL, by TEXT NOT NULL, note TEXT NOT NULL, at INTEGER NOT NULL,
	PRIMARY KEY (space, size, root, by)
);

-- What is signed does not change. Bytes and signatures go only where a mark says
-- that they were purged.
CREATE TRIGGER records_kept BEFORE UPDATE ON records BEGIN SELECT RAISE(ABORT, 'what is signed does not change'); END;
CREATE TRIGGER records_stay BEFORE DELETE ON records BEGIN SELECT RAISE(ABORT, 'the log loses no record'); END;
CREATE TRIGGER records_new BEFORE INSERT ON records WHEN EXISTS (SELECT 1 FROM records WHERE key = NEW.key OR id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'what is signed does not change'); END;
CREATE TRIGGER payloads_kept BEFORE UPDATE ON payloads BEGIN SELECT RAISE(ABORT, 'what is signed does not change'); END;
CREATE TRIGGER payloads_stay BEFORE DELETE ON payloads WHEN NOT EXISTS (
	SELECT 1 FROM edges e JOIN records c ON c.key = e.src JOIN payloads p ON p.key = e.src
	WHERE e.dst = OLD.key AND e.rel = 3 AND c.kind = 106 AND json_extract(CAST(p.bytes AS TEXT), '$.body.verb') = 'purge')
BEGIN SELECT RAISE(ABORT, 'no mark says that this record was purged'); END;
CREATE TRIGGER payloads_new BEFORE INSERT ON payloads WHEN EXISTS (SELECT 1 FROM payloads WHERE key = NEW.key)
BEGIN SELECT RAISE(ABORT, 'what is signed does not change'); END;
CREATE TRIGGER signatures_kept BEFORE UPDATE ON signatures BEGIN SELECT RAISE(ABORT, 'what is signed does not change'); END;
CREATE TRIGGER signatures_stay BEFORE DELETE ON signatures WHEN EXISTS (SELECT 1 FROM payloads WHERE key = OLD.key)
BEGIN SELECT RAISE(ABORT, 'signatures stay with what they sign'); END;
CREATE TRIGGER signatures_new BEFORE INSERT ON signatures WHEN EXISTS (SELECT 1 FROM signatures WHERE key = NEW.key AND ord = NEW.ord)
BEGIN SELECT RAISE(ABORT, 'what is signed does not change'); END;

-- Work that was left for later, and counters of a day. Both are local. Times are in
-- milliseconds since 1970; 0 is none.
CREATE TABLE jobs (
	key TEXT PRIMARY KEY, task TEXT NOT NULL, space TEXT NOT NULL, body BLOB, made INTEGER NOT NULL, due INTEGER NOT NULL,
	tries INTEGER NOT NULL DEFAULT 0, holder TEXT NOT NULL DEFAULT '', until INTEGER NOT NULL DEFAULT 0,
	ended INTEGER NOT NULL DEFAULT 0, gave INTEGER NOT NULL DEFAULT 0, note TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE INDEX jobs_open ON jobs (ended, made, key);

CREATE TABLE counts (day TEXT NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (day, name)) WITHOUT ROWID;

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

-- What a space or an account may bring and begin: records, bytes, spaces, and how many letters
-- and how many of their bytes may wait. 0 is what the hub gives everybody, below 0 is no bound.
-- And what each account brought into each space.
CREATE TABLE hub_quotas (
	of TEXT PRIMARY KEY, records INTEGER NOT NULL, bytes INTEGER NOT NULL, spaces INTEGER NOT NULL DEFAULT 0,
	letters INTEGER NOT NULL DEFAULT 0, letter_bytes INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
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

-- What is asked by account is asked with each request.
CREATE INDEX hub_members_account ON hub_members (account, space);
CREATE INDEX hub_brought_account ON hub_brought (account, space);
CREATE INDEX hub_letters_sender ON hub_letters (sender, expires);
