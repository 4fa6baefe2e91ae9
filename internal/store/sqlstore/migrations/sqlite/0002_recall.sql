-- The index of words is ours: segments of neighbouring records, each a head and
-- blocks of terms. It is made anew of the records.
DROP TABLE words;
CREATE TABLE segments (
	space INTEGER NOT NULL, no INTEGER NOT NULL, level INTEGER NOT NULL, version INTEGER NOT NULL,
	first INTEGER NOT NULL, last INTEGER NOT NULL, -- places in the log
	PRIMARY KEY (space, no)
) WITHOUT ROWID;
CREATE TABLE segment_parts (
	space INTEGER NOT NULL, no INTEGER NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL,
	PRIMARY KEY (space, no, part)
);
UPDATE spaces SET indexed = 0;

-- Vectors are numbered in the order in which they came, so that a copy of them
-- elsewhere knows what it lacks. There were none before.
DROP TABLE vectors;
ALTER TABLE models ADD COLUMN last INTEGER NOT NULL DEFAULT 0;
ALTER TABLE models ADD COLUMN dims INTEGER NOT NULL DEFAULT 0; -- numbers in a vector; 0 until the first is kept
CREATE TABLE vectors (
	model INTEGER NOT NULL, key INTEGER NOT NULL, ord INTEGER NOT NULL, vec BLOB NOT NULL,
	PRIMARY KEY (model, key)
);
CREATE INDEX vectors_ord ON vectors (model, ord);

-- Names the store, so that what was copied from another is not taken for a copy of this one.
INSERT INTO meta (name, value) VALUES ('store', lower(hex(randomblob(16))));
