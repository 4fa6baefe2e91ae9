-- When a record came, by this store's clock, in milliseconds since 1970; NULL is
-- before that was kept. It never goes back within a space.
ALTER TABLE records ADD COLUMN came BIGINT;
ALTER TABLE spaces ADD COLUMN came BIGINT NOT NULL DEFAULT 0;

-- The right edge of the tree over the ids of a log; NULL is to be made of the log.
ALTER TABLE spaces ADD COLUMN tree BYTEA;

-- What logs were, and who holds word of it outside ('' is nobody).
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
		WHERE e.dst = OLD.key AND e.rel = 3 AND c.kind = 15 AND convert_from(p.bytes, 'UTF8')::jsonb #>> '{body,verb}' = 'purge') THEN
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
