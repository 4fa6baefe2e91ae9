-- What an account may begin and send besides: how many spaces, and how many letters
-- and how many of their bytes may wait. 0 is what the hub gives everybody, below 0 is no bound.
ALTER TABLE hub_quotas ADD COLUMN spaces INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hub_quotas ADD COLUMN letters INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hub_quotas ADD COLUMN letter_bytes INTEGER NOT NULL DEFAULT 0;

-- What is asked by account is asked with each request.
CREATE INDEX hub_members_account ON hub_members (account, space);
CREATE INDEX hub_brought_account ON hub_brought (account, space);
CREATE INDEX hub_letters_sender ON hub_letters (sender, expires);
