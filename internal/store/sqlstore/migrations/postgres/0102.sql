-- A hub's spaces lie in shards, each a schema with all of these tables; this one is the first, and has the directory.
-- home is whether a space is written here: of one that is not, its key records alone are copied here for readers.
ALTER TABLE spaces ADD COLUMN home BOOLEAN NOT NULL DEFAULT true;

-- The shards, and in which one an account's spaces lie. moves counts how often accounts came or went; the shard itself
-- says so too, in meta, so that a directory that is older than its shards is seen.
CREATE TABLE hub_shards (no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, moves BIGINT NOT NULL);
CREATE TABLE hub_places (owner TEXT PRIMARY KEY, shard INTEGER NOT NULL);

-- Spaces whose new key records may not be copied yet where they are needed, by who copies them.
CREATE TABLE hub_copying (space TEXT NOT NULL, id TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (space, id));
