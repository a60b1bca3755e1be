-- The inverted index over pre-analysed text: our analyser writes blank-separated tokens, so the
-- extension must neither fold, stem, stop nor split any further.

CREATE TABLE indexed_text (
    text_id BIGINT NOT NULL,
    record_id BIGINT NOT NULL,
    text_hash VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    description VARCHAR NOT NULL,
    tags VARCHAR NOT NULL,
    body VARCHAR NOT NULL,
    "identity" VARCHAR NOT NULL,
    plain DOUBLE NOT NULL,
    weighted DOUBLE NOT NULL
);

-- Names and aliases: they make a record a candidate and count for identity, never for score.
CREATE TABLE identity_term (
    text_id BIGINT NOT NULL,
    term VARCHAR NOT NULL
);

PRAGMA create_fts_index('indexed_text', 'text_id', 'title', 'description', 'tags', 'body', stemmer = 'none', stopwords = 'none', ignore = '(\s)+', lower = 0, strip_accents = 0);
