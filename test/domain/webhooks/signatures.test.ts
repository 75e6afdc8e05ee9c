// Signed deliveries: what is on the wire is verified by the library of Standard Webhooks, whatever rotates or is stopped
// meanwhile, and no secret is told twice.
import { createPublicKey, verify } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type EndpointChange,
  updateEndpoint,
} from '../../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { rotateSecret } from '../../../server/domain/webhooks/endpoints/change_signing.ts'
import {
  messageSigner,
  type PublicKey,
  standingPublicKeys,
} from '../../../server/domain/webhooks/endpoints/signing_keys.ts'
import { sendSample } from '../../../server/domain/webhooks/sending/send_sample.ts'
import { type Heard, openReceiver, type Receiver } from '../../support/receiver.ts'
import { rows } from '../../support/rows.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'
import { hold, somebodyWaits } from '../ledger/until.ts'

let webhooks: TestWebhooks
let receiver: Receiver
beforeAll(async () => {
  webhooks = await openTestWebhooks()
})
afterAll(() => webhooks.close())
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(async () => {
  await receiver.close()
  await webhooks.query('DELETE FROM webhook_endpoints')
  await webhooks.query('DELETE FROM webhook_deliveries')
})

const sealing = () => ({ em: webhooks.ledger.store.em(), masterKey: webhooks.ledger.masterKey })
const owned = (id: string) => ({ id, userId: webhooks.ledger.userId })
const endpoint = (wanted: EndpointChange = {}) =>
  webhooks.endpoint({ url: receiver.url(), events: ['item.created'], ...wanted })
const rotate = (id: string, overlap = 3_600) => rotateSecret(sealing(), { ...owned(id), overlap })
const change = (id: string, wanted: EndpointChange) => updateEndpoint(sealing(), owned(id), wanted)

/** The request of a new event. */
async function delivered(): Promise<Heard> {
  await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  await webhooks.deliverDue()
  return receiver.heard.at(-1) ?? expect.fail('nothing arrived')
}

const headersOf = ({ headers }: Heard): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
const isVerified = (secret: string | undefined, heard: Heard): boolean => {
  try {
    new Webhook(secret ?? '').verify(heard.body, headersOf(heard))
    return true
  } catch {
    return false
  }
}
/** RFC 8410 before the raw key. */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
const isVerifiedBy = (publicKey: string, { headers, body }: Heard): boolean => {
  const raw = Buffer.from(publicKey.replace('whpk_', ''), 'base64')
  const key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' })
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  return signaturesIn({ headers }).some((one) => {
    const [scheme, signature = ''] = one.split(',')
    return scheme === 'v1a' && verify(null, signed, key, Buffer.from(signature, 'base64'))
  })
}
const signaturesIn = ({ headers }: Pick<Heard, 'headers'>): string[] =>
  String(headers['webhook-signature']).split(' ')

describe('v1', () => {
  it('is verified with the secret that creating told, and with no other secret, body, id or time', async () => {
    const { signingSecret, publicKeys } = await endpoint({ signing: 'v1' })
    expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(publicKeys).toEqual([])
    const heard = await delivered()
    expect(isVerified(signingSecret, heard)).toBe(true)
    expect(isVerified(`whsec_${Buffer.alloc(32, 1).toString('base64')}`, heard)).toBe(false)
    expect(isVerified(signingSecret, { ...heard, body: `${heard.body} ` })).toBe(false)
    for (const [name, value] of [
      ['webhook-id', `msg_${'0'.repeat(26)}`],
      ['webhook-timestamp', String(Number(heard.headers['webhook-timestamp']) - 1)],
    ] as const)
      expect(isVerified(signingSecret, { ...heard, headers: { ...heard.headers, [name]: value } })).toBe(
        false,
      )
    expect(heard.headers['webhook-timestamp']).toBe(heard.headers['x-pharos-timestamp'])
  })

  it('signs a sample and each attempt anew', async () => {
    const { id, signingSecret } = await endpoint({ signing: 'v1' })
    await sendSample(webhooks.tools, { endpointId: id, userId: webhooks.ledger.userId })
    receiver.respond(500)
    await delivered()
    await webhooks.passTime()
    await webhooks.deliverDue()
    expect(receiver.heard.map((heard) => isVerified(signingSecret, heard))).toEqual([true, true, true])
  })
})

