// A new master key opens what endpoints are called with, or nothing has changed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rewrapSecrets } from '../../../server/commands/rewrap_secrets.ts'
import { openHeaders, openSecret, sealHeaders, sealSecret } from '../../../server/domain/webhooks/endpoint.ts'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import { masterKey, SealBroken } from '../../../server/kernel/sealed.ts'
import { openTestLedger, type TestLedger } from '../../support/ledger.ts'
import { rows } from '../../support/rows.ts'

interface Sealed {
  readonly id: string
  readonly secret: Buffer | null
  readonly headers: Buffer | null
}

let ledger: TestLedger
const next = masterKey(Buffer.alloc(32, 9))
const HEADERS = [['x-trace', 'on']] as const

beforeAll(async () => {
  ledger = await openTestLedger()
  // More than one piece, with and without each of the two.
  const ids = Array.from({ length: 1_100 }, () => newUuid7())
  await rows(
    ledger.store.em(),
    `INSERT INTO webhook_endpoints (id, user_id, url, resource_type, events, auth_type, sealed_auth_secret,
                                    sealed_custom_headers, custom_header_names, enabled)
     SELECT id, $1, 'https://hooks.example.com/x', 'item', '{item.created}',
            CASE WHEN secret IS NULL THEN 'none' ELSE 'bearer' END, secret, headers,
            CASE WHEN headers IS NULL THEN '{}'::text[] ELSE '{x-trace}' END, true
       FROM unnest($2::text[], $3::bytea[], $4::bytea[]) AS e (id, secret, headers)`,
    [
      ledger.userId,
      ids,
      ids.map((id, at) => (at % 2 === 0 ? sealSecret(ledger.masterKey, id, `secret ${at}`) : null)),
      ids.map((id, at) => (at % 3 === 0 ? sealHeaders(ledger.masterKey, id, HEADERS) : null)),
    ],
  )
})
afterAll(() => ledger.close())

const stored = () =>
  rows<Sealed>(
    ledger.store.em(),
    'SELECT id, sealed_auth_secret AS secret, sealed_custom_headers AS headers FROM webhook_endpoints ORDER BY id',
  )

describe('secrets of webhook endpoints', () => {
  it('stay as they are when one does not open', async () => {
    const before = await stored()
    const wrong = masterKey(Buffer.alloc(32, 8))
    const em = ledger.store.em()
    await expect(rewrapSecrets({ em, from: wrong, to: next })).rejects.toThrow(SealBroken)
    expect(await stored()).toEqual(before)
  })

  it('open under the new master key, and no more under the old one', async () => {
    const em = ledger.store.em()
    const rewrapped = await rewrapSecrets({ em, from: ledger.masterKey, to: next })
    expect(rewrapped).toEqual({ signingKeys: 2, logKeys: 1, endpointSecrets: 550 + 367 })
    for (const { id, secret, headers } of await stored()) {
      if (secret !== null) {
        expect(openSecret(next, id, secret)).toMatch(/^secret \d+$/)
        expect(() => openSecret(ledger.masterKey, id, secret)).toThrow(SealBroken)
      }
      if (headers !== null) expect(openHeaders(next, id, headers)).toEqual(HEADERS)
    }
  })
})
