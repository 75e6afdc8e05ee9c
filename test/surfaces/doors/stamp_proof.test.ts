// What upgrades a receipt: there once a public chain has confirmed its block, made anew when another one has or the log
// can prove it, and kept by caches for as long as it is right.
import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createSigner } from '../../../server/domain/ledger/signing_key.ts'
import { logKeyInUse } from '../../../server/domain/log/log_rows.ts'
import { introducedKeys, ownKeyring } from '../../../server/domain/proofs/keyrings.ts'
import { addressRanges } from '../../../server/kernel/addresses.ts'
import { createLog } from '../../../server/kernel/log.ts'
import { inTransaction } from '../../../server/store/statement.ts'
import { openRoundProofs } from '../../../server/surfaces/doors/round_proofs.ts'
import { readEvidenceFile } from '../../../shared/evidence/evidence.ts'
import { verifyEvidence } from '../../../shared/evidence/verify_evidence.ts'
import { writeVerifierKey } from '../../../shared/log/verifier_key.ts'
import { isJsonObject, type JsonObject } from '../../../shared/proof/json_value.ts'
import type { ChainName } from '../../../shared/proof/public_chains.ts'
import { readStrictJson } from '../../../shared/proof/strict_json.ts'
import { BITCOIN, commitBlocks, STELLAR, takeBack } from '../../domain/proofs/seed_commitment.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { ask, eventually } from '../../support/http.ts'
import { change } from '../../support/rows.ts'
import { makeTemporaryFolder } from '../../support/temporary_folder.ts'
import { testApp } from '../../support/test_app.ts'
import { nonce, QUERY_TYPE, queryOf, readReply, readToken, TRUE } from '../../support/time_stamps/query.ts'
import { openWitness, type TestWitness } from '../../support/witness.ts'

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

/** What caches are told of a proof that lacks nothing, and of one that does. */
const [WHOLE, AWAITED] = ['public, max-age=86400', 'public, max-age=300']

async function expectValid(evidence: string, digest: Uint8Array): Promise<void> {
  const keyrings = [ownKeyring(await introducedKeys(app.store.em()))]
  const { verdict, rows } = await verifyEvidence(readEvidenceFile(evidence), { keyrings }, digest)
  expect(rows.filter(({ status }) => status === 'fail')).toEqual([])
  expect(verdict).toBe('valid')
}

/** The serial number of a new token, and its SHA-256. */
async function stampToken(): Promise<{ serial: string; digest: Buffer }> {
  const query = queryOf({ digest: createHash('sha256').update('a file').digest(), rest: [nonce('05'), TRUE] })
  const { bytes } = await ask(app.port, '/tsa', { body: query, headers: { 'Content-Type': QUERY_TYPE } })
  const token = readReply(bytes).token ?? expect.fail('no token')
  return { serial: readToken(token).serial.toString(16), digest: createHash('sha256').update(token).digest() }
}

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
    const answer = await proofOf(root)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'cache-control': WHOLE,
    })
    await expectValid(JSON.stringify({ ...receipt, ...objectOf(answer.text) }), digest)
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

describe('the log', () => {
  let folder: string
  let witness: TestWitness
  /** Where anybody may read the log, which shows what its witness has cosigned. */
  let open: TestApp
  beforeAll(async () => {
    folder = await makeTemporaryFolder('pharos-test-')
    const key = (await logKeyInUse(app.store.em()))?.verifier ?? expect.fail('no key')
    witness = await openWitness({ logKey: () => key })
    const witnessPolicy = join(folder, 'policy')
    await writeFile(witnessPolicy, `log ${writeVerifierKey(key)}\n${witness.policyLine('A')}quorum A\n`)
    const webhooks = { allow: addressRanges('127.0.0.0/8') }
    open = await openTestApp({ beside: app, logIsPublic: true, witnessPolicy, webhooks })
  })
  afterAll(async () => {
    await open?.close()
    await witness?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('has a proof in the evidence where it is public, once its witnesses have cosigned the block, and nowhere else', async () => {
    witness.behave((response) => response.writeHead(503).end())
    const { receipt, root, digest } = await stampOne('in the log')
    const token = await stampToken()
    await app.finalize()
    await commitBlocks({ em: app.store.em() })
    /** Of each door: whether the log's proof is in what it hands out, and how long caches keep that. */
    const told = async ({ port }: TestApp) => {
      const proof = await ask(port, `/stamp/${root}`)
      const evidence = await ask(port, `/tsa/evidence/${token.serial}`)
      await expectValid(JSON.stringify({ ...receipt, ...objectOf(proof.text) }), digest)
      await expectValid(evidence.text, token.digest)
      return [proof, evidence].map(({ text, headers }) => [
        'log_proof' in objectOf(text),
        headers['cache-control'],
      ])
    }
    const atBoth = <T>(of: T): T[] => [of, of]
    expect(await told(app)).toEqual(atBoth([false, WHOLE]))
    expect(await told(open)).toEqual(atBoth([false, AWAITED]))
    witness.behave(undefined)
    await app.finalize()
    // It is asked a moment after the block is made.
    const proven = await eventually(async () => {
      const now = await told(open)
      return now.every(([isProven]) => isProven === true) ? now : undefined
    })
    expect(proven).toEqual(atBoth([true, WHOLE]))
    expect(await told(app)).toEqual(atBoth([false, WHOLE]))
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
      connections: 4,
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

  it('is whole without a chain that passes its block over, and without a log that is not public; not while the log is behind', async () => {
    const { root } = await stampOne('passed over')
    await app.finalize()
    const em = app.store.em()
    await commitBlocks({ em }, BITCOIN)
    await app.finalize()
    await commitBlocks({ em }, STELLAR)
    const undone = new Error('undone')
    const looking = inTransaction(em, async (tx) => {
      for (const made of BEGUN_AT_THE_HEAD) await change(tx, made)
      for (const [logProof, isWhole] of [
        [undefined, true],
        [async () => undefined, false],
      ] as const) {
        const proof = await proofs(['bitcoin', 'stellar'], { em: () => tx, logProof }).of(root, HERE)
        expect([proof.isWhole, 'log_proof' in objectOf(proof.text)]).toEqual([isWhole, false])
      }
      throw undone
    })
    await expect(looking).rejects.toBe(undone)
  })

  it('takes a quarter of the connections however many ask, and the next one in turn', async () => {
    let begun = 0
    const counting = proofs(['bitcoin'], {
      connections: 8,
      em: () => {
        begun += 1
        return app.store.em()
      },
    })
    const asked = Array.from({ length: 6 }, (_, nth) => counting.of(`${nth}e`.repeat(32), HERE))
    expect(begun).toBe(2)
    for (const answer of await Promise.allSettled(asked))
      expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } })
    expect(begun).toBe(6)
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
