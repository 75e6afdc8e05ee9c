// A new master key opens what endpoints are called with, or nothing has changed; what no key opens is named.
import { beforeAll, describe, expect, it } from 'vitest'
import { rewrapSecrets } from '../../../server/commands/key.ts'
import { openHeaders, openSecret } from '../../../server/domain/webhooks/endpoints/endpoint.ts'
import { makeEndpointKey, openSigningKeys } from '../../../server/domain/webhooks/endpoints/signing_keys.ts'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import { masterKey, SealBroken } from '../../../server/kernel/sealed.ts'
import { placeOf } from '../../../server/store/database.ts'
import { keyInForce } from '../../../server/store/seal.ts'
import { rows } from '../../support/rows.ts'
import { testLedger } from '../../support/test_ledger.ts'

interface Sealed {
  readonly id: string
  readonly secret: Buffer | null
  readonly headers: Buffer | null
  readonly keys: Buffer | null
}

const ledger = testLedger()
const next = masterKey(Buffer.alloc(32, 9))
const former = masterKey(Buffer.alloc(32, 6))
const HEADERS = [['x-trace', 'on']] as const
/** More than one piece. */
const ids = Array.from({ length: 1_100 }, () => newUuid7()).toSorted()

const SECRET = 'webhook_endpoints.sealed_auth_secret'
const sealedSecret = (key: typeof next, id: string, secret: string): Buffer =>
  key.seal(Buffer.from(secret), placeOf(SECRET, id))
const sealedHeaders = (key: typeof next, id: string): Buffer =>
  key.seal(Buffer.from(JSON.stringify(HEADERS)), placeOf('webhook_endpoints.sealed_custom_headers', id))

const KEYS = [makeEndpointKey('v1'), { ...makeEndpointKey('v1'), ends_at: '2099-01-01T00:00:00.000Z' }]
const sealedKeys = (key: typeof next, id: string): Buffer =>
  key.seal(Buffer.from(JSON.stringify(KEYS)), placeOf('webhook_endpoints.sealed_signing_keys', id))

beforeAll(async () => {
  // With and without each of the three.
  await rows(
    ledger.store.em(),
    `INSERT INTO webhook_endpoints (id, user_id, url, resource_type, events, auth_type, sealed_auth_secret,
                                    sealed_custom_headers, custom_header_names, signing, sealed_signing_keys, enabled)
     SELECT id, $1, 'https://hooks.example.com/x', 'item', '{item.created}',
            CASE WHEN secret IS NULL THEN 'none' ELSE 'bearer' END, secret, headers,
            CASE WHEN headers IS NULL THEN '{}'::text[] ELSE '{x-trace}' END,
            CASE WHEN keys IS NULL THEN 'none' ELSE 'v1' END, keys, true
       FROM unnest($2::text[], $3::bytea[], $4::bytea[], $5::bytea[]) AS e (id, secret, headers, keys)`,
    [
      ledger.userId,
      ids,
      ids.map((id, at) => (at % 2 === 0 ? sealedSecret(ledger.masterKey, id, `secret ${at}`) : null)),
      ids.map((id, at) => (at % 3 === 0 ? sealedHeaders(ledger.masterKey, id) : null)),
      ids.map((id, at) => (at % 5 === 0 ? sealedKeys(ledger.masterKey, id) : null)),
    ],
  )
})

const stored = () =>
  rows<Sealed>(
    ledger.store.em(),
    `SELECT id, sealed_auth_secret AS secret, sealed_custom_headers AS headers, sealed_signing_keys AS keys
       FROM webhook_endpoints ORDER BY id`,
  )
const store = (id: string, secret: Buffer) =>
  rows(ledger.store.em(), 'UPDATE webhook_endpoints SET sealed_auth_secret = $2 WHERE id = $1', [id, secret])
const rewrap = (from: typeof next, to: typeof next, leaveUnopened = false) =>
  rewrapSecrets({ em: ledger.store.em('ledger'), from, to }, { leaveUnopened })
const inForce = () => keyInForce(ledger.store.em())

