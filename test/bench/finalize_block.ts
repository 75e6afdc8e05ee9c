// A block of 180,000 items, compared with hashing as many leaves in a bare loop and copying the same rows
// once.

import { createHash, randomBytes } from 'node:crypto'
import { submittedClaims } from '../../server/domain/ledger/claims.ts'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { draftItem } from '../../server/domain/ledger/item_draft.ts'
import { submitItems } from '../../server/domain/ledger/submit_items.ts'
import type { Ground } from './ground.ts'
import { type Measure, timed } from './measurement.ts'

const ITEMS = 180_000
const GROUP = 2_000
const AIM_RATIO = 3
const AIM_MIB = 512

export const finalizeLargeBlock: Measure = async (ground, say) => {
  const { store, signer, bare } = ground
  say(`  submitting ${ITEMS} items`)
  await submitMany(ground)
  await bare('VACUUM ANALYZE items')
  await bare('CHECKPOINT')

  say('  baseline: hashing and one COPY')
  const hashing = await timed(hashInBareLoop)
  const copying = await copySameRows(ground)
  say('  ours: finalizing')
  const watch = watchMemory()
  const ours = await timed(() => finalizeBlock({ em: store.em('ledger'), signer }, { intervalMs: 1 }))
  const mib = watch.stop()
  if (ours.value.outcome !== 'finalized' || ours.value.leaves !== ITEMS)
    throw new Error(`The block was not made: ${JSON.stringify(ours.value)}`)
  const baseline = hashing.ms + copying
  const ratio = ours.ms / baseline
  return {
    what: `finalize a block of ${ITEMS} items`,
    baseline: `${Math.round(baseline)} ms (hash ${Math.round(hashing.ms)}, copy ${Math.round(copying)})`,
    ours: `${Math.round(ours.ms)} ms, ${mib} MiB resident at most`,
    ratio,
    aim: `<= ${AIM_RATIO} x, <= ${AIM_MIB} MiB`,
    met: ratio <= AIM_RATIO && mib <= AIM_MIB,
  }
}

function hashInBareLoop(): void {
  const leaf = randomBytes(32)
  for (let index = 0; index < ITEMS; index += 1) createHash('sha256').update('\0').update(leaf).digest()
}

/** Copies into a table of the same shape with the same indexes: the database's own cost for these rows. */
async function copySameRows({ bare: run }: Ground): Promise<number> {
  await run('CREATE TABLE items_copy (LIKE items INCLUDING ALL)')
  await run(`COPY items TO PROGRAM 'cat > items.copy'`)
  const { ms } = await timed(() => run(`COPY items_copy FROM PROGRAM 'cat items.copy; rm items.copy'`))
  await run('DROP TABLE items_copy')
  await run('CHECKPOINT')
  return ms
}

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

function watchMemory(): { stop: () => number } {
  let most = 0
  const look = () => {
    most = Math.max(most, process.memoryUsage().rss)
  }
  const timer = setInterval(look, 20)
  return {
    stop: () => {
      look()
      clearInterval(timer)
      return Math.round(most / 1_048_576)
    },
  }
}