describe('v1a', () => {
  it('is verified with the public key of the endpoint, and with no other', async () => {
    const { signingSecret, publicKeys } = await endpoint({ signing: 'v1a' })
    expect(signingSecret).toBeUndefined()
    const [key = ''] = standingPublicKeys(publicKeys)
    expect(key).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/)
    const heard = await delivered()
    expect(isVerifiedBy(key, heard)).toBe(true)
    expect(isVerifiedBy(key, { ...heard, body: `${heard.body} ` })).toBe(false)
    const [another = ''] = standingPublicKeys((await endpoint({ signing: 'v1a' })).publicKeys)
    expect(isVerifiedBy(another, heard)).toBe(false)
  })
})

describe('without signing', () => {
  it('nothing changes on the wire, and custom headers of those names are sent as before', async () => {
    const { id, signingSecret } = await endpoint({ customHeaders: [['Webhook-Signature', 'of theirs']] })
    expect(signingSecret).toBeUndefined()
    const heard = await delivered()
    expect(heard.rawHeaders.filter((_, at) => at % 2 === 0)).toEqual([
      'host',
      'connection',
      'content-type',
      'user-agent',
      'accept-encoding',
      'Webhook-Signature',
      'webhook-id',
      'x-pharos-event',
      'x-pharos-delivery',
      'x-pharos-timestamp',
      'content-length',
    ])
    expect(heard.headers['webhook-signature']).toBe('of theirs')
    await expect(rotate(id)).rejects.toMatchObject({ code: 'conflict' })
  })
})

describe('switching', () => {
  it('on drops a custom header of those names, and keeps the others; off forgets the keys', async () => {
    const { id } = await endpoint({
      customHeaders: [
        ['Webhook-Timestamp', 'of theirs'],
        ['X-Team', 'a'],
      ],
    })
    const changed = await change(id, { signing: 'v1' })
    expect(changed).toMatchObject({ signing: 'v1', customHeaderNames: ['X-Team'] })
    const { secret } = await rotate(id, 0)
    const signed = await delivered()
    expect(isVerified(secret, signed)).toBe(true)
    expect(signed.headers['x-team']).toBe('a')
    expect(await change(id, { signing: 'none' })).toMatchObject({ signing: 'none', publicKeys: [] })
    const unsigned = await delivered()
    expect(unsigned.headers).not.toHaveProperty('webhook-signature')
    expect(unsigned.headers).not.toHaveProperty('webhook-timestamp')
  })

  it('on is refused with words while the stored headers do not open and one of them would be in the way', async () => {
    const { id } = await endpoint({ customHeaders: [['Webhook-Timestamp', 'of theirs']] })
    await webhooks.query(
      `UPDATE webhook_endpoints SET sealed_custom_headers = sealed_custom_headers || '\\x00'`,
    )
    await expect(change(id, { signing: 'v1' })).rejects.toMatchObject({
      problems: [{ code: 'required', path: ['custom_headers'] }],
    })
    expect(await change(id, { signing: 'v1', customHeaders: [] })).toMatchObject({ signing: 'v1' })
  })

  it('to the same keeps the keys, and to another scheme makes new ones', async () => {
    const { id, signingSecret } = await endpoint({ signing: 'v1' })
    await change(id, { signing: 'v1', description: 'the same' })
    expect(isVerified(signingSecret, await delivered())).toBe(true)
    const [key = ''] = standingPublicKeys((await change(id, { signing: 'v1a' })).publicKeys)
    const heard = await delivered()
    expect([isVerifiedBy(key, heard), signaturesIn(heard).length]).toEqual([true, 1])
  })
})

