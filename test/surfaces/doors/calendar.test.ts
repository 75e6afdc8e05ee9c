// The OpenTimestamps calendar over HTTP, its bytes followed by a reader of the test's own.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { leaseBudgets } from '../../../server/domain/limits/lease_budgets.ts'
import { inTransaction } from '../../../server/store/statement.ts'
import { BITCOIN, commitBlocks, STELLAR } from '../../domain/proofs/seed_commitment.ts'
import { AMPLE, NO_CHAINS, openTestApp, type TestApp, type TestAppOptions } from '../../support/app.ts'
import { amidMinute } from '../../support/clock_minute.ts'
import { type Ask, ask, eventually } from '../../support/http.ts'
import { readTimestamp } from '../../support/ots_reader.ts'
import { change } from '../../support/rows.ts'
import { testApp } from '../../support/test_app.ts'

/** Nobody answers there: the tests commit blocks themselves. */
const BITCOIN_AWAY: TestAppOptions['chains'] = {
  ...NO_CHAINS,
  names: ['bitcoin'],
  bitcoin: { rpcUrl: 'http://u:p@127.0.0.1:1/wallet/w', confirmations: 1 },
}
const OPEN: TestAppOptions = { chains: BITCOIN_AWAY, aggregationIntervalMs: 100 }

const app = testApp(OPEN)
beforeAll(() => app.finalize())

/** Others reach it. */
const SHOWN: TestAppOptions = { publicDoors: ['calendar'], baseUrl: 'http://pharos.example.com' }

/** The network of Bitcoin that has answered last. */
const answeredBy = (network: string) =>
  app.query(
    `INSERT INTO epoch_series (chain, network, answered_at) VALUES ('bitcoin', $1, clock_timestamp())
         ON CONFLICT (chain, network) DO UPDATE SET answered_at = excluded.answered_at`,
    [network],
  )

const TYPE = 'application/vnd.opentimestamps.v1'
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()

const post = (body: Ask['body'], asked: Ask = {}) =>
  ask(app.port, '/calendar/digest', { method: 'POST', ...asked, ...(body === undefined ? {} : { body }) })

/** The root that the promise is about. */
async function stamped(digest: Buffer): Promise<Buffer> {
  const { status, bytes } = await post(digest)
  expect(status).toBe(200)
  const { pending, attestations } = readTimestamp(bytes, digest)
  expect(attestations).toEqual([])
  expect(pending).toEqual([{ address: `${app.base}/calendar/`, message: expect.any(Buffer) }])
  return pending[0]?.message ?? expect.fail('no promise')
}

const timestamp = (root: Buffer | string, { port }: { readonly port: number } = app) =>
  ask(port, `/calendar/timestamp/${typeof root === 'string' ? root : root.toString('hex')}`)

