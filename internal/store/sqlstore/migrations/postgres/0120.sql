-- When a space was archived at a hub, in milliseconds: it is read only since. 0 is that it is not.
ALTER TABLE hub_quotas ADD COLUMN archived BIGINT NOT NULL DEFAULT 0;
