// Many items for a measurement: submitted as clients do it, or copied in the database.
import { randomBytes } from 'node:crypto'
import { submittedClaims } from '../../server/domain/ledger/claims.ts'
import { draftItem } from '../../server/domain/ledger/item.ts'
import { submitItems } from '../../server/domain/ledger/submit_items.ts'
import { ulidFrom } from '../../server/kernel/identifiers.ts'
import type { Ground } from './ground.ts'

/** What a busy minute brings. */
export const ITEMS = 180_000
const GROUP = 2_000

/** Submits as many items as the measured block has. */
export async function submitMany({ store, signer, userId, teamId }: Ground): Promise<void> {
  for (let done = 0; done < ITEMS; done += GROUP) {
    const drafts = Array.from({ length: GROUP }, (_, index) =>
      draftItem({
        claims: submittedClaims({
          name: `file ${done + index}`,
          hash: randomBytes(32).toString('hex'),
          hash_type: 'sha256',
        }),
        creatorId: userId,
        teamId,
      }),
    )
    await submitItems({ em: store.em(), signer }, drafts)
  }
}

/** Items in one moment, as a busy service has them. */
const A_MOMENT = 30

/** Copies of one item under new ids, as many as the block has: submitting them would take longer than all that is measured. */
export async function insertMany({ store, signer, userId, teamId, bare }: Ground): Promise<void> {
  const claims = submittedClaims({ name: 'a file', hash: 'ab'.repeat(32), hash_type: 'sha256' })
  await submitItems({ em: store.em(), signer }, [draftItem({ claims, creatorId: userId, teamId })])
  const beganMs = Date.now() - 60_000
  for (let done = 1; done < ITEMS; done += GROUP) {
    const ids = Array.from({ length: Math.min(GROUP, ITEMS - done) }, (_, at) =>
      ulidFrom(beganMs + Math.floor((done + at) / A_MOMENT), randomBytes(10)),
    )
    await bare(
      `WITH made AS (
         INSERT INTO items (id, team_id, creator_id, claims, claims_hash, hash, metadata, metadata_hash, item_hash,
                            signing_key_id, signature, display_name, inserted_at, updated_at)
         SELECT new.id, team_id, creator_id, claims, sha256(new.id::bytea), encode(sha256(new.id::bytea), 'hex'), metadata,
                metadata_hash, sha256(new.id::bytea), signing_key_id, signature, 'file ' || new.id, inserted_at, updated_at
           FROM (SELECT * FROM items LIMIT 1) AS one CROSS JOIN unnest($1::text[]) AS new (id)
         RETURNING id)
       INSERT INTO waiting_moments (moment, items) SELECT left(id, 10), count(*) FROM made GROUP BY 1`,
      [ids],
    )
  }
}
