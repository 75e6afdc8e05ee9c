// Stamping without an account over HTTP: what is answered is evidence, and everything has its bound.
import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { introducedKeys, ownKeyring } from '../../../server/domain/proofs/keyrings.ts'
import { addressRanges } from '../../../server/kernel/addresses.ts'
import { readEvidenceFile } from '../../../shared/evidence/evidence.ts'
import { verifyEvidence } from '../../../shared/evidence/verify_evidence.ts'
import { secondCheck, secondEntry } from '../../evidence/second_tree.ts'
import { AMPLE, openTestApp, type TestAppOptions } from '../../support/app.ts'
import { amidMinute } from '../../support/clock_minute.ts'
import { type Ask, ask, eventually, openWire } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'

const QUICK = { aggregationIntervalMs: 100 } as const
/** So long that a round of a test closes with its server alone. */
const NEVER_MS = 3_600_000
const app = testApp(QUICK)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const digestOf = (text: string) => ({ type: 'sha256', value: sha256(text) })

const JSON_TYPE = { 'Content-Type': 'application/json' }
const stamp = (body: unknown, { port = app.port, headers = {}, ...rest }: Ask & { port?: number } = {}) =>
  ask(port, '/stamp', { body: JSON.stringify(body), headers: { ...JSON_TYPE, ...headers }, ...rest })

const stamped = z.object({
  evidence: z.array(
    z.looseObject({
      digest: z.object({ type: z.string(), value: z.string() }),
      trees: z.tuple([
        z.object({
          size: z.number(),
          index: z.number(),
          salt: z.string().optional(),
          path: z.array(z.string()),
        }),
      ]),
      item: z.looseObject({ id: z.string(), claims: z.looseObject({ hash: z.string(), name: z.string() }) }),
    }),
  ),
  note: z.string(),
})
const read = (answer: { json: () => unknown }) => stamped.parse(answer.json())

const codes = (answer: { json: () => unknown }) =>
  z.object({ errors: z.array(z.looseObject({ code: z.string(), detail: z.string() })) }).parse(answer.json())
    .errors

const verdict = async (document: unknown, fileDigest?: Buffer) => {
  const keys = await introducedKeys(app.store.em())
  const trust = { keyrings: [ownKeyring(keys)] }
  const evidence = readEvidenceFile(JSON.stringify(document))
  const { verdict: said, rows } = await verifyEvidence(evidence, trust, fileDigest)
  return { said, failed: rows.filter(({ status }) => status === 'fail').map(({ message }) => message) }
}

/** Resolves when so many digests wait for their round. */
const waiting = (port: number, entries: number) =>
  eventually(async () =>
    new RegExp(`^pharos_round_leaves_waiting ${entries}$`, 'm').test((await ask(port, '/metrics')).text)
      ? true
      : undefined,
  )

