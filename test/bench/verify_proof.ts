// Reads and verifies one item's bundle offline, compared with a bare check of its one signature.
import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto'
import { submittedClaims } from '../../server/domain/ledger/claims.ts'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { draftItem } from '../../server/domain/ledger/item.ts'
import { submitItems } from '../../server/domain/ledger/submit_items.ts'
import { introducedKeys, ownKeyring } from '../../server/domain/proofs/keyrings.ts'
import { verifySignature } from '../../server/domain/proofs/verify_proof.ts'
import { readBundleJson } from '../../shared/proof/bundle/read_bundle.ts'
import { verifyBundle } from '../../shared/proof/verify/verify_bundle.ts'
import { commitBlocks } from '../domain/proofs/seed_commitment.ts'
import { row } from '../support/rows.ts'
import { type Measure, medianMs } from './measurement.ts'
import { proofText } from './proof_text.ts'

/** Gives a path of seventeen steps. */
const ITEMS = 2 ** 17
const GROUP = 2_048
const RUNS = 1_000
const WARM_UP = 300
const AIM_MS = 2

export const verifyOneProof: Measure = async (ground, say) => {
  const { store, signer, publicLog, userId: creatorId, teamId } = ground
  say(`  submitting ${ITEMS} items`)
  for (let done = 0; done < ITEMS; done += GROUP) {
    const drafts = Array.from({ length: GROUP }, (_, at) => {
      const hash = createHash('sha256')
        .update(String(done + at))
        .digest('hex')
      return draftItem({
        claims: submittedClaims({ name: 'a file', hash, hash_type: 'sha256' }),
        creatorId,
        teamId,
      })
    })
    await submitItems({ em: store.em(), signer }, drafts)
  }
  await finalizeBlock({ em: store.em('ledger'), signer, publicLog }, { intervalMs: 1 })
  await commitBlocks({ em: store.em() })
  const { id } = await row<{ id: string }>(store.em(), 'SELECT id FROM items ORDER BY id LIMIT 1')
  const text = await proofText(ground, id)
  const keyrings = [ownKeyring(await introducedKeys(store.em()))]

  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const digest = Buffer.alloc(32, 1)
  const signature = sign(null, digest, privateKey)
  const bare = await medianMs(RUNS, () => verify(null, digest, publicKey, signature))
  const judge = async () => {
    const { passed } = await verifyBundle(readBundleJson(text), { keyrings, verifySignature })
    if (!passed) throw new Error('The bundle did not pass.')
  }
  for (let warm = 0; warm < WARM_UP; warm += 1) await judge()
  const ours = await medianMs(RUNS, judge)
  return {
    what: `verify an item's bundle of ${Buffer.byteLength(text)} bytes offline, reading included`,
    baseline: `${bare.toFixed(3)} ms, one bare signature check`,
    ours: `${ours.toFixed(2)} ms median of ${RUNS}`,
    ratio: ours / bare,
    aim: `<= ${AIM_MS} ms median`,
    met: ours <= AIM_MS,
  }
}