const WORDS = /^[A-Za-z0-9#\-.,; ]{1,160}$/

describe('POST /calendar/digest', () => {
  it('answers the path from the digest to the root of a round that is stored, and a promise at the address', async () => {
    const root = await stamped(digestOf('a file'))
    const found = await app.query<{ claims: string }>(
      `SELECT i.claims FROM aggregation_rounds r JOIN items i ON i.id = r.item_id WHERE r.root = $1`,
      [root],
    )
    const claims = z.looseObject({ hash: z.string(), metadata: z.looseObject({}) })
    expect(claims.parse(JSON.parse(found[0]?.claims ?? 'null'))).toMatchObject({
      hash: root.toString('hex'),
      hash_type: 'sha256',
      metadata: { tree: { format: 'pharos-tree-v1', size: 2 } },
    })
  })

  it('takes any 1 to 64 bytes as bytes, whatever type they are said to have, in one piece or many', async () => {
    const digests = [1, 20, 32, 64].map((length) => Buffer.alloc(length, 0x25))
    for (const type of [
      'application/x-www-form-urlencoded',
      'application/json',
      'text/plain; charset=utf-16',
    ])
      for (const parts of [1, 2]) {
        const answers = await Promise.all(
          digests.map((digest) =>
            post(parts === 1 ? digest : [digest.subarray(0, 1), digest.subarray(1)], {
              headers: { 'Content-Type': type },
            }),
          ),
        )
        for (const [at, { status, bytes, headers }] of answers.entries()) {
          expect(status).toBe(200)
          expect(headers).toMatchObject({
            'content-type': TYPE,
            'content-length': String(bytes.length),
            'cache-control': 'no-store',
            'access-control-allow-origin': '*',
          })
          expect(readTimestamp(bytes, digests[at] ?? Buffer.of()).pending).toHaveLength(1)
        }
      }
  })

  it('has room for digests that arrive together, each with a path of its own', async () => {
    const digests = Array.from({ length: 40 }, (_, nth) => digestOf(`together ${nth}`))
    const roots = await Promise.all(digests.map(stamped))
    expect(new Set(roots.map(String)).size).toBeLessThan(digests.length)
  })

  it('gives the same digest another root in another round', async () => {
    const first = await stamped(digestOf('the same'))
    expect(await stamped(digestOf('the same'))).not.toEqual(first)
  })

  it.each([
    ['nothing', 400, new Uint8Array(), {}],
    ['65 bytes', 413, new Uint8Array(65), {}],
    ['65 bytes of unsaid length', 413, [new Uint8Array(64), new Uint8Array(1)], {}],
    ['compressed bytes', 415, new Uint8Array(32), { 'Content-Encoding': 'gzip' }],
    ['a credential that is none', 401, new Uint8Array(32), { Authorization: 'Bearer wrong' }],
  ])('refuses %s with %i, in words', async (_, status, body, headers) => {
    const answer = await post(body, { headers })
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.bytes.toString()).toMatch(WORDS)
  })

  it('refuses another method, and says which one is taken', async () => {
    const answer = await ask(app.port, '/calendar/digest')
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST'])
    expect(answer.text).toMatch(WORDS)
  })

  it('may be asked by pages of any origin', async () => {
    const preflight = await ask(app.port, '/calendar/digest', {
      method: 'OPTIONS',
      headers: { Origin: 'https://example.com', 'Access-Control-Request-Method': 'POST' },
    })
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*'])
  })

  it('charges an address for each digest, and tells when it may go on', async () => {
    const poor = await openTestApp({
      ...OPEN,
      beside: app,
      limits: { ...AMPLE, LIMIT_AGGREGATION_PER_MINUTE: 1 },
    })
    try {
      const again = () => ask(poor.port, '/calendar/digest', { body: digestOf('poor') })
      expect((await again()).status).toBe(200)
      const refused = await again()
      expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
      expect(refused.bytes.toString()).toMatch(WORDS)
      const known = await ask(poor.port, '/calendar/digest', { key: app.owner.key, body: digestOf('known') })
      expect(known.status).toBe(200)
    } finally {
      await poor.close()
    }
  })
})

