// What upgrades a receipt: there once a public chain has confirmed its block, made anew when another one has, and kept
// by caches for as long as it is right.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createSigner } from '../../../server/domain/ledger/signing_key.ts'
import { introducedKeys, ownKeyring } from '../../../server/domain/proofs/keyrings.ts'
import { createLog } from '../../../server/kernel/log.ts'
import { inTransaction } from '../../../server/store/statement.ts'
import { openRoundProofs } from '../../../server/surfaces/doors/round_proofs.ts'
import { readEvidenceFile } from '../../../shared/evidence/evidence.ts'
import { verifyEvidence } from '../../../shared/evidence/verify_evidence.ts'
import { isJsonObject, type JsonObject } from '../../../shared/proof/json_value.ts'
import type { ChainName } from '../../../shared/proof/public_chains.ts'
import { readStrictJson } from '../../../shared/proof/strict_json.ts'
import { BITCOIN, commitBlocks, STELLAR, takeBack } from '../../domain/proofs/seed_commitment.ts'
import { openTestApp } from '../../support/app.ts'
import { ask, eventually } from '../../support/http.ts'
import { change } from '../../support/rows.ts'
import { testApp } from '../../support/test_app.ts'

const app = testApp({ aggregationIntervalMs: 100 })

const objectOf = (text: string): JsonObject => {
  const value = readStrictJson(text)
  if (!isJsonObject(value)) throw new Error('It is no object.')
  return value
}

const stamped = z.object({
  evidence: z.array(z.looseObject({ item: z.looseObject({ claims: z.looseObject({ hash: z.string() }) }) })),
})

/** The receipt of a new digest, and the root of its round. */
async function stampOne(text: string): Promise<{ receipt: JsonObject; root: string; digest: Buffer }> {
  const digest = createHash('sha256').update(text).digest()
  const answer = await ask(app.port, '/stamp', {
    body: JSON.stringify({ digests: [{ type: 'sha256', value: digest.toString('hex') }] }),
    headers: { 'Content-Type': 'application/json' },
  })
  const [first] = stamped.parse(answer.json()).evidence
  if (first === undefined) throw new Error('There is no receipt.')
  return { receipt: objectOf(JSON.stringify(first)), root: first.item.claims.hash, digest }
}

const proofOf = (root: string) => ask(app.port, `/stamp/${root}`)
const problemOf = (answer: { json: () => unknown }) =>
  z
    .object({ errors: z.array(z.looseObject({ code: z.string(), meta: z.looseObject({}) })) })
    .parse(answer.json()).errors[0]

beforeAll(() => app.finalize())

