-- Recall events have a log of their own: being recalled says nothing about what was believed.
-- The recalled record is named, not numbered: it may lie in another store than the reader's ledger is replayed into.

CREATE TABLE recall (
    reader VARCHAR NOT NULL,
    seq BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    partition VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    cue VARCHAR NOT NULL,
    actor VARCHAR NOT NULL
);

-- That a version names its successor is told without reading the version.
UPDATE version SET flags = flags | 128 WHERE superseded_by <> '';

-- What a file was before memtui itself wrote it, so that a writing that was cut short can be told and finished.
ALTER TABLE source_file ADD COLUMN replaces VARCHAR;
ALTER TABLE source_file ADD COLUMN replaces_size BIGINT;
ALTER TABLE source_file ADD COLUMN replaces_mtime_ns BIGINT;

-- Versions that say something new (text, claims, a revival) start a memory's fading anew.
UPDATE version SET flags = flags | 64 FROM (
    SELECT partition AS p, seq AS s FROM (
        SELECT partition, seq, len(coalesce(revivals, [])) AS revived,
            {'a': title, 'b': summary, 'c': body, 'd': claims} AS said,
            lag({'a': title, 'b': summary, 'c': body, 'd': claims}) OVER steps AS said_before,
            lag(len(coalesce(revivals, []))) OVER steps AS revived_before,
            row_number() OVER steps AS step
        FROM version WINDOW steps AS (PARTITION BY record_id ORDER BY seq)
    ) WHERE step = 1 OR revived > revived_before OR said IS DISTINCT FROM said_before
) WHERE partition = p AND seq = s;

-- But a file that was only renamed says nothing new: what it goes on from is named in its first version's reason.
UPDATE version SET flags = flags - 64 FROM (
    SELECT n.partition AS p, n.seq AS s
    FROM version n
    JOIN record r ON r.partition = n.partition AND n.reason = 'renamed from ' || r.kind || '/' || r.name
    JOIN version o ON o.record_id = r.record_id AND o.seq < n.seq
    WHERE n.operation = 'sync'
    QUALIFY row_number() OVER (PARTITION BY n.partition, n.seq ORDER BY o.seq DESC) = 1
        AND {'a': n.title, 'b': n.summary, 'c': n.body, 'd': n.claims}
            IS NOT DISTINCT FROM {'a': o.title, 'b': o.summary, 'c': o.body, 'd': o.claims}
        AND len(coalesce(n.revivals, [])) <= len(coalesce(o.revivals, []))
) WHERE partition = p AND seq = s;