describe('POST /stamp', () => {
  it('answers a receipt for each digest, in their order, which anybody can verify', async () => {
    const salt = randomBytes(16).toString('hex')
    const digests = [
      digestOf('a'),
      { ...digestOf('b'), salt },
      { type: 'sha3_512', value: 'ab'.repeat(64) },
      { type: 'pharos-tree-v1', value: `${'cd'.repeat(32)}00000000000003e8` },
    ]
    const answer = await stamp({ digests })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json'])
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
    const { evidence, note } = read(answer)
    for (const limit of ['belongs to nobody', 'learns the hashes beside it', 'a salt', 'One operator'])
      expect(note).toContain(limit)
    expect(evidence.map(({ digest }) => digest)).toEqual(digests.map(({ type, value }) => ({ type, value })))
    expect(evidence.map(({ trees: [tree] }) => tree.salt)).toEqual([undefined, salt, undefined, undefined])
    expect(new Set(evidence.map(({ item }) => item.id)).size).toBe(1)
    for (const one of evidence) {
      expect(await verdict(one, Buffer.from(one.digest.value, 'hex'))).toEqual({
        said: 'not_yet',
        failed: [],
      })
      const [tree] = one.trees
      const entry = secondEntry({
        type: one.digest.type,
        value: Buffer.from(one.digest.value, 'hex'),
        salt: Buffer.from(tree.salt ?? '', 'hex'),
      })
      const path = tree.path.map((hash) => Buffer.from(hash, 'hex'))
      expect(secondCheck({ ...tree, path }, entry, Buffer.from(one.item.claims.hash, 'hex'))).toBe(true)
    }
  })

  it('puts what arrives together into one round', async () => {
    const other = await openTestApp({ beside: app, aggregationIntervalMs: NEVER_MS })
    const { port } = other
    const answers = ['x', 'y', 'z'].map((text) => stamp({ digests: [digestOf(text)] }, { port }))
    await waiting(port, 3)
    await other.close()
    const items = (await Promise.all(answers)).flatMap((answer) =>
      read(answer).evidence.map(({ item }) => item.id),
    )
    expect(items).toHaveLength(3)
    expect(new Set(items).size).toBe(1)
  })

  it('takes 256 digests, and no more', async () => {
    const many = Array.from({ length: 257 }, (_, at) => digestOf(`${at}`))
    expect(read(await stamp({ digests: many.slice(1) })).evidence).toHaveLength(256)
    const refused = await stamp({ digests: many })
    expect(refused.status).toBe(400)
    expect(codes(refused)).toMatchObject([
      { code: 'invalid_attribute', source: { pointer: '/digests' }, meta: { maximum: 256 } },
    ])
  })

  const VALUE = sha256('a')
  it.each([
    ['a list', [], 'invalid_body', undefined],
    ['null', null, 'invalid_body', undefined],
    ['no digests', {}, 'required', '/digests'],
    ['a text for the list', { digests: VALUE }, 'invalid_attribute', '/digests'],
    ['an empty list', { digests: [] }, 'invalid_attribute', '/digests'],
    ['another member', { digests: [digestOf('a')], tags: [] }, 'invalid_body', '/tags'],
    ['a text for a digest', { digests: [VALUE] }, 'invalid_attribute', '/digests/0'],
    ['no type', { digests: [{ value: VALUE }] }, 'invalid_attribute', '/digests/0/type'],
    ['another type', { digests: [{ type: 'crc32', value: VALUE }] }, 'invalid_attribute', '/digests/0/type'],
    ['a round', { digests: [{ type: 'round', value: VALUE }] }, 'invalid_attribute', '/digests/0/type'],
    [
      'a token',
      { digests: [{ type: 'rfc3161-token', value: VALUE }] },
      'invalid_attribute',
      '/digests/0/type',
    ],
    ['names', { digests: [{ type: 'names', value: VALUE }] }, 'invalid_attribute', '/digests/0/type'],
    [
      'a prototype',
      { digests: [{ type: 'toString', value: VALUE }] },
      'invalid_attribute',
      '/digests/0/type',
    ],
    ['no value', { digests: [{ type: 'sha256' }] }, 'invalid_attribute', '/digests/0/value'],
    ['a number', { digests: [{ type: 'sha256', value: 7 }] }, 'invalid_attribute', '/digests/0/value'],
    [
      'uppercase hex',
      { digests: [{ type: 'sha256', value: VALUE.toUpperCase() }] },
      'invalid_attribute',
      '/digests/0/value',
    ],
    [
      'a byte too few',
      { digests: [{ type: 'sha256', value: VALUE.slice(2) }] },
      'invalid_attribute',
      '/digests/0/value',
    ],
    [
      'another function’s length',
      { digests: [{ type: 'sha512', value: VALUE }] },
      'invalid_attribute',
      '/digests/0/value',
    ],
    ['a short salt', { digests: [{ ...digestOf('a'), salt: 'ab' }] }, 'invalid_attribute', '/digests/0/salt'],
    [
      'an uppercase salt',
      { digests: [{ ...digestOf('a'), salt: 'AB'.repeat(16) }] },
      'invalid_attribute',
      '/digests/0/salt',
    ],
    ['a null salt', { digests: [{ ...digestOf('a'), salt: null }] }, 'invalid_attribute', '/digests/0/salt'],
    [
      'a misspelt salt',
      { digests: [{ ...digestOf('a'), slat: 'ab'.repeat(16) }] },
      'invalid_body',
      '/digests/0/slat',
    ],
    [
      'a tree with a salt',
      {
        digests: [{ type: 'pharos-tree-v1', value: `${VALUE}0000000000000001`, salt: 'ab'.repeat(16) }],
      },
      'invalid_attribute',
      '/digests/0/salt',
    ],
    [
      'a tree without a size',
      { digests: [{ type: 'pharos-tree-v1', value: VALUE }] },
      'invalid_attribute',
      '/digests/0/value',
    ],
    [
      'a tree of nothing',
      { digests: [{ type: 'pharos-tree-v1', value: `${VALUE}0000000000000000` }] },
      'invalid_attribute',
      '/digests/0/value',
    ],
    [
      'a tree of too many',
      { digests: [{ type: 'pharos-tree-v1', value: `${VALUE}0000000000100001` }] },
      'invalid_attribute',
      '/digests/0/value',
    ],
  ])('refuses %s, and says where', async (_, body, code, pointer) => {
    const answer = await stamp(body)
    expect(answer.status).toBe(400)
    expect(codes(answer)[0]).toMatchObject({
      code,
      ...(pointer === undefined ? {} : { source: { pointer } }),
    })
  })

  it('tells all mistakes of a request, up to fifty', async () => {
    const wrong = Array.from({ length: 60 }, () => ({ type: 'sha256', value: 'zz' }))
    const answer = await stamp({ digests: [digestOf('a'), ...wrong] })
    expect(codes(answer)).toHaveLength(50)
    expect(codes(answer)[0]).toMatchObject({ source: { pointer: '/digests/1/value' } })
  })

  it.each([
    ['no JSON', '{"digests":', 400, 'invalid_json'],
    ['a member twice', '{"digests":[],"digests":[]}', 400, 'invalid_json'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'invalid_json'],
    ['nothing', '', 400, 'invalid_json'],
    ['too deep', `{"digests":${'['.repeat(2_000)}${']'.repeat(2_000)}}`, 400, 'invalid_json'],
  ])('refuses %s', async (_, body, status, code) => {
    const answer = await ask(app.port, '/stamp', { body, headers: JSON_TYPE })
    expect([answer.status, codes(answer)[0]?.code]).toEqual([status, code])
  })

  it('reads up to 64 KiB, with and without their length', async () => {
    const digests = [digestOf('a')]
    const fits = JSON.stringify({ digests }).padEnd(65_536)
    for (const body of [fits, [Buffer.from(fits.slice(0, 40_000)), Buffer.from(fits.slice(40_000))]])
      expect((await ask(app.port, '/stamp', { body, headers: JSON_TYPE })).status).toBe(200)
    for (const body of [`${fits} `, [Buffer.from(fits), Buffer.from(' ')]]) {
      const answer = await ask(app.port, '/stamp', { body, headers: JSON_TYPE })
      expect([answer.status, codes(answer)[0]?.code]).toEqual([413, 'request_too_large'])
    }
  })

  it('reads JSON only, uncompressed, and answers POST only', async () => {
    const body = JSON.stringify({ digests: [digestOf('a')] })
    const form = await ask(app.port, '/stamp', {
      body,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
    const packed = await ask(app.port, '/stamp', {
      body,
      headers: { ...JSON_TYPE, 'Content-Encoding': 'gzip' },
    })
    expect([form.status, packed.status]).toEqual([415, 415])
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await ask(app.port, '/stamp', { method })
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST'])
    }
  })

  it('lets browsers of any origin ask', async () => {
    const preflight = await ask(app.port, '/stamp', {
      method: 'OPTIONS',
      headers: { Origin: 'https://example.com', 'Access-Control-Request-Method': 'POST' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers['access-control-allow-origin']).toBe('*')
  })

  it('stops reading a body that never ends its first request line by line', async () => {
    const wire = await openWire(app.port)
    wire.write(
      'POST /stamp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    const chunk = `4000\r\n${' '.repeat(16_384)}\r\n`
    for (let sent = 0; sent < 5; sent += 1) wire.write(chunk)
    expect(await wire.until((text) => text.includes('413'))).toContain('request_too_large')
    wire.socket.destroy()
  })
})

describe('what is stamped', () => {
  it('belongs to nobody: no list has it, anybody reads it, and nobody changes it', async () => {
    const { evidence } = read(await stamp({ digests: [digestOf('of nobody')] }))
    const id = evidence[0]?.item.id ?? ''
    const { key } = app.owner
    const one = await ask(app.port, `/api/json/items/${id}`, { key })
    expect(one.json()).toMatchObject({ data: { id, attributes: { visibility: 'public' } } })
    const list = await ask(app.port, '/api/json/items?page[limit]=250', { key })
    expect([list.status, list.text.includes(id)]).toEqual([200, false])
    const users = await ask(app.port, '/api/json/users', { key })
    expect(users.text).not.toContain('Rounds')
    const patch = {
      method: 'PATCH',
      key,
      body: { json: { data: { type: 'item', id, attributes: { redacted: true } } } },
    }
    expect((await ask(app.port, `/api/json/items/${id}`, patch)).status).toBeGreaterThanOrEqual(400)
    expect((await ask(app.port, `/api/json/items/${id}`, { key })).json()).toMatchObject({
      data: { attributes: { redacted_at: null } },
    })
  })
})

describe('a credential', () => {
  it('that is not valid is refused, and not taken for none', async () => {
    const authorizations = [`Bearer phk_${'x'.repeat(40)}`, 'Basic YTpi', 'Bearer', '']
    for (const Authorization of authorizations) {
      const answer = await stamp({ digests: [digestOf('a')] }, { headers: { Authorization } })
      expect([Authorization, answer.status]).toEqual([Authorization, 401])
      expect(answer.headers['www-authenticate']).toContain('Bearer')
    }
  })
})

/** On the same database, with its own settings. */
async function beside<T>(options: TestAppOptions, work: (port: number) => Promise<T>): Promise<T> {
  const other = await openTestApp({ beside: app, ...QUICK, ...options })
  try {
    return await work(other.port)
  } finally {
    await other.close()
  }
}

it('a credential is looked up only while its address has room', () =>
  beside({ limits: { ...AMPLE, LIMIT_ADDRESS_PER_MINUTE: 2 } }, async (port) => {
    await amidMinute()
    const body = { digests: [digestOf('a')] }
    const wrong = { headers: { Authorization: `Bearer phk_${'x'.repeat(40)}` } }
    const statuses: number[] = []
    for (const asked of [wrong, wrong, wrong, { key: app.owner.key }])
      statuses.push((await stamp(body, { port, ...asked })).status)
    expect(statuses).toEqual([401, 401, 429, 429])
    // Whoever shows none has a budget of its own.
    expect((await stamp(body, { port })).status).toBe(200)
  }))

describe('the budget', () => {
  const limits = { ...AMPLE, LIMIT_AGGREGATION_PER_MINUTE: 20 }

  it('is one unit a request and one more for each 16 digests', () =>
    beside({ limits, trustedProxies: addressRanges('127.0.0.1') }, async (port) => {
      const many = (count: number, address: string) =>
        stamp(
          { digests: Array.from({ length: count }, (_, at) => digestOf(`${at}`)) },
          { port, headers: { 'X-Forwarded-For': address } },
        )
      // Each has a full budget, of which one unit in three seconds comes back.
      for (const [count, units] of [
        [1, 1],
        [15, 1],
        [16, 2],
        [255, 16],
        [256, 17],
      ] as const) {
        const answer = await many(count, `192.0.2.${count % 256}`)
        const left = Number(/r=(\d+)/.exec(answer.headers.ratelimit ?? '')?.[1])
        expect([count, answer.status, 20 - left]).toEqual([count, 200, units])
      }
      expect((await many(255, '203.0.113.1')).status).toBe(200)
      const refused = await many(255, '203.0.113.1')
      expect([refused.status, codes(refused)[0]?.code]).toEqual([429, 'rate_limited'])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    }))

  it('that is smaller than what a request costs is spent as a whole by it', () =>
    beside({ limits: { ...AMPLE, LIMIT_AGGREGATION_PER_MINUTE: 3 } }, async (port) => {
      const digests = Array.from({ length: 256 }, (_, at) => digestOf(`${at}`))
      expect((await stamp({ digests }, { port })).status).toBe(200)
      expect((await stamp({ digests: [digestOf('a')] }, { port })).status).toBe(429)
    }))

  it('of who shows a credential is the account’s, and ten times as much', () =>
    beside({ limits }, async (port) => {
      const account = await app.account('grace')
      const answer = await stamp({ digests: [digestOf('a')] }, { port, key: account.key })
      expect(answer.headers['ratelimit-policy']).toBe('"aggregation";q=200;w=60')
      const without = await stamp({ digests: [digestOf('a')] }, { port })
      expect(without.headers['ratelimit-policy']).toBe('"aggregation";q=20;w=60')
    }))
})

describe('a closed door', () => {
  it('says how it is opened', () =>
    beside({ publicDoors: ['calendar', 'tsa'] }, async (port) => {
      for (const path of ['/stamp', `/stamp/${'ab'.repeat(32)}`]) {
        const answer = await ask(port, path, { method: 'POST', body: '{}', headers: JSON_TYPE })
        expect([answer.status, codes(answer)[0]?.code]).toEqual([404, 'no_route_found'])
        expect(codes(answer)[0]?.detail).toContain('PUBLIC_DOORS does not name stamp')
      }
    }))
})

describe('many digests', () => {
  const many = Array.from({ length: 63 }, (_, at) => digestOf(`${at}`))
  const ceilings = { large_requests_per_caller: 1, large_requests_waiting: 1 }

  it('take turns before they are read, and few digests do not', () =>
    beside({ ceilings }, async (port) => {
      const { key } = app.owner
      const held = await openWire(port)
      const head = `POST /api/json/items HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n`
      held.write(`${head}Content-Type: application/vnd.api+json\r\nContent-Length: 20000\r\n\r\n{`)
      const askTwice = () => [1, 2].map(() => stamp({ digests: many }, { port, key }))
      const { both, refused } = await eventually(async () => {
        const both = askTwice()
        const refused = await Promise.race(both)
        return refused.status === 503 ? { both, refused } : undefined
      })
      expect(codes(refused)).toMatchObject([{ code: 'overloaded' }])
      expect((await stamp({ digests: [digestOf('a')] }, { port, key })).status).toBe(200)
      held.socket.destroy()
      expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([200, 503])
    }))

  it('leave their turn while they wait for their round, and who has a place in one is answered', async () => {
    const other = await openTestApp({ beside: app, aggregationIntervalMs: NEVER_MS, ceilings })
    const answers: ReturnType<typeof stamp>[] = []
    for (let asked = 1; asked <= 4; asked += 1) {
      answers.push(stamp({ digests: many }, { port: other.port }))
      await waiting(other.port, asked * many.length)
    }
    await other.close()
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })
})

describe('a stop', () => {
  it('answers who waits for a round', async () => {
    const other = await openTestApp({ beside: app, aggregationIntervalMs: NEVER_MS })
    const { port } = other
    const before = stamp({ digests: [digestOf('before the stop')] }, { port })
    await waiting(port, 1)
    await other.close()
    expect((await before).status).toBe(200)
  })
})

it('a door behind a proxy is charged by the address that the proxy names', () =>
  beside(
    { limits: { ...AMPLE, LIMIT_AGGREGATION_PER_MINUTE: 1 }, trustedProxies: addressRanges('127.0.0.1') },
    async (port) => {
      const from = (address: string) =>
        stamp({ digests: [digestOf('a')] }, { port, headers: { 'X-Forwarded-For': address } })
      expect((await from('198.51.100.1')).status).toBe(200)
      expect((await from('198.51.100.2')).status).toBe(200)
      expect((await from('198.51.100.1')).status).toBe(429)
    },
  ))
