// What is sealed is sealed under the master key in force, whoever changes it meanwhile; and nothing is sealed elsewhere.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { rewrapSecrets } from '../../server/commands/key.ts'
import { makeGenesis } from '../../server/domain/ledger/insert_block.ts'
import { createSigner, rotateKey } from '../../server/domain/ledger/signing_key.ts'
import { acceptFork, prepareLog } from '../../server/domain/log/origins.ts'
import { rotateCertificate } from '../../server/domain/time_stamps/certificates.ts'
import {
  createEndpoint,
  type EndpointChange,
  updateEndpoint,
} from '../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { rotateSecret } from '../../server/domain/webhooks/endpoints/change_signing.ts'
import { openSecret, type WebhookEndpoint } from '../../server/domain/webhooks/endpoints/endpoint.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { SEALED_COLUMNS, type SealedName } from '../../server/store/database.ts'
import { keyInForce, openSealed, type Sealing, seal, unopenedValues } from '../../server/store/seal.ts'
import { inTransaction } from '../../server/store/statement.ts'
import { type Held, hold, somebodyWaits } from '../domain/ledger/until.ts'
import { loseBlocks } from '../support/lost_checkpoint.ts'
import { row, rows } from '../support/rows.ts'
import { freshLedger } from '../support/test_ledger.ts'

const SECRET = 'webhook_endpoints.sealed_auth_secret'
const next = masterKey(Buffer.alloc(32, 9))

const ledger = freshLedger()
let endpoint: WebhookEndpoint
let held: Held<unknown>[]
beforeEach(async () => {
  held = []
  endpoint = await createEndpoint(own(), { ...WANTED, userId: ledger.userId, authSecret: 'the first' })
})
afterEach(async () => {
  for (const one of held) await one.rollBack()
})

const WANTED = {
  url: 'https://hooks.example.com/x',
  resourceType: 'item',
  events: ['item.created'],
  authType: 'bearer',
} as const

const em = () => ledger.store.em()
const own = (): Sealing => ({ em: em(), masterKey: ledger.masterKey })
const rewrap = (from = ledger.masterKey, to = next) =>
  rewrapSecrets({ em: ledger.store.em('ledger'), from, to })
const storedSecret = async (key = ledger.masterKey) => {
  const { secret } = await row<{ secret: Buffer }>(
    em(),
    'SELECT sealed_auth_secret AS secret FROM webhook_endpoints WHERE id = $1',
    [endpoint.id],
  )
  return openSecret(key, endpoint.id, secret)
}
/** Seals another secret, in a transaction that stays open. */
const sealing = async (secret: string) => {
  const one = await hold(em(), async (tx) => ({
    tx,
    sealed: await seal({ em: tx, masterKey: ledger.masterKey }, SECRET, endpoint.id, Buffer.from(secret)),
  }))
  held.push(one)
  const { tx, sealed } = one.result
  return {
    store: async () => {
      await rows(tx, 'UPDATE webhook_endpoints SET sealed_auth_secret = $2 WHERE id = $1', [
        endpoint.id,
        sealed,
      ])
      await one.commit()
    },
  }
}

describe('sealing beside a change of the master key', () => {
  it('before it: the change waits until it is stored, and seals it anew', async () => {
    const first = await sealing('sealed before')
    const changed = rewrap()
    await somebodyWaits(em())
    await first.store()
    await changed
    expect(await storedSecret(next)).toBe('sealed before')
  })

  it('while it waits or works: is refused at once, waits for nothing, and is not what it waits for', async () => {
    const first = await sealing('sealed before')
    const changed = rewrap()
    await somebodyWaits(em())
    await expect(sealing('too late')).rejects.toMatchObject({
      problems: [{ code: 'master_key_changed', detail: expect.stringContaining('is being changed') }],
    })
    await first.store()
    await changed
    expect(await storedSecret(next)).toBe('sealed before')
  })

  it('after it: is refused with what to do, until the key of this process is in force again', async () => {
    await rewrap()
    await expect(sealing('too late')).rejects.toMatchObject({
      problems: [{ code: 'master_key_changed', detail: expect.stringContaining('must be restarted') }],
    })
    expect(await storedSecret(next)).toBe('the first')
    await rewrap(next, ledger.masterKey)
    await (await sealing('sealed after')).store()
    expect(await storedSecret()).toBe('sealed after')
  })

  it('that fails: goes on with the key of before', async () => {
    await rows(em(), `UPDATE log_keys SET sealed_seed = sealed_seed || '\\x00'`)
    await expect(rewrap()).rejects.toThrow('does not open')
    expect(await keyInForce(em())).toBe(ledger.masterKey.fingerprint)
    await (await sealing('sealed after')).store()
    expect(await storedSecret()).toBe('sealed after')
  })

  it('of two changes at once the second changes nothing', async () => {
    const others = [masterKey(Buffer.alloc(32, 10)), masterKey(Buffer.alloc(32, 11))]
    const results = await Promise.allSettled(others.map((to) => rewrap(ledger.masterKey, to)))
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const winner = others[results.findIndex(({ status }) => status === 'fulfilled')] ?? next
    expect(await keyInForce(em())).toBe(winner.fingerprint)
    expect(await storedSecret(winner)).toBe('the first')
  })

  it('outside a transaction is a mistake of the program', async () => {
    await expect(seal(own(), SECRET, endpoint.id, Buffer.of(1))).rejects.toThrow('by a transaction only')
  })
})