describe('GET /calendar/timestamp/<root>', () => {
  const headersRoot = async (): Promise<Buffer> => {
    const [found] = await app.query<{ root: Buffer }>(
      `SELECT v.block_merkle_root AS root FROM commitments c JOIN commitment_evidence v ON v.commitment_id = c.id
        WHERE c.chain = 'bitcoin' ORDER BY c.epoch_id DESC LIMIT 1`,
    )
    return Buffer.from(found?.root ?? []).reverse()
  }
  const waiting = async (root: Buffer | string) => {
    const { status, bytes, headers } = await timestamp(root)
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
    })
    expect(bytes.toString()).toMatch(WORDS)
    return [status, bytes.toString()]
  }

  it('leads from the root to the header of a Bitcoin block, and says until then what it waits for', async () => {
    const root = await stamped(digestOf('on its way'))
    expect(await waiting(root)).toEqual([404, expect.stringContaining('not in a finalized block yet')])
    await app.finalize()
    expect(await waiting(root)).toEqual([404, expect.stringContaining('not committed to a public chain yet')])
    await commitBlocks({ em: app.store.em() }, STELLAR)
    expect(await waiting(root)).toEqual([404, 'it is not on Bitcoin yet'])
    await commitBlocks({ em: app.store.em() }, BITCOIN)
    const { status, bytes, headers } = await timestamp(root)
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': TYPE, 'cache-control': 'public, max-age=300' })
    const read = readTimestamp(bytes, root)
    expect(read.attestations).toEqual([{ height: 1_201, message: await headersRoot() }])
    expect(read.pending).toEqual([])
    expect(read.operations).toBeGreaterThan(0)
    expect(bytes.length).toBeLessThan(10_000)
  })

  it('is known to every server of the ledger', async () => {
    const root = await stamped(digestOf('kept'))
    await app.finalize()
    await commitBlocks({ em: app.store.em() })
    const other = await openTestApp({ ...OPEN, beside: app })
    try {
      const [here, there] = [await timestamp(root), await timestamp(root, other)]
      expect(there.status).toBe(200)
      expect(there.bytes).toEqual(here.bytes)
    } finally {
      await other.close()
    }
  })

  it('has words for what is no root of a round here', async () => {
    for (const root of [
      'ab'.repeat(32),
      'AB'.repeat(32),
      'ab',
      '',
      '../digest',
      `${'ab'.repeat(32)}/x`,
      '%00',
    ])
      expect(await waiting(root)).toEqual([404, 'no round has this root'])
  })

  it('tells who has asked for too many proofs when to come back', async () => {
    const root = await stamped(digestOf('asked for too often'))
    await app.finalize()
    await commitBlocks({ em: app.store.em() })
    const other = await openTestApp({ ...OPEN, beside: app })
    try {
      // As if twice as many as allowed had been made on other servers.
      const spent = { budget: 'round_proof_address', subject: '127.0.0.1', settled: 120 } as const
      await leaseBudgets(app.store.em(), [{ ...spent, perMinute: 60, minute: null, due: 0, spare: 0 }])
      // None of them comes back while the test runs.
      await app.query(
        `UPDATE rate_budgets SET at = at + interval '1 hour' WHERE budget = 'round_proof_address'`,
      )
      const refused = await timestamp(root, other)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
      expect(refused.bytes.toString()).toMatch(WORDS)
    } finally {
      await app.query(`DELETE FROM rate_budgets WHERE budget = 'round_proof_address'`)
      await other.close()
    }
  })

  it('attests to no chain for trials where others reach the service, and counts what it cannot tell', async () => {
    const root = await stamped(digestOf('for trials'))
    await app.finalize()
    await commitBlocks({ em: app.store.em() })
    await answeredBy('mainnet')
    const shown = await openTestApp({ ...OPEN, ...SHOWN, beside: app })
    try {
      const { status, bytes } = await timestamp(root, shown)
      expect([status, bytes.toString()]).toEqual([
        404,
        'it is on a chain for trials alone, which proves nothing',
      ])
      const metrics = await ask(shown.port, '/metrics')
      expect(metrics.text).toMatch(/^pharos_calendar_inexpressible_total 1$/m)
    } finally {
      await shown.close()
      await answeredBy('regtest')
    }
  })
})

describe('GET /calendar/', () => {
  it('is a page with the lines to type, the address with its last slash in each', async () => {
    const page = await ask(app.port, '/calendar/')
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const address = `${app.base}/calendar/`
    for (const line of [
      `ots stamp -c ${address} -m 1 FILE`,
      `ots upgrade -c ${address} FILE.ots`,
      `ots -l ${address} upgrade FILE.ots`,
      `ots -l ${address} verify FILE.ots`,
      'ots info FILE.ots',
    ])
      expect(page.text).toContain(`${line}\n`.trim())
    expect(page.text).toContain('skips calendars')
    const words = page.text.replaceAll(/\s+/g, ' ')
    for (const limit of [
      'is a promise',
      'learns the hashes beside its own',
      'a random number',
      'One operator',
    ])
      expect(words).toContain(limit)
    expect(page.headers['content-security-policy']).toContain("script-src 'none'")
  })

  it('is where its address without the slash leads', async () => {
    const moved = await ask(app.port, '/calendar')
    expect([moved.status, moved.headers.location]).toEqual([308, '/calendar/'])
  })

  it('and its address without the slash are charged to the address', async () => {
    const poor = await openTestApp({
      ...OPEN,
      beside: app,
      limits: { ...AMPLE, LIMIT_ADDRESS_PER_MINUTE: 1 },
    })
    try {
      await amidMinute()
      const statuses: number[] = []
      for (const path of ['/calendar', '/calendar', '/calendar/'])
        statuses.push((await ask(poor.port, path)).status)
      expect(statuses).toEqual([308, 429, 429])
    } finally {
      await poor.close()
    }
  })

  it('has no other page', async () => {
    const missing = await ask(app.port, '/calendar/other')
    expect([missing.status, missing.headers['cache-control']]).toEqual([404, 'no-store'])
    expect(missing.text).toMatch(WORDS)
  })
})

