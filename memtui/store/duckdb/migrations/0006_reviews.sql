-- What people decided about proposals, as it was decided: a review is one confirmation, or the taking back of one.
-- Records are named, as in recalls; all of one review are of its own partition.

CREATE TABLE review (
    partition VARCHAR NOT NULL,
    seq BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    actor VARCHAR NOT NULL,
    undoes BIGINT
);

CREATE TABLE review_decision (
    partition VARCHAR NOT NULL,
    seq BIGINT NOT NULL,
    position BIGINT NOT NULL,
    proposal VARCHAR NOT NULL,
    kind VARCHAR NOT NULL CHECK (kind IN ('contradiction', 'merge', 'expiry', 'undecided')),
    about VARCHAR NOT NULL,
    verb VARCHAR NOT NULL CHECK (verb IN ('accept', 'reject', 'defer', 'many')),
    effect VARCHAR NOT NULL,
    at_survivor BOOLEAN NOT NULL,
    keep STRUCT(kind VARCHAR, "name" VARCHAR),
    members STRUCT(kind VARCHAR, "name" VARCHAR)[] NOT NULL,
    facts STRUCT("label" VARCHAR, "value" VARCHAR)[] NOT NULL,
    touched STRUCT(kind VARCHAR, "name" VARCHAR, seq BIGINT, "before" BIGINT)[] NOT NULL
);

-- That a version makes claims is told without reading it.
UPDATE version SET flags = flags | 512 WHERE len(coalesce(claims, [])) > 0;
