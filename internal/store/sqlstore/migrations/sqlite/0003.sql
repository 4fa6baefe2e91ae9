-- When a record came, by this store's clock, in milliseconds since 1970; NULL is
-- before that was kept. It never goes back within a space.
ALTER TABLE records ADD COLUMN came INTEGER;
ALTER TABLE spaces ADD COLUMN came INTEGER NOT NULL DEFAULT 0;

-- The right edge of the tree over the ids of a log; NULL is to be made of the log.
ALTER TABLE spaces ADD COLUMN tree BLOB;

-- What logs were, and who holds word of it outside ('' is nobody).
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
	WHERE e.dst = OLD.key AND e.rel = 3 AND c.kind = 15 AND json_extract(CAST(p.bytes AS TEXT), '$.body.verb') = 'purge')
BEGIN SELECT RAISE(ABORT, 'no mark says that this record was purged'); END;
CREATE TRIGGER payloads_new BEFORE INSERT ON payloads WHEN EXISTS (SELECT 1 FROM payloads WHERE key = NEW.key)
BEGIN SELECT RAISE(ABORT, 'what is signed does not change'); END;
CREATE TRIGGER signatures_kept BEFORE UPDATE ON signatures BEGIN SELECT RAISE(ABORT, 'what is signed does not change'); END;
CREATE TRIGGER signatures_stay BEFORE DELETE ON signatures WHEN EXISTS (SELECT 1 FROM payloads WHERE key = OLD.key)
BEGIN SELECT RAISE(ABORT, 'signatures stay with what they sign'); END;
CREATE TRIGGER signatures_new BEFORE INSERT ON signatures WHEN EXISTS (SELECT 1 FROM signatures WHERE key = NEW.key AND ord = NEW.ord)
BEGIN SELECT RAISE(ABORT, 'what is signed does not change'); END;
