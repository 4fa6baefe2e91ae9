-- Sums of what is made of nothing that is held, so that damage to it is seen; NULL is
-- before they were kept, and says nothing. That of a record is of its key and when it came.
ALTER TABLE records ADD COLUMN sum BIGINT;
ALTER TABLE vectors ADD COLUMN sum BIGINT;
ALTER TABLE usage ADD COLUMN sum BIGINT;
UPDATE usage SET sum = (last % 2147483629 + times % 2147483629 * 1000003 + key % 2147483629 * 998244353) % 2147483629;