describe('secrets of webhook endpoints', () => {
  it('stay as they are when another key is in force than the one given', async () => {
    const before = await stored()
    await expect(rewrap(former, next)).rejects.toMatchObject({ code: 'master_key_changed' })
    expect([await stored(), await inForce()]).toEqual([before, ledger.masterKey.fingerprint])
  })

  it('open under the new master key, and no more under the old one', async () => {
    const { sealed, unopened } = await rewrap(ledger.masterKey, next)
    expect(Object.fromEntries(sealed ?? [])).toEqual({
      signing_keys: 2,
      time_stamp_certificates: 0,
      log_keys: 1,
      webhook_endpoints: 550 + 367 + 220,
    })
    expect(unopened).toEqual([])
    expect(await inForce()).toBe(next.fingerprint)
    for (const { id, secret, headers, keys } of await stored()) {
      if (secret !== null) {
        expect(openSecret(next, id, secret)).toMatch(/^secret \d+$/)
        expect(() => openSecret(ledger.masterKey, id, secret)).toThrow(SealBroken)
      }
      if (headers !== null) expect(openHeaders(next, id, headers)).toEqual(HEADERS)
      if (keys !== null) {
        expect(openSigningKeys(next, id, keys)).toEqual(KEYS)
        expect(() => openSigningKeys(ledger.masterKey, id, keys)).toThrow(SealBroken)
      }
    }
  })

  it('are sealed once, however often that is asked', async () => {
    const before = await stored()
    expect(await rewrap(ledger.masterKey, next)).toEqual({ sealed: undefined, unopened: [] })
    expect(await rewrap(next, next)).toEqual({ sealed: undefined, unopened: [] })
    expect(await stored()).toEqual(before)
  })
})

describe('values that the key in force does not open', () => {
  const lost = ids[0] ?? ''
  const [broken, formerly] = [ids[2] ?? '', ids[1_098] ?? '']
  const all = [lost, broken, formerly]
  const named = all.map((id) => ({ table: 'webhook_endpoints', id, column: 'sealed_auth_secret' }))

  beforeAll(async () => {
    await store(lost, sealedSecret(masterKey(Buffer.alloc(32, 99)), lost, 'nobody has this key'))
    await store(broken, Buffer.from('no sealed value'))
    await store(formerly, sealedSecret(former, formerly, 'of a former key'))
  })

  it('are all named, nothing is changed, and it is said what to do', async () => {
    const before = await stored()
    const refused = await rewrap(next, ledger.masterKey).catch(String)
    expect(refused).toContain(
      '3 sealed values do not open under the master key in force. Nothing was changed.',
    )
    for (const id of all) expect(refused).toContain(`webhook_endpoints ${id}: sealed_auth_secret`)
    expect(refused).toMatch(/rewrap to that key, and then to the new one.*\n.*\n--leave-unopened/)
    expect(refused).not.toContain('no sealed value')
    expect([await stored(), await inForce()]).toEqual([before, next.fingerprint])
  })

  it('stay as they are when told so, and everything else goes on', async () => {
    const before = new Map((await stored()).map((one) => [one.id, one.secret]))
    const { sealed, unopened } = await rewrap(next, ledger.masterKey, true)
    expect(unopened).toEqual(named)
    expect(sealed?.get('webhook_endpoints')).toBe(550 + 367 + 220 - 3)
    for (const { id, secret } of await stored())
      if (all.includes(id)) expect(secret).toEqual(before.get(id))
      else if (secret !== null) expect(openSecret(ledger.masterKey, id, secret)).toMatch(/^secret \d+$/)
  })

  it('come back by a rewrap to the former key under which they were sealed, and back', async () => {
    const left = named.filter(({ id }) => id !== formerly)
    expect((await rewrap(ledger.masterKey, former, true)).unopened).toEqual(left)
    expect((await rewrap(former, next, true)).unopened).toEqual(left)
    const found = (await stored()).find(({ id }) => id === formerly)
    expect(openSecret(next, formerly, found?.secret ?? Buffer.of())).toBe('of a former key')
  })
})
