-- The log. A key is the number of the space, then the place in its log, so
-- that the primary key is the log of every space, one after the other.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
-- last is the place of the newest record, indexed of the newest whose words are
-- in the index.
CREATE TABLE spaces (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, last INTEGER NOT NULL, indexed INTEGER NOT NULL);
CREATE TABLE authors (no INTEGER PRIMARY KEY, did TEXT NOT NULL UNIQUE);
CREATE TABLE kinds (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE models (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

INSERT INTO kinds (no, name) VALUES
	(1, 'raw'), (2, 'episode'), (3, 'note'), (4, 'belief'), (5, 'value'), (6, 'goal'), (7, 'drive'),
	(8, 'relationship'), (9, 'playbook'), (10, 'link'), (11, 'witness'), (12, 'anchor'), (13, 'verify'),
	(14, 'assess'), (15, 'mark'), (16, 'key');

CREATE TABLE records (
	key     INTEGER PRIMARY KEY,
	id      BLOB    NOT NULL UNIQUE,
	kind    INTEGER NOT NULL,
	author  INTEGER NOT NULL,
	at      INTEGER NOT NULL, -- milliseconds since 1970
	session INTEGER, -- the first bytes of its SHA-256; none is NULL
	more    INTEGER NOT NULL  -- signatures in the table signatures
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

-- The terms of a record, made by us: the tokenizer only parts them at blanks.
CREATE VIRTUAL TABLE words USING fts5 (terms, content = '', contentless_delete = 1, tokenize = 'ascii');

-- What is local and never synced.
CREATE TABLE usage (key INTEGER PRIMARY KEY, times INTEGER NOT NULL, last INTEGER NOT NULL);
CREATE TABLE vectors (
	model INTEGER NOT NULL, key INTEGER NOT NULL, vec BLOB NOT NULL,
	UNIQUE (model, key)
);
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
WHERE r.kind BETWEEN 2 AND 9 AND coalesce(s.flags, 0) & 63 = 0;
