-- What lies in an archive, by its folder or by a tag, counts as finished; a drawing counts for less than its document.
UPDATE version SET flags = flags | 2 WHERE (flags & 2) = 0 AND (
    regexp_matches(lower(coalesce(path, '')), '(^|/)(archive|archives|archived)/')
    OR len(list_filter(coalesce(tags, []), tag -> regexp_matches(lower(tag), '(^|[:/])(archive|archives|archived)$'))) > 0
);
UPDATE version SET flags = flags | 256 FROM record AS r
    WHERE r.record_id = version.record_id AND r.kind NOT IN ('engram', 'research', 'evidence')
    AND lower(coalesce(path, '')) LIKE '%.excalidraw.md';
