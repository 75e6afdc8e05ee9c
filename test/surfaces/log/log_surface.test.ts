// The public log of a real service: who may read it, what it shows of the ledger, and what its witnesses make of it.

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logKeyInUse } from '../../../server/domain/log/log_rows.ts'
import { acceptFork } from '../../../server/domain/log/origins.ts'
import { addressRanges } from '../../../server/kernel/addresses.ts'
import { readWitnessPolicy } from '../../../server/start/brought_files.ts'
import { openCheckpoint } from '../../../shared/log/checkpoint.ts'
import { entryLeafHash, readEntryBundle } from '../../../shared/log/log_entry.ts'
import { readHash, readNote } from '../../../shared/log/signed_note.ts'
import { keyLabel, type VerifierKey, writeVerifierKey } from '../../../shared/log/verifier_key.ts'
import { toHex, utf8 } from '../../../shared/proof/bytes.ts'
import { rootOf } from '../../../shared/proof/merkle.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { ask, eventually } from '../../support/http.ts'
import { lostCheckpoint } from '../../support/lost_checkpoint.ts'
import { makeTemporaryFolder } from '../../support/temporary_folder.ts'
import { testApp } from '../../support/test_app.ts'
import { openWitness, type TestWitness } from '../../support/witness.ts'

const app = testApp()
let logKey: VerifierKey
/** What a witness has seen and the ledger does not have. */
let signed: string
beforeAll(async () => {
  const key = await logKeyInUse(app.store.em())
  if (key === undefined) throw new Error('There is no key.')
  logKey = key.verifier
  await app.finalize(3)
})

/** Without a credential when the key is null. */
const get = (path: string, port = app.port, key: string | null = app.owner.key) =>
  ask(port, `/log${path}`, key === null ? {} : { key })

/** The checkpoint of so many leaves, when it is shown. */
const shownAt = (size: number, port = app.port) =>
  eventually(async () => {
    const { status, text } = await get('/checkpoint', port)
    return status === 200 && openCheckpoint(utf8(text), logKey).size === size ? text : undefined
  })

const sizeNow = async (): Promise<number> => {
  const [row] = await app.query<{ size: number }>('SELECT max(height) + 1 AS size FROM blocks')
  return row?.size ?? 0
}

describe('the public log', () => {
  it('needs a credential of the API that may read, whatever is asked for', async () => {
    for (const path of ['/checkpoint', '/tile/0/000.p/1', '/history', '/nothing', '']) {
      const answer = await get(path, app.port, null)
      expect([path, answer.status]).toEqual([path, 401])
      expect(answer.json()).toMatchObject({ errors: [{ code: 'unauthorized' }] })
    }
    expect((await get('/checkpoint')).status).toBe(200)
    expect((await get('/nothing')).json()).toMatchObject({ errors: [{ status: '404' }] })
  })

  it('shows the tree over the blocks, and its policy and history', async () => {
    const size = await sizeNow()
    const { root } = openCheckpoint(utf8(await shownAt(size)), logKey)
    const bundle = await get(`/tile/entries/000.p/${size}`)
    expect(bundle.status).toBe(200)
    const tile = await get(`/tile/0/000.p/${size}`)
    expect(tile.headers['content-length']).toBe(String(32 * size))
    const proof = await get(`/proof/${size - 1}`)
    expect(proof.text).toContain(`index ${size - 1}\n`)
    const consistency = await get(`/consistency/${size}/${size}`)
    expect([consistency.status, consistency.text]).toEqual([200, ''])
    expect(toHex(root)).toMatch(/^[0-9a-f]{64}$/)
    const policy = `log ${writeVerifierKey(logKey)} ${app.base}/log\nquorum none\n`
    expect((await get('/policy')).text).toBe(policy)
    expect((await get('/history')).json()).toEqual([])
  })

  it('is open to anybody when it is public, with its leaves hashed from its entries', async () => {
    const open = await openTestApp({ beside: app, logIsPublic: true })
    const size = await sizeNow()
    const { root } = openCheckpoint(utf8(await shownAt(size, open.port)), logKey)
    const answer = await fetch(`${open.base}/log/tile/entries/000.p/${size}`)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    const entries = readEntryBundle(new Uint8Array(await answer.arrayBuffer()), size)
    expect(toHex(rootOf(entries.map(entryLeafHash)))).toBe(toHex(root))
    const { text } = await get('/consistency/1/2', open.port, null)
    expect(readHash(text.trimEnd())).toEqual(entryLeafHash(entries[1] ?? new Uint8Array()))
    await open.stop()
    await open.store.close()
  })

  it('has a budget of its own for each address, which callers do not spend', async () => {
    const limits = { LIMIT_ADDRESS_PER_MINUTE: 2, LIMIT_CALLER_PER_MINUTE: 1 }
    const tight = await openTestApp({ beside: app, limits })
    const statuses: number[] = []
    for (let tries = 0; tries < 3; tries++) statuses.push((await get('/policy', tight.port)).status)
    // The clock minute may have ended in between.
    expect(statuses.slice(0, 2)).toEqual([200, 200])
    expect([200, 429]).toContain(statuses[2])
    const [other] = [await ask(tight.port, '/api/json/beacons/latest', { key: app.owner.key })]
    expect(other.status).toBe(200)
    await tight.stop()
    await tight.store.close()
  })
})

