-- The ledger: records, their append-only versions, and what a sync remembers of files.
-- Instants are BIGINT microseconds UTC. No key constraints: one writer at a time holds the file,
-- the adapter draws the numbers, and every ART index is one more thing a replayed log can damage.

CREATE TABLE meta (
    key VARCHAR NOT NULL,
    value VARCHAR NOT NULL
);

CREATE TABLE record (
    record_id BIGINT NOT NULL,
    partition VARCHAR NOT NULL,
    kind VARCHAR NOT NULL CHECK (kind IN ('engram', 'research', 'evidence', 'knowledge', 'feature', 'task', 'memory', 'changelog', 'note')),
    name VARCHAR NOT NULL
);

CREATE TABLE version (
    record_id BIGINT NOT NULL,
    partition VARCHAR NOT NULL,
    seq BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    operation VARCHAR NOT NULL CHECK (operation IN ('remember', 'update', 'forget', 'revive', 'supersede', 'sync', 'import', 'review', 'redact')),
    actor VARCHAR NOT NULL,
    reason VARCHAR,
    content_hash VARCHAR NOT NULL,
    origin_known BOOLEAN NOT NULL,
    chain VARCHAR NOT NULL,
    text_id BIGINT NOT NULL,
    flags SMALLINT NOT NULL,
    summary VARCHAR,
    title VARCHAR,
    body VARCHAR,
    area VARCHAR,
    tags VARCHAR[],
    source_refs VARCHAR[],
    aliases VARCHAR[],
    owner VARCHAR,
    affect VARCHAR,
    affect_reason VARCHAR,
    confidence VARCHAR,
    stability_days DOUBLE,
    pinned BOOLEAN,
    memory_type VARCHAR,
    encoding_context STRUCT(area VARCHAR, co_topics VARCHAR[], source_refs VARCHAR[], affect VARCHAR, time_of_day VARCHAR, created_at BIGINT),
    valid_from BIGINT,
    valid_to BIGINT,
    superseded_by VARCHAR,
    revivals STRUCT(valid_to BIGINT, revived_at BIGINT, superseded_by VARCHAR, revived_by VARCHAR)[],
    claims STRUCT(predicate VARCHAR, object VARCHAR, subject VARCHAR, polarity VARCHAR, many BOOLEAN, valid_from BIGINT, valid_to BIGINT)[],
    homophonic_links STRUCT(target_name VARCHAR, resonance_score DOUBLE, basis VARCHAR)[],
    findings STRUCT("text" VARCHAR, rating VARCHAR, source_refs VARCHAR[])[],
    rating VARCHAR,
    supports VARCHAR[],
    refutes VARCHAR[],
    path VARCHAR,
    status VARCHAR,
    priority VARCHAR,
    doc_type VARCHAR,
    dated BIGINT,
    links VARCHAR[],
    supersedes VARCHAR,
    extra JSON
);

CREATE TABLE source_file (
    partition VARCHAR NOT NULL,
    path VARCHAR NOT NULL,
    size BIGINT NOT NULL,
    mtime_ns BIGINT NOT NULL,
    digest VARCHAR NOT NULL
);

-- Where a document's text lies now: it follows the file and is no part of what was believed.
CREATE TABLE location (
    record_id BIGINT NOT NULL,
    partition VARCHAR NOT NULL,
    path VARCHAR NOT NULL,
    line BIGINT
);

CREATE TABLE problem (
    partition VARCHAR NOT NULL,
    path VARCHAR NOT NULL,
    line BIGINT,
    field VARCHAR,
    value VARCHAR,
    reason VARCHAR NOT NULL
);
