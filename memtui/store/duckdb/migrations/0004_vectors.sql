-- Vectors are kept by what was embedded and by which model, so that texts share them and an edit only needs what is
-- new. One table per width: the width is part of a column's type.

CREATE TABLE embedded_text (
    number BIGINT NOT NULL,
    text_id BIGINT NOT NULL,
    model_id VARCHAR NOT NULL,
    chunker VARCHAR NOT NULL,
    chunks VARCHAR[] NOT NULL
);

CREATE TABLE vector_384 (chunk VARCHAR NOT NULL, model_id VARCHAR NOT NULL, vector FLOAT[384] NOT NULL);
CREATE TABLE vector_512 (chunk VARCHAR NOT NULL, model_id VARCHAR NOT NULL, vector FLOAT[512] NOT NULL);
CREATE TABLE vector_768 (chunk VARCHAR NOT NULL, model_id VARCHAR NOT NULL, vector FLOAT[768] NOT NULL);
CREATE TABLE vector_1024 (chunk VARCHAR NOT NULL, model_id VARCHAR NOT NULL, vector FLOAT[1024] NOT NULL);
CREATE TABLE vector_1536 (chunk VARCHAR NOT NULL, model_id VARCHAR NOT NULL, vector FLOAT[1536] NOT NULL);
CREATE TABLE vector_3072 (chunk VARCHAR NOT NULL, model_id VARCHAR NOT NULL, vector FLOAT[3072] NOT NULL);