describe('GET /stamp/<root>', () => {
  it('is 404 with the reason and when to ask again, until a public chain has confirmed', async () => {
    const { receipt, root, digest } = await stampOne('a file')
    const early = await proofOf(root)
    expect([early.status, problemOf(early)?.meta.reason]).toEqual([404, 'subject_not_ready'])
    expect(Number(early.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    await app.finalize()
    const uncommitted = await proofOf(root)
    expect([uncommitted.status, problemOf(uncommitted)?.meta.reason]).toEqual([
      404,
      'no_external_commitments',
    ])
    expect(Number(uncommitted.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(uncommitted.headers['cache-control']).toBe('no-store')
    await commitBlocks({ em: app.store.em() })
    // The public log follows a moment later.
    const { proof, answer } = await eventually(async () => {
      const made = await proofOf(root)
      expect(made.status).toBe(200)
      const parts = objectOf(made.text)
      return 'log_proof' in parts ? { proof: parts, answer: made } : undefined
    })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=86400',
    })
    const keyrings = [ownKeyring(await introducedKeys(app.store.em()))]
    const evidence = readEvidenceFile(JSON.stringify({ ...receipt, ...proof }))
    const { verdict, rows } = await verifyEvidence(evidence, { keyrings }, digest)
    expect(rows.filter(({ status }) => status === 'fail')).toEqual([])
    expect(verdict).toBe('valid')
  })

  it('is 404 for what is no root of a round, without a time to ask again', async () => {
    for (const root of ['ab'.repeat(32), 'AB'.repeat(32), 'ab', '', `${'ab'.repeat(32)}/x`]) {
      const answer = await proofOf(root)
      expect([root, answer.status, answer.headers['retry-after']]).toEqual([root, 404, undefined])
    }
    const { root } = await stampOne('another')
    expect((await ask(app.port, `/stamp/${root}`, { method: 'POST', body: '{}' })).status).toBe(405)
    const { receipt: _, ...other } = await stampOne('and another')
    expect((await proofOf(other.root.toUpperCase())).status).toBe(404)
  })
})

/** As if Stellar had been named among the chains when the newest block was made. */
const BEGUN_AT_THE_HEAD = [
  `SET LOCAL session_replication_role = 'replica'`,
  `DELETE FROM epochs WHERE chain = 'stellar'
      AND sequence < (SELECT max(sequence) FROM epochs WHERE chain = 'stellar')`,
  `UPDATE epochs SET first_block_id = last_block_id, block_count = 1 WHERE chain = 'stellar'`,
]

/** Two addresses. The second one has spent its budget. */
const [HERE, THERE] = ['192.0.2.1', '192.0.2.2']

it('who asks for a proof takes a place among the requests under way', async () => {
  const other = await openTestApp({ beside: app, ceilings: { requests: 1 } })
  const asking = () => ask(other.port, `/stamp/${'ab'.repeat(32)}`)
  try {
    const { first } = await inTransaction(app.store.em(), async (tx) => {
      await change(tx, 'LOCK TABLE aggregation_rounds IN ACCESS EXCLUSIVE MODE')
      const held = asking()
      await eventually(async () => ((await app.query(WAITS)).length > 0 ? true : undefined))
      const refused = await asking()
      expect([refused.status, problemOf(refused)?.code]).toEqual([503, 'overloaded'])
      return { first: held }
    })
    expect((await first).status).toBe(404)
    expect((await asking()).status).toBe(404)
  } finally {
    await other.close()
  }
})

const WAITS = `SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
                WHERE l.relation = 'aggregation_rounds'::regclass AND NOT l.granted`

describe('the proof of a round', () => {
  const made = { charges: 0 }
  const proofs = (
    chains: readonly ChainName[],
    {
      allowed = true,
      ...others
    }: { allowed?: boolean } & Partial<Parameters<typeof openRoundProofs>[0]> = {},
  ) =>
    openRoundProofs({
      em: () => app.store.em(),
      signer: createSigner({ masterKey: app.masterKey }),
      slots: { blockMs: 60_000, chains: [] },
      log: createLog('silent'),
      chains,
      charge: (budget, subject) => {
        if (budget === 'round_proof_fleet') made.charges += 1
        else expect(budget).toBe('round_proof_address')
        const fits = budget === 'round_proof_fleet' ? allowed : subject !== THERE
        return {
          budget,
          allowed: fits,
          limit: 600,
          remaining: 0,
          retryAfterMs: fits ? 0 : 700,
        }
      },
      logProof: async (height) => `a proof of ${height}`,
      ...others,
    })

  it('is made once for all who ask, and again when another chain has confirmed', async () => {
    const { root } = await stampOne('on two chains')
    await app.finalize()
    await commitBlocks({ em: app.store.em() }, BITCOIN)
    const both = proofs(['bitcoin', 'stellar'])
    made.charges = 0
    const [first, same] = await Promise.all([both.of(root, HERE), both.of(root, HERE)])
    expect(first).toBe(same)
    expect(first.isWhole).toBe(false)
    expect((await both.of(root, HERE)).text).toBe(first.text)
    expect(made.charges).toBe(1)
    await commitBlocks({ em: app.store.em() }, STELLAR)
    const later = await both.of(root, HERE)
    expect(later.isWhole).toBe(true)
    expect(later.text).not.toBe(first.text)
    expect(made.charges).toBe(2)
    expect(await both.of(root, HERE)).toBe(later)
    expect(made.charges).toBe(2)
  })

  it('is compared with the chains after a minute, so what a reorganisation has taken back is served no longer', async () => {
    const { root } = await stampOne('taken back')
    await app.finalize()
    const em = app.store.em()
    await commitBlocks({ em }, BITCOIN)
    let at = 0
    const ours = proofs(['bitcoin'], { now: () => at })
    const before = await ours.of(root, HERE)
    expect(before.isWhole).toBe(true)
    const confirmAgain = await takeBack({ em })
    at = 59_999
    expect(await ours.of(root, HERE)).toBe(before)
    at = 60_000
    await expect(ours.of(root, HERE)).rejects.toMatchObject({ code: 'not_found' })
    await confirmAgain()
    const after = await ours.of(root, HERE)
    const headers = ({ bundle }: typeof after) => bundle.text.match(/"txoutproof":"[0-9a-f]+"/g)
    expect(headers(after)).not.toEqual(headers(before))
    at = 119_000
    made.charges = 0
    expect(await ours.of(root, HERE)).toBe(after)
    at = 120_000
    expect((await ours.of(root, HERE)).bundle).toBe(after.bundle)
    expect(made.charges).toBe(0)
  })

  it('is paid for by the address that it is made for, before all others pay', async () => {
    const { root } = await stampOne('for one address')
    await app.finalize()
    await commitBlocks({ em: app.store.em() }, BITCOIN)
    const both = proofs(['bitcoin'])
    made.charges = 0
    const [refused, served] = await Promise.allSettled([both.of(root, THERE), both.of(root, HERE)])
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'rate_limited' } })
    expect(served.status).toBe('fulfilled')
    expect(made.charges).toBe(1)
    // It is there now.
    expect((await both.of(root, THERE)).isWhole).toBe(true)
  })

  it('is whole without a chain that passes its block over, and without a log that cannot prove it', async () => {
    const { root } = await stampOne('passed over')
    await app.finalize()
    const em = app.store.em()
    await commitBlocks({ em }, BITCOIN)
    await app.finalize()
    await commitBlocks({ em }, STELLAR)
    const undone = new Error('undone')
    const looking = inTransaction(em, async (tx) => {
      for (const made of BEGUN_AT_THE_HEAD) await change(tx, made)
      const ours = proofs(['bitcoin', 'stellar'], { em: () => tx, logProof: async () => undefined })
      const { isWhole, text } = await ours.of(root, HERE)
      expect([isWhole, 'log_proof' in objectOf(text)]).toEqual([true, false])
      throw undone
    })
    await expect(looking).rejects.toBe(undone)
  })

  it('has a budget of its own, which nobody pays for what is not there', async () => {
    made.charges = 0
    const spent = proofs(['bitcoin'], { allowed: false })
    await expect(spent.of('cd'.repeat(32), HERE)).rejects.toMatchObject({ code: 'not_found' })
    const { root } = await stampOne('too late')
    await app.finalize()
    await expect(spent.of(root, HERE)).rejects.toMatchObject({ code: 'not_found' })
    expect(made.charges).toBe(0)
    await commitBlocks({ em: app.store.em() })
    await expect(spent.of(root, HERE)).rejects.toMatchObject({ code: 'rate_limited' })
  })
})