describe('opening', () => {
  it('tells a changed value from a key that is not in force any more', async () => {
    const { secret } = await row<{ secret: Buffer }>(
      em(),
      'SELECT sealed_auth_secret AS secret FROM webhook_endpoints',
    )
    const open = (sealed: Buffer) => openSealed(own(), SECRET, endpoint.id, sealed)
    expect((await open(secret)).toString()).toBe('the first')
    const changed = Buffer.concat([secret, Buffer.of(0)])
    await expect(open(changed)).rejects.toMatchObject({ name: 'SealBroken' })
    await rewrap()
    expect((await open(secret)).toString()).toBe('the first')
    await expect(open(changed)).rejects.toMatchObject({ code: 'master_key_changed' })
  })
})

describe('every sealed column', () => {
  it('is known, so that rewrap and doctor go through it', async () => {
    const stored = await rows<{ name: string }>(
      em(),
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND column_name LIKE '%sealed%'`,
    )
    expect(stored.map(({ name }) => name).toSorted()).toEqual(Object.keys(SEALED_COLUMNS).toSorted())
  })

  interface Way {
    readonly what: string
    /** Tables that must be empty for it. Nothing minds that they are. */
    readonly without?: readonly string[]
    readonly afterLoss?: boolean
    /** The endpoint signs already. */
    readonly signs?: boolean
    readonly run: (sealing: Sealing) => Promise<unknown>
  }
  const change = (attributes: EndpointChange) => (sealing: Sealing) =>
    updateEndpoint(sealing, { id: endpoint.id, userId: ledger.userId }, { description: 'new', ...attributes })
  const create = (attributes: EndpointChange) => (sealing: Sealing) =>
    createEndpoint(sealing, { ...WANTED, authType: 'none', userId: ledger.userId, ...attributes })
  const headers = { customHeaders: [['X-Trace', 'on']] } as const
  const secret = { authType: 'bearer', authSecret: 'another' } as const
  const ways: Readonly<Record<SealedName, readonly [Way, ...Way[]]>> = {
    'signing_keys.sealed_seed': [
      { what: 'a rotation', run: (sealing) => rotateKey(sealing, { emergency: false }) },
      {
        what: 'the first block',
        without: ['blocks', 'signing_keys', 'log_tiles'],
        run: (sealing) => makeGenesis({ ...sealing, signer: createSigner(sealing) }),
      },
    ],
    'log_keys.sealed_seed': [
      {
        what: 'an accepted fork',
        afterLoss: true,
        run: (sealing) => acceptFork(sealing, { reason: 'a test' }),
      },
      {
        what: 'the first start with a log',
        without: ['log_checkpoints', 'log_keys'],
        run: (sealing) => prepareLog({ ...sealing, tell: () => undefined }, { origin: 'example.com/log' }),
      },
    ],
    'time_stamp_certificates.sealed_key': [
      { what: 'a new certificate for time stamps', run: (sealing) => rotateCertificate(sealing, 'p256') },
    ],
    'webhook_endpoints.sealed_auth_secret': [
      { what: 'a new endpoint', run: create(secret) },
      { what: 'another secret', run: change(secret) },
    ],
    'webhook_endpoints.sealed_custom_headers': [
      { what: 'a new endpoint with headers', run: create(headers) },
      { what: 'other headers', run: change(headers) },
    ],
    'webhook_endpoints.sealed_signing_keys': [
      { what: 'a new endpoint that signs', run: create({ signing: 'v1' }) },
      { what: 'one that begins to sign', run: change({ signing: 'v1a' }) },
      {
        what: 'a new key',
        signs: true,
        run: (sealing) => rotateSecret(sealing, { id: endpoint.id, userId: ledger.userId, overlap: 60 }),
      },
    ],
  }
  const cases = Object.entries(ways).flatMap(([name, all]) =>
    all.map((way) => [name, way.what, way] as const),
  )
  const prepare = async ({ without = [], afterLoss = false, signs = false }: Way): Promise<void> => {
    if (afterLoss) await loseBlocks(own())
    if (signs) await change({ signing: 'v1' })(own())
    await inTransaction(em(), async (tx) => {
      await rows(tx, `SET LOCAL session_replication_role = 'replica'`)
      for (const table of without) await rows(tx, `DELETE FROM ${table}`)
    })
  }

  it.each(cases)(
    '%s: %s is refused under a key that is not in force, and changes nothing',
    async (name, _, way) => {
      const stored = () => rows(em(), `SELECT * FROM ${name.split('.')[0]} ORDER BY 1`)
      await prepare(way)
      const before = await stored()
      await expect(way.run({ em: em(), masterKey: next })).rejects.toMatchObject({
        code: 'master_key_changed',
      })
      expect(await stored()).toEqual(before)
    },
  )

  it.each(cases)('%s: %s is sealed under the key in force', async (_, __, way) => {
    await prepare(way)
    await way.run(own())
    for await (const { table, id } of unopenedValues(own())) expect.fail(`${table} ${id}`)
  })

  it('is written by one function: nothing else in the service seals', () => {
    const server = resolve(import.meta.dirname, '..', '..', 'server')
    const sources = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.[jt]s$/.test(name),
    )
    const sealers = sources.filter((name) =>
      /\.\s*seal\s*\(|\bcreateCipher/.test(readFileSync(join(server, name), 'utf8')),
    )
    expect(sealers.toSorted()).toEqual(['kernel/sealed.ts', 'store/seal.ts'])
  })
})
