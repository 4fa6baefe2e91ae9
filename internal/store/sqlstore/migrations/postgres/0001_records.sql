-- The log. A key is the number of the space, then the place in its log, so
-- that the primary key is the log of every space, one after the other.
-- last is the place of the newest record, indexed of the newest whose words are
-- in the index.
CREATE TABLE spaces (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, last BIGINT NOT NULL, indexed BIGINT NOT NULL);
CREATE TABLE authors (no INTEGER PRIMARY KEY, did TEXT NOT NULL UNIQUE);
CREATE TABLE kinds (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE models (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

INSERT INTO kinds (no, name) VALUES
	(1, 'raw'), (2, 'episode'), (3, 'note'), (4, 'belief'), (5, 'value'), (6, 'goal'), (7, 'drive'),
	(8, 'relationship'), (9, 'playbook'), (10, 'link'), (11, 'witness'), (12, 'anchor'), (13, 'verify'),
	(14, 'assess'), (15, 'mark'), (16, 'key');

CREATE TABLE records (
	key     BIGINT  PRIMARY KEY,
	id      BYTEA   NOT NULL UNIQUE,
	kind    INTEGER NOT NULL,
	author  INTEGER NOT NULL,
	at      BIGINT  NOT NULL, -- milliseconds since 1970
	session BIGINT,  -- the first bytes of its SHA-256; none is NULL
	more    INTEGER NOT NULL  -- signatures in the table signatures
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

-- The terms of a record, made by us.
CREATE TABLE words (key BIGINT PRIMARY KEY, tsv TSVECTOR NOT NULL);
CREATE INDEX words_tsv ON words USING gin (tsv);

-- What is local and never synced.
CREATE TABLE usage (key BIGINT PRIMARY KEY, times BIGINT NOT NULL, last BIGINT NOT NULL);
CREATE TABLE vectors (
	model INTEGER NOT NULL, key BIGINT NOT NULL, vec BYTEA NOT NULL,
	PRIMARY KEY (model, key)
);
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
WHERE r.kind BETWEEN 2 AND 9 AND coalesce(s.flags, 0) & 63 = 0;
