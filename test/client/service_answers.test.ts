// What commands make of the answers of a service: a no is 1, trouble is 2, and nothing is a fault of this program.
import { createServer, type RequestListener } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeEvidence } from '../../shared/evidence/evidence.ts'
import { type AnsweringServer, openAnsweringServer } from '../support/answering_server.ts'
import { makeLogCopy } from '../support/log_copy.ts'
import { ownKeyring } from './bundles.ts'
import { folderReceipt } from './folder_evidence.ts'
import { type Desk, openDesk } from './run_pharos.ts'

const ID = '01MB78W7FGY7TZHKNWE7WA3Z57'
const GENERATE = '/api/json/proof/generate'
const NO_CHAIN = {
  errors: [{ code: 'no_external_commitments', detail: 'no epoch will hold the block' }],
}

let desk: Desk
let server: AnsweringServer
beforeEach(async () => {
  ;[desk, server] = await Promise.all([openDesk(), openAnsweringServer()])
})
afterEach(async () => {
  await server.close()
  await desk.clear()
})

const pharos = (...args: string[]) =>
  desk.pharos(args, { env: { PHAROS_URL: server.address, PHAROS_API_KEY: 'phk_mine' } })
const answers =
  (status: number, body: object, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(JSON.stringify(body))

/** Answers everything with this status. */
async function always<T>(status: number, use: (address: string) => Promise<T>): Promise<T> {
  const all = createServer((_, response) => void response.writeHead(status).end('{}'))
  await new Promise<void>((listening) => void all.listen(0, '127.0.0.1', listening))
  const bound = all.address()
  try {
    return await use(`http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`)
  } finally {
    all.closeAllConnections()
    all.close()
  }
}

describe('a service', { timeout: 120_000 }, () => {
  it.each([429, 500, 503])(
    'that is in trouble (%i) says no to nothing: every command ends with 2',
    (status) =>
      always(status, async (address) => {
        for (const args of [
          ['status', ID],
          ['proof', ID],
          ['ls'],
          ['show', ID],
          ['api', 'GET', 'items'],
          ['trigger', 'item.created'],
          ['whoami'],
          ['login', '--with-key', '--insecure-storage'],
        ]) {
          const env = { PHAROS_URL: address, PHAROS_API_KEY: 'phk_mine' }
          const ran = await desk.pharos(args, { env, input: 'phk_mine' })
          expect([args.join(' '), ran.code], ran.err).toEqual([args.join(' '), 2])
        }
      }),
  )

  it.each([
    [403, 4, /refused \(403\)/],
    [404, 2, /knows no accounts.*\n.*Is it the address of a Pharos service\?/],
  ])('that answers %i to the question who one is signs nobody in', (status, code, words) =>
    always(status, async (address) => {
      const args = ['login', '--with-key', '--insecure-storage', '--url', address]
      for (const ran of [
        await desk.pharos(args, { input: 'phk_mine' }),
        await desk.pharos(['whoami'], { env: { PHAROS_URL: address, PHAROS_API_KEY: 'phk_mine' } }),
      ])
        expect(ran).toMatchObject({ code, out: '', err: expect.stringMatching(words) })
    }),
  )

  it('that leads to another address is to be named by that', () =>
    always(301, async (address) => {
      const env = { PHAROS_URL: address, PHAROS_API_KEY: 'phk_mine' }
      expect(await desk.pharos(['ls'], { env })).toMatchObject({
        code: 2,
        err: expect.stringContaining('Redirects are not followed: name the address itself'),
      })
    }))

  it('that sends no proof is told of in words', async () => {
    server.answers.set('/.well-known/keyring.json', ownKeyring)
    for (const result of [{}, 'no base64!', 7]) {
      server.answers.set(GENERATE, answers(200, { result }))
      expect(await pharos('proof', ID), JSON.stringify(result)).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining('something else than a proof'),
      })
    }
  })
})