describe('with witnesses', () => {
  let folder: string
  let file: string
  let steady: TestWitness
  let shaky: TestWitness
  let witnessed: TestApp
  const network = { allow: addressRanges('127.0.0.0/8') }
  beforeAll(async () => {
    folder = await makeTemporaryFolder('pharos-test-')
    file = join(folder, 'policy')
    steady = await openWitness({ name: 'steady.example', logKey: () => logKey })
    shaky = await openWitness({ name: 'shaky.example', type: 'ml-dsa-44', logKey: () => logKey })
    shaky.behave((response) => response.destroy())
    steady.behave((response) => response.writeHead(503).end())
    const lines = [`log ${writeVerifierKey(logKey)}\n`, steady.policyLine('A'), shaky.policyLine('B')]
    await writeFile(file, `${lines.join('')}group G any A B\nquorum G\n`)
    witnessed = await openTestApp({ beside: app, witnessPolicy: file, webhooks: network })
  })
  afterAll(async () => {
    await witnessed?.stop()
    await witnessed?.store.close()
    for (const one of [steady, shaky]) await one?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('no checkpoint is shown before one meets the quorum, and blocks are made all the same', async () => {
    await witnessed.finalize(1)
    expect((await get('/checkpoint', witnessed.port)).status).toBe(404)
    expect((await get('/tile/0/000.p/1', witnessed.port)).status).toBe(404)
    expect((await get('/policy', witnessed.port)).text).toContain('quorum G\n')
    // A server without a policy shows the newest one.
    await shownAt(await sizeNow())
  })

  it('the newest checkpoint that meets the quorum is shown, and missing witnesses are named', async () => {
    steady.behave(undefined)
    await witnessed.finalize(1)
    const note = readNote(utf8(await shownAt(await sizeNow(), witnessed.port)))
    expect(note.signatures.map(({ name }) => name)).toEqual([logKey.name, 'steady.example'])
    const ready = await eventually(async () => {
      const answer = await ask(witnessed.port, '/health/ready')
      const told = JSON.stringify(answer.json())
      return told.includes('"trouble":"unreachable"') && told.includes('"trouble":null') ? answer : undefined
    })
    expect(ready.status).toBe(200)
    expect(ready.json()).toMatchObject({
      witnesses: [
        { witness: keyLabel(steady.key), missing_since: null, trouble: null },
        { witness: keyLabel(shaky.key), missing_since: expect.any(String), trouble: 'unreachable' },
      ],
    })
    const { text } = await ask(witnessed.port, '/metrics')
    expect(text).toContain(`pharos_witness_missing_seconds{witness="${keyLabel(steady.key)}"} 0`)
    expect(text).toContain('pharos_log_unwitnessed_blocks 0')
    expect(text).toMatch(/pharos_witness_missing_seconds\{witness="shaky.example[^}]*\} [0-9.]*[1-9]/)
  })

  it('a witness that is back is no longer missing', async () => {
    shaky.behave(undefined)
    steady.behave((response) => response.writeHead(503).end())
    await witnessed.finalize(1)
    const note = readNote(utf8(await shownAt(await sizeNow(), witnessed.port)))
    expect(note.signatures.map(({ name }) => name)).toContain('shaky.example')
  })

  it('a larger checkpoint with our signature that a witness has seen is evidence, and stops the log on every server', async () => {
    const size = (await sizeNow()) + 1_000
    signed = await lostCheckpoint({ em: app.store.em(), masterKey: app.masterKey }, size)
    steady.behave(undefined)
    steady.remember(utf8(signed))
    await witnessed.finalize(1)
    const both = { signed, found: expect.stringContaining(`${logKey.name}\n`) }
    // The other server asks no witness, and remembers nothing.
    for (const { logged, port } of [witnessed, app]) {
      const line = await eventually(() => logged.find(({ msg }) => msg === 'log.behind_what_was_signed'))
      expect(line).toMatchObject(both)
      const ready = await eventually(async () => {
        const answer = await ask(port, '/health/ready')
        return answer.status === 503 ? answer : undefined
      })
      expect(ready.json()).toMatchObject({ reason: 'behind_what_was_signed', public_log: both })
      expect((await ask(port, '/api/json/beacons/latest', { key: app.owner.key })).status).toBe(200)
    }
  })

  it.each([
    ['does not name our log', 'quorum none\n', 'no line for our own log'],
    ['names an unsupported key', 'witness W a.example+00000000+BQAA\n', 'line 1: keys of type 0x05'],
    ['is not there', undefined, 'ENOENT'],
  ])('a policy that %s stops the start', async (_, text, words) => {
    const other = join(folder, 'other')
    if (text !== undefined) await writeFile(other, text)
    const started = readWitnessPolicy(app.store.em(), text === undefined ? `${other}-` : other)
    await expect(started).rejects.toThrow(words)
  })
})

describe('after a fork was accepted', () => {
  it('the history has the retired origin with its key, its last checkpoint and the reason; the new one goes on', async () => {
    await acceptFork({ em: app.store.em(), masterKey: app.masterKey }, { reason: 'a disk was lost' })
    const history = await get('/history')
    expect(history.json()).toEqual([
      {
        origin: logKey.name,
        key: writeVerifierKey(logKey),
        checkpoint: signed,
        retired_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        reason: 'a disk was lost',
      },
    ])
    const key = await logKeyInUse(app.store.em())
    const next = await eventually(async () => {
      const { text } = await get('/checkpoint')
      return text.startsWith(`${logKey.name}-2\n`) ? text : undefined
    })
    expect(key && openCheckpoint(utf8(next), key.verifier).size).toBe(await sizeNow())
    expect((await get('/policy')).text).toContain(`log ${logKey.name}-2+`)
  })
})