describe('a calendar is closed, and says why', () => {
  const closed: readonly (readonly [string, TestAppOptions, RegExp])[] = [
    [
      'where the setting does not name it',
      { ...OPEN, publicDoors: ['stamp'] },
      /PUBLIC.DOORS does not name calendar/,
    ],
    ['where nothing goes to Bitcoin', { aggregationIntervalMs: 100 }, /nothing here is committed to Bitcoin/],
    [
      'where others reach a development chain',
      {
        chains: {
          ...NO_CHAINS,
          names: ['embedded'],
          intervals: { ...NO_CHAINS.intervals, embedded: 3_600_000 },
        },
        ...SHOWN,
      },
      /development chain/,
    ],
    ['where others reach a network for trials', { ...OPEN, ...SHOWN }, /goes to signet/],
    [
      'where clients would refuse its address',
      { ...OPEN, publicDoors: ['calendar'], baseUrl: 'http://[::1]:4000' },
      /characters of BASE.URL/,
    ],
  ]

  it.each(closed)('%s', async (_, options, words) => {
    await answeredBy('signet')
    const other: TestApp = await openTestApp({ ...options, beside: app })
    try {
      const before = await app.query('SELECT number FROM aggregation_rounds')
      for (const [path, asked] of [
        ['/calendar/digest', { body: digestOf('nobody takes it') }],
        [`/calendar/timestamp/${'ab'.repeat(32)}`, {}],
        ['/calendar/', {}],
        ['/calendar', {}],
      ] as const) {
        const answer = await ask(other.port, path, asked)
        expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8'])
        expect(answer.text).toMatch(words)
        expect(answer.text).toMatch(WORDS)
      }
      expect(await app.query('SELECT number FROM aggregation_rounds')).toEqual(before)
    } finally {
      await other.close()
    }
  })

  it('where others reach it, before Bitcoin has answered for the first time', async () => {
    const fresh = await openTestApp({ ...OPEN, ...SHOWN })
    try {
      const { status, text } = await ask(fresh.port, '/calendar/digest', { body: digestOf('too early') })
      expect([status, text]).toEqual([404, expect.stringMatching(/until Bitcoin has answered/)])
    } finally {
      await fresh.close()
    }
  })

  it('where others reach a network for trials, however slowly the database says so', async () => {
    await answeredBy('signet')
    const other = await openTestApp({ ...OPEN, ...SHOWN, beside: app })
    const asked = async (): Promise<number> => {
      const began = performance.now()
      const { status, text } = await ask(other.port, '/calendar/digest', { body: digestOf('not taken') })
      expect([status, text]).toEqual([404, expect.stringMatching(/goes to signet/)])
      return performance.now() - began
    }
    try {
      await asked()
      await inTransaction(app.store.em(), async (tx) => {
        await change(tx, 'LOCK TABLE epoch_series IN ACCESS EXCLUSIVE MODE')
        // What was read before is told again once somebody has waited long enough for what is read now.
        await eventually(async () => ((await asked()) > 1_000 ? true : undefined))
      })
    } finally {
      await other.close()
      await answeredBy('regtest')
    }
  })
})