describe('rotating', () => {
  it('lets the old and the new key sign beside each other, and one at once without overlap', async () => {
    const { id, signingSecret: first } = await endpoint({ signing: 'v1' })
    const { secret: second, formerUntil } = await rotate(id)
    expect(Math.abs((formerUntil?.getTime() ?? 0) - Date.now() - 3_600_000)).toBeLessThan(600_000)
    const both = await delivered()
    expect(String(both.headers['webhook-signature'])).toMatch(/^v1,[A-Za-z0-9+/=]{44} v1,[A-Za-z0-9+/=]{44}$/)
    expect([first, second].map((secret) => isVerified(secret, both))).toEqual([true, true])
    const { secret: third, formerUntil: none } = await rotate(id, 0)
    expect(none).toBeNull()
    const alone = await delivered()
    expect([first, second, third].map((secret) => isVerified(secret, alone))).toEqual([false, false, true])
  })

  it('of v1a keeps both public keys in the list while both sign', async () => {
    const { id, publicKeys } = await endpoint({ signing: 'v1a' })
    const first = standingPublicKeys(publicKeys)
    const { secret, publicKeys: told } = await rotate(id)
    expect(secret).toBeUndefined()
    expect(told).toHaveLength(2)
    expect(told.slice(1)).toEqual(first)
    const heard = await delivered()
    expect(told.map((key) => isVerifiedBy(key, heard))).toEqual([true, true])
    const [{ public_keys: stored } = expect.fail('no endpoint')] = await webhooks.query<{
      public_keys: PublicKey[]
    }>('SELECT public_keys FROM webhook_endpoints')
    const later = new Date(Date.now() + 7_200_000)
    expect(standingPublicKeys(stored, later)).toEqual(told.slice(0, 1))
  })

  it('again with a shorter overlap shortens that of before, and never lengthens it', async () => {
    const { id } = await endpoint({ signing: 'v1' })
    const { formerUntil: soon } = await rotate(id, 6_000)
    const { formerUntil } = await rotate(id, 36_000)
    expect(formerUntil?.getTime()).toBeGreaterThan(soon?.getTime() ?? 0)
    const { formerUntil: shortened } = await rotate(id, 60)
    expect(shortened?.getTime()).toBeLessThan(soon?.getTime() ?? 0)
  })

  it('whose answer was lost leaves a key that receivers know, however often; too many are refused', async () => {
    const { id, signingSecret } = await endpoint({ signing: 'v1' })
    for (let n = 0; n < 3; n += 1) await rotate(id)
    const { secret } = await rotate(id, 7_200)
    const heard = await delivered()
    expect([signingSecret, secret].map((one) => isVerified(one, heard))).toEqual([true, true])
    await expect(rotate(id)).rejects.toMatchObject({ code: 'conflict' })
    expect((await rotate(id, 0)).formerUntil).toBeNull()
  })

  it('that is stopped before its commit leaves the keys of before', async () => {
    const { id, signingSecret } = await endpoint({ signing: 'v1' })
    const { em } = sealing()
    // It waits for this lock with the new keys written and not committed.
    await webhooks.query(`
      CREATE FUNCTION wait_with_keys() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NULL; END $$`)
    await webhooks.query(`
      CREATE TRIGGER wait_with_keys AFTER UPDATE OF sealed_signing_keys ON webhook_endpoints
      FOR EACH ROW EXECUTE FUNCTION wait_with_keys()`)
    const held = await hold(em, (tx) => rows(tx, 'SELECT pg_advisory_xact_lock(4711)'))
    try {
      const stopped = expect(rotate(id, 0)).rejects.toThrow()
      await somebodyWaits(em)
      await webhooks.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      await stopped
    } finally {
      await held.rollBack()
      await webhooks.query('DROP FUNCTION wait_with_keys CASCADE')
    }
    expect(isVerified(signingSecret, await delivered())).toBe(true)
    const { secret } = await rotate(id, 0)
    expect(isVerified(secret, await delivered())).toBe(true)
  })

  it('side by side loses no key', async () => {
    const { id, signingSecret } = await endpoint({ signing: 'v1' })
    const rotated = await Promise.all(Array.from({ length: 3 }, () => rotate(id)))
    const heard = await delivered()
    const secrets = [signingSecret, ...rotated.map(({ secret }) => secret)]
    expect(secrets.map((secret) => isVerified(secret, heard))).toEqual([true, true, true, true])
  })

  it('gives keys to an endpoint whose own do not open any more', async () => {
    const { id } = await endpoint({ signing: 'v1' })
    await webhooks.query(`UPDATE webhook_endpoints SET sealed_signing_keys = sealed_signing_keys || '\\x00'`)
    await webhooks.ledger.submit({})
    await webhooks.fanOutAll()
    await webhooks.deliverDue()
    expect(await webhooks.deliveries(id)).toMatchObject([
      { status: 'pending', error: expect.stringContaining('signing key') },
    ])
    const { secret } = await rotate(id)
    await webhooks.passTime()
    await webhooks.deliverDue()
    expect(receiver.heard.map((heard) => isVerified(secret, heard))).toEqual([true])
  })

  it('is noticed by a worker in the middle of a batch', async () => {
    const { id, signingSecret } = await endpoint({ signing: 'v1' })
    let second: string | undefined
    let rotating: Promise<void> | undefined
    receiver.respond((response) => {
      rotating ??= rotate(id, 0).then(({ secret }) => {
        second = secret
      })
      void rotating.then(() => response.writeHead(200).end())
    })
    for (let n = 0; n < 40; n += 1) await webhooks.ledger.submit({})
    await webhooks.fanOutAll()
    await webhooks.deliverDue()
    const { heard } = receiver
    expect(heard).toHaveLength(40)
    const byFirst = heard.filter((one) => isVerified(signingSecret, one)).length
    expect(heard.filter((one) => isVerified(second, one))).toHaveLength(40 - byFirst)
    expect(isVerified(second, heard.at(-1) ?? expect.fail('nothing'))).toBe(true)
  })
})

