// The log is served as C2SP tlog-tiles says, with the validators, ranges and caching of a static file server.
import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readEntryBundle } from '../../../shared/log/log_entry.ts'
import { readHashLines } from '../../../shared/log/signed_note.ts'
import { hashesOf } from '../../../shared/log/tiles.ts'
import { readLogProof, verifyConsistency, verifyInclusion } from '../../../shared/log/tree_proofs.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { ask, ownFields } from '../../support/http.ts'
import { type MemoryLog, openMemoryLog } from './memory_log.ts'

const SIZE = 600

let log: MemoryLog
beforeAll(async () => {
  log = await openMemoryLog({ entries: SIZE, isPublic: true })
})
afterAll(() => log?.close())

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  ask(log.port, `/log${path}`, { headers })

/** The bytes as they were sent. */
const bytesOf = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: log.port, path: `/log${path}`, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => resolve(Buffer.concat(parts)))
    })
    asked.on('error', reject)
    asked.end()
  })

const TEXT = { 'content-type': 'text/plain; charset=utf-8' }
const BYTES = { 'content-type': 'application/octet-stream' }
const CHECKED = { 'cache-control': 'public, no-cache' }
const YEAR = { 'cache-control': 'public, max-age=31536000, immutable' }
const GZIP = { 'Accept-Encoding': 'br, gzip' }
const VARIES = { vary: 'Accept-Encoding' }
const CODED = { 'content-encoding': 'gzip', etag: expect.stringMatching(/^"[\w-]{43}-gzip"$/) }
const PER_REQUEST = {
  'x-request-id': expect.any(String),
  ratelimit: expect.any(String),
  'ratelimit-policy': expect.any(String),
}
const EVERYWHERE = {
  'accept-ranges': 'bytes',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': expect.any(String),
  etag: expect.stringMatching(/^"[\w-]{43}"$/),
}

const leaves = (from: number, to: number): string =>
  toHex(Buffer.concat(Array.from({ length: to - from }, (_, at) => log.tree.leafOf(from + at))))

describe('tiles', () => {
  it('of level 0 have the hashes of the leaves, full or as wide as asked', async () => {
    expect(toHex(await bytesOf('/tile/0/000'))).toBe(leaves(0, 256))
    expect(toHex(await bytesOf('/tile/0/002.p/88'))).toBe(leaves(512, 600))
    expect(toHex(await bytesOf('/tile/0/002.p/1'))).toBe(leaves(512, 513))
    // A partial tile stays when the full one is there.
    expect(toHex(await bytesOf('/tile/0/001.p/255'))).toBe(leaves(256, 511))
  })

  it('of level 1 have the roots of the full tiles below', async () => {
    const roots = hashesOf(await bytesOf('/tile/1/000.p/2')).map(toHex)
    expect(roots).toEqual([0, 256].map((from) => toHex(log.tree.root(from, from + 256))))
  })

  it.each([
    ['a wider partial tile than there is', '/tile/0/002.p/89'],
    ['a full tile that is not full yet', '/tile/0/002'],
    ['a tile behind the last', '/tile/0/003.p/1'],
    ['a level above the highest', '/tile/2/000.p/1'],
    ['an empty tile', '/tile/0/003.p/0'],
    ['the level 63', '/tile/63/000'],
    ['entries that are not there yet', '/tile/entries/002.p/89'],
    ['another spelling', '/tile/0/0'],
    ['an address with something behind it', '/tile/0/000/'],
    ['the level of the data', '/tile/data/000'],
    ['a folder', '/tile'],
    ['the log alone', ''],
    ['another name', '/checkpoints'],
    ['a proof of a leaf that is not there', '/proof/600'],
    ['a proof of no number', '/proof/01'],
    ['a consistency with more than there is', '/consistency/1/601'],
    ['a consistency backwards', '/consistency/2/1'],
    ['a consistency with one size', '/consistency/1'],
    ['a consistency with three sizes', '/consistency/1/2/3'],
  ])('%s is not there', async (_, path) => {
    const answer = await get(path)
    expect(answer.status).toBe(404)
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' })
    expect(answer.json()).toMatchObject({ errors: [{ status: '404' }] })
  })

  it('nothing is there beyond the newest checkpoint that is shown, and nothing before there is one', async () => {
    const young = await openMemoryLog({ entries: 300, isPublic: true })
    const status = async (path: string) => (await ask(young.port, `/log${path}`)).status
    young.show(undefined)
    for (const path of [
      '/checkpoint',
      '/tile/0/000.p/1',
      '/tile/entries/000.p/1',
      '/proof/0',
      '/consistency/0/1',
    ])
      expect([path, await status(path)]).toEqual([path, 404])
    young.show(256)
    expect(await status('/tile/0/000')).toBe(200)
    expect(await status('/tile/0/001.p/1')).toBe(404)
    young.show(257)
    expect(await status('/tile/0/001.p/1')).toBe(200)
    expect(await status('/tile/0/001.p/2')).toBe(404)
    await young.close()
  })

  it('below a checkpoint that was seen are answered without a look for a newer one', async () => {
    await get('/tile/0/000')
    const before = log.looks()
    await Promise.all([get('/tile/0/000'), get('/tile/1/000.p/2'), get('/tile/entries/001')])
    expect(log.looks()).toBe(before)
  })
})