describe('pharos whoami', { timeout: 120_000 }, () => {
  it('says when a key ends by itself, where only one of the listed keys can be it', async () => {
    const attributes = { full_name: 'Ada', email: 'ada@example.com', plan: 'free' }
    server.answers.set('/api/json/users/me', answers(200, { data: { id: 'u', attributes } }))
    server.answers.set('/api/json/teams?page[limit]=250', answers(200, { data: [] }))
    const key = (prefix: string) => ({
      id: prefix,
      attributes: { prefix, revoked_at: null, expires_at: '2030-01-01T00:00:00Z' },
    })
    for (const [prefixes, ends] of [
      [['phk_mi', 'phk_yo'], '2030-01-01T00:00:00Z'],
      [['phk_mi', 'phk_min'], 'not known'],
    ] as const) {
      server.answers.set('/api/json/api-keys?page[limit]=250', answers(200, { data: prefixes.map(key) }))
      const { code, out } = await pharos('whoami')
      expect([code, out.split('\n')]).toEqual([
        0,
        [
          'account  Ada (ada@example.com), plan free',
          `service  ${server.address}`,
          'team     not known',
          'may      all that the account may',
          `ends     ${ends}`,
          'secret   PHAROS_API_KEY of the environment',
          '',
        ],
      ])
    }
  })
})

describe('pharos status', { timeout: 120_000 }, () => {
  const block = { type: 'block', id: 'b', attributes: { height: 7 } }
  const item = { data: { id: ID, type: 'item', attributes: { block_id: 'b' } }, included: [block] }
  beforeEach(
    () =>
      void server.answers.set(`/api/json/items/${ID}?include=block,block.commitments`, answers(200, item)),
  )

  it('tells what it read of an item that no public chain will hold, and ends with 1', async () => {
    server.answers.set(GENERATE, answers(422, NO_CHAIN))
    const ran = await pharos('status', ID)
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining('no epoch will hold the block') })
    expect(ran.out).toMatch(/in a block +height 7, b\n.*public chains +none, and none will come/s)
    const [shown] = JSON.parse((await pharos('status', ID, '--json')).out)
    expect(shown).toMatchObject({ exit_code: 1, block: 'height 7, b', error: expect.any(String) })
  })

  it.each([
    [429, 'rate_limited'],
    [422, 'subject_not_recomputable'],
  ])('tells what it read when the proof is refused with %i %s', async (status, code) => {
    server.answers.set(GENERATE, answers(status, { errors: [{ code, detail: 'No.' }] }))
    expect(await pharos('status', ID)).toMatchObject({
      code: 3,
      out: expect.stringMatching(/in a block +height 7, b/),
      err: expect.stringContaining(`(${code})`),
    })
  })

  it('names who signed the checkpoint of the log besides the log', async () => {
    const checkpoint = Buffer.from(makeLogCopy({ size: 8 }).checkpoint(8)).toString()
    server.answers.set('/log/proof/7', `c2sp.org/tlog-proof@v1\nindex 7\n\n${checkpoint}`)
    server.answers.set(GENERATE, answers(422, NO_CHAIN))
    expect((await pharos('status', ID)).out).toMatch(/^ {2}✓ witnesses +first\.example, second\.example$/m)
  })

  it('goes on behind evidence whose bundle is none, and names each that failed as JSON', async () => {
    await desk.put('x.pharos', writeEvidence({ ...folderReceipt(server.address), bundle: {} }))
    await desk.put('y.pharos', writeEvidence(folderReceipt(server.address)))
    const { item: made } = folderReceipt() as { item: { claims: { hash: string } } }
    server.answers.set(
      `/stamp/${made.claims.hash}`,
      answers(404, { errors: [{ code: 'not_found', detail: 'Not yet.' }] }, { 'retry-after': '600' }),
    )
    server.answers.set(
      GENERATE,
      answers(422, { errors: [{ code: 'subject_not_ready', detail: 'Not yet.' }] }, { 'retry-after': '600' }),
    )
    const ran = await pharos('status', 'x.pharos', 'y.pharos')
    expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('Its bundle cannot be read') })
    expect(ran.out).toMatch(/^y\.pharos\n.*not yet; expected in 10 min\n.*witnesses +none is told of/ms)
    const json = await pharos('status', 'x.pharos', 'y.pharos', '--json')
    expect(JSON.parse(json.out)).toMatchObject([
      { source: 'x.pharos', exit_code: 2, error: expect.stringContaining('bundle') },
      { source: 'y.pharos', exit_code: 3, error: null, due_in_seconds: 600 },
    ])
  })
})