it('a key signs until its time, and not from then on', () => {
  const ends = new Date('2026-11-20T18:00:00.000Z')
  const sign = messageSigner([
    { scheme: 'v1', key: Buffer.alloc(32, 1).toString('base64'), ends_at: null },
    { scheme: 'v1', key: Buffer.alloc(32, 2).toString('base64'), ends_at: ends.toISOString() },
  ])
  const signaturesAt = (ms: number) =>
    sign({ id: 'msg', at: new Date(ends.getTime() + ms), payload: '{}' })
      .at(-1)
      ?.split(' ').length
  expect([signaturesAt(-1), signaturesAt(0)]).toEqual([2, 1])
})

it('no secret is logged or stored in the open', async () => {
  const secrets: (string | undefined)[] = []
  const { id, signingSecret } = await endpoint({ signing: 'v1' })
  secrets.push(signingSecret, (await rotate(id)).secret)
  await delivered()
  const stored = await webhooks.query(
    `SELECT e::text AS endpoint, (SELECT json_agg(d)::text FROM webhook_deliveries d) AS deliveries,
            (SELECT json_agg(f)::text FROM facts f) AS facts FROM webhook_endpoints e`,
  )
  const seen = `${JSON.stringify(stored)}${JSON.stringify(webhooks.lines)}`
  for (const secret of secrets) {
    const key = secret?.replace('whsec_', '') ?? expect.fail('no secret')
    expect(seen).not.toContain(key)
    expect(seen).not.toContain(Buffer.from(key, 'base64').toString('hex'))
  }
})