describe('entry bundles', () => {
  it('have the entries, each behind its length', async () => {
    const read = readEntryBundle(await bytesOf('/tile/entries/002.p/88'), 88)
    expect(read.map(toHex)).toEqual(log.entries.slice(512).map(toHex))
    expect(readEntryBundle(await bytesOf('/tile/entries/000'), 256)).toHaveLength(256)
  })

  it('are compressed for clients that accept it, and for no others', async () => {
    const plain = await bytesOf('/tile/entries/000')
    for (const accepted of ['gzip', 'br, gzip;q=0.5', '*']) {
      const { headers } = await get('/tile/entries/000', { 'Accept-Encoding': accepted })
      expect(headers).toMatchObject({
        'content-encoding': 'gzip',
        'content-type': 'application/octet-stream',
      })
      expect(headers.vary).toContain('Accept-Encoding')
      const packed = await bytesOf('/tile/entries/000', { 'Accept-Encoding': accepted })
      expect(packed.length).toBeLessThan(plain.length / 2)
      expect(gunzipSync(packed).equals(plain)).toBe(true)
    }
    for (const accepted of ['identity', 'gzip;q=0', 'br', '']) {
      const { headers } = await get('/tile/entries/000', { 'Accept-Encoding': accepted })
      expect([accepted, headers['content-encoding']]).toEqual([accepted, undefined])
      expect(headers.vary).toContain('Accept-Encoding')
    }
    expect(
      (await get('/tile/0/000', { 'Accept-Encoding': 'gzip' })).headers['content-encoding'],
    ).toBeUndefined()
  })

  it('have another validator when they are compressed', async () => {
    const path = '/tile/entries/000'
    const { etag: plain = '' } = (await get(path)).headers
    const { etag: packed = '' } = (await get(path, { 'Accept-Encoding': 'gzip' })).headers
    expect(packed).not.toBe(plain)
    expect((await get(path, { 'If-None-Match': packed })).status).toBe(200)
    const again = await get(path, { 'If-None-Match': packed, 'Accept-Encoding': 'gzip' })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', packed])
  })
})

