-- Work that was left for later, and counters of a day. Both are local. Times are in
-- milliseconds since 1970; 0 is none.
CREATE TABLE jobs (
	key TEXT PRIMARY KEY, task TEXT NOT NULL, space TEXT NOT NULL, body BLOB, made INTEGER NOT NULL, due INTEGER NOT NULL,
	tries INTEGER NOT NULL DEFAULT 0, holder TEXT NOT NULL DEFAULT '', until INTEGER NOT NULL DEFAULT 0,
	ended INTEGER NOT NULL DEFAULT 0, gave INTEGER NOT NULL DEFAULT 0, note TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE INDEX jobs_open ON jobs (ended, made, key);

CREATE TABLE counts (day TEXT NOT NULL, name TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (day, name)) WITHOUT ROWID;
