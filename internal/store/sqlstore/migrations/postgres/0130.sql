-- What a person approved is found without a look at all states. The fold is JSON without blanks, in which a quotation
-- mark in a text is escaped.
CREATE INDEX state_decided ON state (key) WHERE fold LIKE '%"review":"approved"%';
