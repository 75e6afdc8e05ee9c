// Many rows at once behind the service's back: valid to the database, quick to make, with values that collide on purpose.

type Run = (text: string, parameters: unknown[]) => Promise<unknown>

/**
 * Items of one team, `count` of them from number `from` on, or `only` those among them: ids ascend with the numbers,
 * every sortable field has equal neighbours, every nullable one has nulls.
 * Signatures and hashes are of the right length, no more: audit would refuse these rows.
 */
export const insertItems = (
  run: Run,
  {
    team,
    creator,
    from,
    count,
    only,
  }: { team: string; creator: string; from: number; count: number; only?: readonly number[] },
) => run(INSERT_ITEMS, [team, creator, from, count, only ?? null])

/** The id of the item with this number. */
export const itemId = (n: number): string => `01${String(n).padStart(24, '0')}`

const INSERT_ITEMS = `
  INSERT INTO items (id, team_id, creator_id, claims, claims_hash, hash, metadata, metadata_hash, item_hash,
                     signing_key_id, signature, state, visibility, tags, display_name, display_description,
                     block_id, leaf_index, committed_at, expires_at, inserted_at, updated_at)
  SELECT '01' || lpad(n::text, 24, '0'), $1, $2, CASE WHEN n % 7 = 0 THEN NULL ELSE '{}' END,
         sha256(convert_to((n / 3)::text, 'UTF8')), CASE WHEN n % 7 = 0 OR n % 3 = 0 THEN NULL ELSE 'f' || (n / 2) END,
         '{}', sha256(convert_to('m' || n, 'UTF8')), sha256(convert_to('i' || n, 'UTF8')),
         '\\x00000000', decode(repeat('00', 64), 'hex'),
         CASE WHEN n % 7 = 0 THEN 'redacted' WHEN n % 5 = 0 THEN 'created' ELSE 'committed' END,
         (ARRAY['private', 'team', 'public'])[1 + n % 3], ARRAY['t' || n % 4, 'even' || n % 2],
         CASE WHEN n % 7 = 0 OR n % 4 = 0 THEN NULL ELSE 'Name ' || (n / 5) END, NULL,
         CASE WHEN n % 5 = 0 THEN NULL ELSE '01900000-0000-7000-8000-' || lpad((n / 1000)::text, 12, '0') END,
         CASE WHEN n % 5 = 0 THEN NULL ELSE n END,
         CASE WHEN n % 5 = 0 THEN NULL ELSE '2026-01-01T00:00:00Z'::timestamptz + (n / 10) * interval '1 second' END,
         CASE WHEN n % 6 = 0 THEN '2036-01-01T00:00:00Z'::timestamptz + (n / 4) * interval '1 minute' END,
         '2026-01-01T00:00:00Z'::timestamptz + (n / 2) * interval '1 second',
         '2026-06-01T00:00:00Z'::timestamptz + (n / 3) * interval '1 second'
    FROM generate_series($3::int, $3::int + $4::int - 1) AS n
   WHERE $5::int[] IS NULL OR n = ANY($5::int[])
      ON CONFLICT DO NOTHING`