describe('answers', () => {
  it('have the content types of the format, and the caching of what they are', async () => {
    const never = 'public, max-age=31536000, immutable'
    const text = 'text/plain; charset=utf-8'
    const bytes = 'application/octet-stream'
    for (const [path, type, caching] of [
      ['/checkpoint', text, 'public, no-cache'],
      ['/policy', text, 'public, no-cache'],
      ['/history', 'application/json', 'public, no-cache'],
      ['/keyring.json', 'application/json', 'public, no-cache'],
      ['/epochs/bitcoin/0.json', 'application/json', 'public, no-cache'],
      ['/epochs/stellar-testnet/5.json', 'application/json', 'public, no-cache'],
      ['/proof/3', text, 'public, no-cache'],
      ['/consistency/3/600', text, never],
      ['/tile/0/000', bytes, never],
      ['/tile/0/002.p/8', bytes, never],
      ['/tile/entries/000', bytes, never],
    ]) {
      const { status, headers } = await get(path ?? '')
      expect([path, status, headers['content-type'], headers['cache-control']]).toEqual([
        path,
        200,
        type,
        caching,
      ])
      expect(headers).toMatchObject({ 'accept-ranges': 'bytes', 'access-control-allow-origin': '*' })
    }
  })

  it.each([
    ['/checkpoint', {}, 200, { ...TEXT, ...CHECKED, ...PER_REQUEST }],
    ['/tile/0/000', GZIP, 200, { ...BYTES, ...YEAR }],
    ['/tile/entries/000', {}, 200, { ...BYTES, ...YEAR, ...VARIES }],
    ['/tile/entries/000', GZIP, 200, { ...BYTES, ...YEAR, ...VARIES, ...CODED }],
    ['/tile/entries/002.p/1', GZIP, 200, { ...BYTES, ...YEAR, ...VARIES, ...CODED }],
    [
      '/tile/entries/000',
      { ...GZIP, Range: 'bytes=0-9' },
      206,
      { ...BYTES, ...YEAR, ...VARIES, 'content-range': expect.stringMatching(/^bytes 0-9\//) },
    ],
    [
      '/tile/0/000',
      { Range: 'bytes=9000-' },
      416,
      { ...TEXT, 'cache-control': 'no-store', 'content-range': 'bytes */8192', etag: undefined },
    ],
  ] as const)('%s to %o have these fields and no others', async (path, asked, expected, fields) => {
    const { status, headers } = await get(path, asked)
    expect(status).toBe(expected)
    expect(ownFields(headers)).toEqual({ ...EVERYWHERE, ...fields, 'content-length': expect.any(String) })
    if (status !== 200) return
    // What is not sent again has a validator, and neither a type nor a coding.
    const again = await get(path, { ...asked, 'If-None-Match': headers.etag ?? '' })
    const { 'content-type': _type, ...kept } = { ...EVERYWHERE, ...fields, 'content-encoding': undefined }
    expect([again.status, ownFields(again.headers)]).toEqual([304, { ...kept, etag: headers.etag }])
  })

  it('to HEAD have the same head and no body, and another method is refused', async () => {
    for (const path of ['/checkpoint', '/tile/0/000', '/tile/entries/000']) {
      const { headers, text } = await get(path)
      const head = await ask(log.port, `/log${path}`, { method: 'HEAD' })
      expect([head.status, head.text]).toEqual([200, ''])
      expect(head.headers).toMatchObject({ etag: headers.etag, 'content-length': headers['content-length'] })
      expect(text).not.toBe('')
    }
    const refused = await ask(log.port, '/log/checkpoint', { method: 'POST', body: 'x' })
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  it('have a validator, and are not sent again to those that have it', async () => {
    for (const path of ['/checkpoint', '/tile/0/000', '/policy']) {
      const { etag = '' } = (await get(path)).headers
      const again = await get(path, { 'If-None-Match': `"other", ${etag}` })
      expect([again.status, again.text]).toEqual([304, ''])
      expect((await get(path, { 'If-None-Match': '"other"' })).status).toBe(200)
    }
  })

  it('may be asked for in part', async () => {
    const whole = await bytesOf('/tile/0/000')
    const { etag = '' } = (await get('/tile/0/000')).headers
    const part = async (range: string, headers: Readonly<Record<string, string>> = {}) => {
      const told = { Range: range, ...headers }
      const { status, headers: answered } = await get('/tile/0/000', told)
      return { status, bytes: await bytesOf('/tile/0/000', told), range: answered['content-range'] }
    }
    for (const [asked, from, to] of [
      ['bytes=0-31', 0, 32],
      ['bytes=8160-', 8_160, 8_192],
      ['bytes=8160-9999', 8_160, 8_192],
      ['bytes=-32', 8_160, 8_192],
      ['bytes=-9999', 0, 8_192],
    ] as const) {
      const { status, bytes, range } = await part(asked)
      expect([asked, status, range]).toEqual([asked, 206, `bytes ${from}-${to - 1}/8192`])
      expect(bytes.equals(whole.subarray(from, to))).toBe(true)
    }
    for (const ignored of ['bytes=0-1,4-5', 'bytes=5-4', 'items=0-1', 'bytes=-', 'bytes=x-'])
      expect([ignored, (await part(ignored)).status]).toEqual([ignored, 200])
    for (const beyond of ['bytes=8192-', 'bytes=-0']) {
      const answer = await get('/tile/0/000', { Range: beyond })
      expect([answer.status, answer.headers['content-range']]).toEqual([416, 'bytes */8192'])
      expect(answer.text).toBe('')
    }
    expect((await part('bytes=0-31', { 'If-Range': etag })).status).toBe(206)
    expect((await part('bytes=0-31', { 'If-Range': '"other"' })).status).toBe(200)
    const entries = await get('/tile/entries/000', { Range: 'bytes=0-1', 'Accept-Encoding': 'gzip' })
    expect([entries.status, entries.headers['content-encoding']]).toEqual([206, undefined])
  })
})

describe('proofs', () => {
  it('of a leaf are in the checkpoint that is shown, and carry the block’s standing signature', async () => {
    const proof = readLogProof((await get('/proof/599')).text)
    expect(proof.checkpoint).toBe((await get('/checkpoint')).text)
    const root = log.tree.root(0, SIZE)
    const { index, hashes, extra } = proof
    expect(verifyInclusion({ index, size: SIZE, leaf: log.tree.leafOf(599), proof: hashes, root })).toBe(true)
    expect(extra && toHex(extra)).toBe(toHex(Buffer.alloc(64, 599)))
  })

  it('of consistency are one hash a line, and empty where nothing is to prove', async () => {
    const { text } = await get('/consistency/300/599')
    const proof = readHashLines(text.trimEnd().split('\n'))
    const oldRoot = log.tree.root(0, 300)
    const newRoot = log.tree.root(0, 599)
    expect(verifyConsistency({ oldSize: 300, oldRoot, newSize: 599, newRoot, proof })).toBe(true)
    for (const path of ['/consistency/0/600', '/consistency/600/600']) {
      const answer = await get(path)
      expect([answer.status, answer.text]).toEqual([200, ''])
    }
  })
})

describe('a log that is not public', () => {
  it('needs a credential, and its answers are for that caller alone', async () => {
    const closed = await openMemoryLog({ entries: 3, isPublic: false })
    for (const path of ['/checkpoint', '/tile/0/000.p/3', '/nothing'])
      for (const headers of [{}, { Authorization: 'Bearer nonsense' }]) {
        const refused = await ask(closed.port, `/log${path}`, { headers })
        expect(refused.status).toBe(401)
        expect(refused.headers['www-authenticate']).toContain('resource_metadata="https://ledger.example/')
      }
    const answer = await ask(closed.port, '/log/tile/0/000.p/3', { key: 'reader' })
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toBe('private, max-age=31536000, immutable')
    expect(answer.headers.vary).toContain('Authorization')
    await closed.close()
  })
})

describe('an answer that caches keep for a year', () => {
  it.each([
    ['tile/0/000', {}, 200],
    ['tile/entries/000', {}, 200],
    ['tile/entries/000', { range: 'bytes=0-9' }, 206],
    ['consistency/1/2', {}, 200],
  ])('says nothing of the request: %s %o', async (path, headers, status) => {
    const answer = await get(`/${path}`, headers)
    expect([answer.status, answer.headers['cache-control']]).toEqual([
      status,
      expect.stringMatching('immutable'),
    ])
    const again = await get(`/${path}`, { 'if-none-match': answer.headers.etag ?? '' })
    expect(again.status).toBe(304)
    for (const { headers: fields } of [answer, again])
      expect(Object.keys(fields).filter((name) => /^(x-request-id|ratelimit)/.test(name))).toEqual([])
  })

  it('is none where the answer may change, and when it is refused', async () => {
    for (const path of ['/checkpoint', '/policy', '/tile/0/999'])
      expect((await get(path)).headers).toMatchObject({
        'x-request-id': expect.any(String),
        ratelimit: expect.any(String),
      })
  })
})

describe('the files beside the tiles', () => {
  it('are those of the checkpoint that is shown, and of no later one', async () => {
    log.show(300)
    expect((await get('/keyring.json')).text).toBe('keys of 300')
    expect((await get('/epochs/bitcoin/2.json')).text).toBe('epochs/bitcoin 2')
    expect((await get('/epochs/bitcoin/3.json')).status).toBe(404)
    log.show(undefined)
    for (const path of ['/keyring.json', '/epochs/bitcoin/0.json']) expect((await get(path)).status).toBe(404)
    log.show(SIZE)
  })

  it.each([
    '/keyring',
    '/keyring.json/',
    '/epochs',
    '/epochs/bitcoin',
    '/epochs/bitcoin/0',
    '/epochs/bitcoin/00.json',
    '/epochs/bitcoin/-1.json',
    '/epochs/bitcoin/1e0.json',
    '/epochs/bitcoin/99999999999.json',
    '/epochs/bitcoin-moon/0.json',
    '/epochs/moon/0.json',
    '/epochs/bitcoin/../bitcoin/0.json',
  ])('have no address %s', async (path) => {
    expect((await get(path)).status).toBe(404)
  })
})

describe('the budget', () => {
  it('is that of the address alone, also with a credential, and for what is not there', async () => {
    const tight = await openMemoryLog({ entries: 3, isPublic: false, budget: 2 })
    expect((await ask(tight.port, '/log/checkpoint', { key: 'reader' })).headers.ratelimit).toBe(
      '"address";r=1',
    )
    expect((await ask(tight.port, '/log/nothing', { key: 'reader' })).status).toBe(404)
    const refused = await ask(tight.port, '/log/checkpoint', { key: 'reader' })
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
    await tight.close()
  })

  it('of tiles, bundles and epochs is another one than that of the rest', async () => {
    const tight = await openMemoryLog({ entries: SIZE, isPublic: true, budget: 1, tileBudget: 3 })
    const statusOf = async (path: string) => (await ask(tight.port, `/log/${path}`)).status
    const many = ['epochs/bitcoin/0.json', 'tile/entries/001', 'tile/0/999']
    expect(await Promise.all(many.map(statusOf))).toEqual([200, 200, 404])
    expect(await statusOf('tile/0/001')).toBe(429)
    expect([await statusOf('checkpoint'), await statusOf('checkpoint')]).toEqual([200, 429])
    await tight.close()
  })
})
