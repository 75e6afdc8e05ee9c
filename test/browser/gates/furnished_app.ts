// A service that has something on every page of the console, and the address of each page.
import { vi } from 'vitest'
import { createApiKey } from '../../../server/domain/accounts/api_key.ts'
import { recordObservation } from '../../../server/domain/ledger/observation.ts'
import { createSigner } from '../../../server/domain/ledger/signing_key.ts'
import type { ConsoleRoute } from '../../../shared/wire/console_routes.ts'
import { commitBlocks } from '../../domain/proofs/seed_commitment.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { makeResource } from '../../support/make_resource.ts'
import { allowClient } from '../../support/oauth.ts'

export interface FurnishedApp {
  readonly app: TestApp
  /** Every route has an address here, so a new route needs one. */
  readonly addresses: Readonly<Record<ConsoleRoute, string>>
}

const DAYS_MS = 86_400_000

/** A name that would be read from right to left from its middle on, and is one word that no line has room for. */
const hostile = (name: string, length: number): string =>
  `${name} \u202efdp.${'w'.repeat(length)}`.slice(0, length)

export async function openFurnishedApp(): Promise<FurnishedApp> {
  const app = await openTestApp()
  const endpoint = await makeResource(app, 'webhook_endpoint', {
    // Nothing answers to this name, so its deliveries are retried.
    url: 'https://receiver.example/hooks/pharos',
    resource_type: 'item',
    events: ['item.created', 'item.committed'],
    signing: 'v1a',
    description: hostile('Accounting', 220),
  })
  const item = await makeResource(app, 'item', {
    claims: { ...claimsOf(hostile('Lease', 64)), description: hostile('The lease', 220) },
    tags: ['lease', hostile('office', 64)],
  })
  // There is nothing to see in its name.
  await makeResource(app, 'item', { claims: claimsOf('   '), visibility: 'public' })
  const observed = await recordObservation(
    { em: app.store.em(), signer: createSigner({ masterKey: app.masterKey }) },
    {
      source: 'entropy_stellar',
      payload: { closed_at: '2026-01-01T00:00:00Z', hash: 'cd'.repeat(32), sequence: 7 },
      publishedAt: new Date('2026-01-01T00:00:00Z'),
    },
  )
  if (observed.outcome !== 'recorded') throw new Error('The observation is not new.')
  await app.finalize()
  await commitBlocks({ em: app.store.em() })
  const block = await headOf(app)
  await makeResource(app, 'item', { claims: claimsOf('Not in a block yet') })
  await app.finalize(40)
  const beacon = await headOf(app)
  await makeResource(app, 'item', { claims: claimsOf('Waits for its block'), expires_at: inDays(30) })

  const team = await makeResource(app, 'team', { name: hostile('Legal', 100) })
  await app.join(team, (await app.account('grace')).userId, 'member')
  await createApiKey(app.store.em(), { userId: app.owner.userId, name: hostile('Nightly job', 100) })
  await allowClient(app, { account: app.owner, scope: 'api:read' })
  const delivery = await firstDelivery(app)
  await receiveSample(app)

  return {
    app,
    addresses: {
      '/': '/',
      '/chain': '/chain',
      '/beacons/:hash': `/beacons/${beacon.hash}`,
      '/beacons/:hash/draw': `/beacons/${beacon.hash}/draw`,
      '/items': '/items',
      '/items/new': '/items/new',
      '/items/:id': `/items/${item}`,
      '/blocks/:id': `/blocks/${block.id}`,
      '/entropy/:id': `/entropy/${observed.id}`,
      '/verify': '/verify',
      '/verify/:type/:id': `/verify/item/${item}`,
      '/webhooks': '/webhooks',
      '/webhooks/new': '/webhooks/new',
      '/webhooks/deliveries': '/webhooks/deliveries',
      '/webhooks/deliveries/:id': `/webhooks/deliveries/${delivery}`,
      '/webhooks/receiver': '/webhooks/receiver',
      '/webhooks/:id': `/webhooks/${endpoint}`,
      '/connection': '/connection',
      '/graphiql': '/graphiql',
      // The session leads on from here, to the first page.
      '/signed-in': '/signed-in',
      '/account/keys': '/account/keys',
      '/account/teams': '/account/teams',
      '/account/teams/:id': `/account/teams/${team}`,
      '/account/sessions': '/account/sessions',
      '/account/applications': '/account/applications',
      '/account/password': '/account/password',
    },
  }
}

const claimsOf = (name: string) => ({
  name,
  description: 'Written down in the gates.',
  hash: 'ab'.repeat(32),
  hash_type: 'sha256',
})

const inDays = (days: number): string => new Date(Date.now() + days * DAYS_MS).toISOString()

/** One request in the built-in receiver. */
async function receiveSample(app: TestApp): Promise<void> {
  const { key } = app.owner
  const made = await ask(app.port, '/console/receiver', { method: 'POST', key })
  const { address }: { address: { url: string } } = JSON.parse(made.text)
  const events = ['item.redacted']
  const id = await makeResource(app, 'webhook_endpoint', { url: address.url, resource_type: 'item', events })
  await ask(app.port, `/api/json/webhook-endpoints/${id}/test`, { key, body: { json: { data: {} } } })
}

const headOf = async (app: TestApp): Promise<{ id: string; hash: string }> => {
  const [head] = await app.query<{ id: string; hash: string }>(
    `SELECT id, encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height DESC LIMIT 1`,
  )
  if (head === undefined) throw new Error('There is no block.')
  return head
}

/** Events become deliveries soon after they happen. */
const firstDelivery = (app: TestApp): Promise<string> =>
  vi.waitFor(
    async () => {
      const [first] = await app.query<{ id: string }>('SELECT id FROM webhook_deliveries ORDER BY id LIMIT 1')
      if (first === undefined) throw new Error('No event has become a delivery.')
      return first.id
    },
    { timeout: 60_000, interval: 50 },
  )
