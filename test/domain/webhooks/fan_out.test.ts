// Which facts become deliveries to whom, and with what in them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAccount } from '../../../server/domain/accounts/account_door.ts'
import { deleteItem, updateItem } from '../../../server/domain/ledger/change_item.ts'
import { submittedClaims } from '../../../server/domain/ledger/claims.ts'
import { fanOut } from '../../../server/domain/webhooks/fan_out/fan_out.ts'
import { PUBLISHED_EVENTS, publishEvents } from '../../../server/domain/webhooks/fan_out/publish_events.ts'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import { EVENT_NAMES } from '../../../shared/wire/webhook_events.ts'
import { claimsOf } from '../../support/ledger.ts'
import { redactItem, unredactItem } from '../../support/redaction.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'
import { BITCOIN, commitBlocks, STELLAR } from '../proofs/seed_commitment.ts'

let webhooks: TestWebhooks
beforeEach(async () => {
  webhooks = await openTestWebhooks()
})
afterEach(() => webhooks.close())

const URL = 'https://hooks.example.com/'

const account = (name: string) =>
  createAccount(webhooks.ledger.store.em(), {
    email: `${name}@example.com`,
    firstName: name,
    plan: 'enterprise',
  })

const join = (userId: string, teamId: string, role = 'member') =>
  webhooks.query('INSERT INTO memberships (id, team_id, user_id, role) VALUES ($1, $2, $3, $4)', [
    newUuid7(),
    teamId,
    userId,
    role,
  ])

/** `item.created <id>`: what an endpoint was told, in order of text. */
const told = async (endpointId: string): Promise<string[]> =>
  (await webhooks.deliveries(endpointId))
    .map(({ eventType, resourceId }) => `${eventType} ${resourceId}`)
    .sort()

describe('an endpoint hears', () => {
  it('of the items its owner submits, in whatever team, and of nobody else’s', async () => {
    const { ledger } = webhooks
    const grace = await account('grace')
    await join(grace.userId, ledger.teamId)
    const mine = await webhooks.endpoint({ url: URL, events: ['item.created'] })
    const hers = await webhooks.endpoint({ url: URL, events: ['item.created'], userId: grace.userId })
    const [ours] = await ledger.submit({ visibility: 'public' })
    const [theirs] = await ledger.submit({ creatorId: grace.userId, visibility: 'public' })
    const [elsewhere] = await ledger.submit({ creatorId: grace.userId, teamId: grace.teamId })
    expect(await webhooks.fanOutAll()).toBe(3)
    expect(await told(mine.id)).toEqual([`item.created ${ours?.id}`])
    expect(await told(hers.id)).toEqual(
      [`item.created ${theirs?.id}`, `item.created ${elsewhere?.id}`].sort(),
    )
  })

  it('with a team named, of all items of that team its owner may read, and of no other team’s', async () => {
    const { ledger } = webhooks
    const grace = await account('grace')
    await join(grace.userId, ledger.teamId)
    const hers = await webhooks.endpoint({
      url: URL,
      events: ['item.created', 'item.committed'],
      userId: grace.userId,
      teamFilterId: ledger.teamId,
    })
    await ledger.submit({ visibility: 'private' })
    const [forTeam] = await ledger.submit({ visibility: 'team' })
    const [forAll] = await ledger.submit({ visibility: 'public' })
    const [herOwn] = await ledger.submit({ creatorId: grace.userId })
    await ledger.submit({ creatorId: grace.userId, teamId: grace.teamId })
    await ledger.finalize()
    await webhooks.fanOutAll()
    const ids = [forTeam, forAll, herOwn].map((item) => item?.id)
    expect(await told(hers.id)).toEqual(
      [...ids.map((id) => `item.committed ${id}`), ...ids.map((id) => `item.created ${id}`)].sort(),
    )
  })

  it('of what is private in a team that retains ownership, as its owner or admin alone', async () => {
    const { ledger } = webhooks
    await webhooks.query(`UPDATE teams SET ownership_model = 'team_retains' WHERE id = $1`, [ledger.teamId])
    const endpoints: Record<string, string> = {}
    for (const role of ['owner', 'admin', 'member', 'viewer']) {
      const { userId } = await account(role)
      await join(userId, ledger.teamId, role)
      const made = await webhooks.endpoint({
        url: URL,
        events: ['item.created', 'item.committed'],
        userId,
        teamFilterId: ledger.teamId,
      })
      endpoints[role] = made.id
    }
    const [secret] = await ledger.submit({ visibility: 'private' })
    await ledger.finalize()
    await webhooks.fanOutAll()
    const everything = [`item.committed ${secret?.id}`, `item.created ${secret?.id}`]
    for (const [role, id] of Object.entries(endpoints))
      expect([role, await told(id)]).toEqual([role, /owner|admin/.test(role) ? everything : []])
  })

  it('no more of a team that its owner has left, nor of what was private to others when it happened', async () => {
    const { ledger } = webhooks
    const grace = await account('grace')
    await join(grace.userId, ledger.teamId)
    const hers = await webhooks.endpoint({ url: URL, userId: grace.userId, teamFilterId: ledger.teamId })
    const [secret] = await ledger.submit({ visibility: 'private' })
    await ledger.submit({ visibility: 'team' })
    await updateItem(
      ledger.store.em(),
      { id: secret?.id ?? '', userId: ledger.userId },
      { visibility: 'team' },
    )
    await webhooks.query('DELETE FROM memberships WHERE user_id = $1 AND team_id = $2', [
      grace.userId,
      ledger.teamId,
    ])
    await webhooks.fanOutAll()
    expect(await told(hers.id)).toEqual([])
  })

  it('only of the events it wants', async () => {
    const { ledger } = webhooks
    const em = ledger.store.em()
    const endpoint = await webhooks.endpoint({ url: URL, events: ['item.redacted', 'item.deleted'] })
    const [item] = await ledger.submit({})
    const which = { id: item?.id ?? '', userId: ledger.userId }
    await ledger.finalize()
    await redactItem(em, which)
    await unredactItem(em, { ...which, claims: submittedClaims(claimsOf('a file')) })
    await deleteItem(em, which)
    await webhooks.fanOutAll()
    expect(await told(endpoint.id)).toEqual([`item.deleted ${which.id}`, `item.redacted ${which.id}`])
    const deleted = (await webhooks.deliveries()).find(({ eventType }) => eventType === 'item.deleted')
    expect(JSON.parse(deleted?.payload ?? '')).toEqual({
      type: 'item.deleted',
      timestamp: expect.any(Number),
      data: { id: which.id },
    })
  })

  it('of everything from its creation on, and of nothing that happened before', async () => {
    const { ledger } = webhooks
    const older = await webhooks.endpoint({ url: URL, events: ['item.created', 'item.committed'] })
    const [before] = await ledger.submit({})
    await ledger.finalize()
    const newer = await webhooks.endpoint({ url: URL, events: ['item.created', 'item.committed'] })
    const [after] = await ledger.submit({})
    await webhooks.fanOutAll()
    expect(await told(older.id)).toHaveLength(3)
    expect(await told(newer.id)).toEqual([`item.created ${after?.id}`])
    expect(before).toBeDefined()
  })

  it('nothing while it is disabled, which is recorded', async () => {
    const endpoint = await webhooks.endpoint({ url: URL, events: ['item.created'], enabled: false })
    await webhooks.ledger.submit({})
    await webhooks.fanOutAll()
    expect(await webhooks.deliveries(endpoint.id)).toMatchObject([
      { status: 'cancelled', error: 'the endpoint is disabled', attempts: 0, completedAt: expect.any(Date) },
    ])
  })
})

it('facts that nobody could want are not queued at all', async () => {
  const { ledger } = webhooks
  const grace = await account('grace')
  await webhooks.endpoint({ url: URL, events: ['item.created'], userId: grace.userId })
  await webhooks.endpoint({ url: URL, events: ['item.redacted'] })
  await ledger.submit({}, {})
  await ledger.finalize()
  expect(await webhooks.query('SELECT * FROM webhook_facts')).toEqual([])
})

describe('the table of events decides', () => {
  /** As a domain verb records it, of an item that is there. */
  const record = (kind: string, subject: string) =>
    webhooks.query(
      `INSERT INTO facts (kind, subject_id, creator_id, team_id, visibility, data)
       VALUES ($1, $2, $3, $4, 'private', $5)`,
      [kind, subject, webhooks.ledger.userId, webhooks.ledger.teamId, JSON.stringify({ id: subject })],
    )

  const committedItem = async (): Promise<{ itemId: string; blockId: string }> => {
    const [item] = await webhooks.ledger.submit({})
    await webhooks.ledger.finalize()
    const [row] = await webhooks.query<{ block_id: string }>(
      'SELECT block_id FROM shown_items WHERE id = $1',
      [item?.id ?? ''],
    )
    return { itemId: item?.id ?? '', blockId: row?.block_id ?? '' }
  }

  it('what every fact is told as', async () => {
    const { itemId, blockId } = await committedItem()
    const endpoint = await webhooks.endpoint({ url: URL, events: EVENT_NAMES })
    for (const { fact, eachItem } of PUBLISHED_EVENTS) await record(fact, eachItem ? blockId : itemId)
    await webhooks.fanOutAll()
    expect(await told(endpoint.id)).toEqual(PUBLISHED_EVENTS.map(({ event }) => `${event} ${itemId}`).sort())
  })

  it('that a row which is added to it is delivered, with nothing else to do', async () => {
    const { itemId, blockId } = await committedItem()
    const added = [
      { event: 'item.weighed', fact: 'item.weighed', eachItem: false },
      { event: 'item.stacked', fact: 'block.stacked', eachItem: true },
    ]
    await publishEvents(webhooks.ledger.store.em(), added)
    const endpoint = await webhooks.endpoint({ url: URL })
    await webhooks.query('UPDATE webhook_endpoints SET events = $1', [added.map(({ event }) => event)])
    for (const { fact, eachItem } of added) await record(fact, eachItem ? blockId : itemId)
    await webhooks.fanOutAll()
    expect(await told(endpoint.id)).toEqual([`item.stacked ${itemId}`, `item.weighed ${itemId}`])
  })

  it('what stays known to others when a version starts that has fewer', async () => {
    const em = webhooks.ledger.store.em()
    const added = { event: 'item.weighed', fact: 'item.weighed', eachItem: false }
    expect(await publishEvents(em, [added])).toBe(1)
    expect(await publishEvents(em)).toBe(0)
    const known = await webhooks.query<{ event: string }>('SELECT event FROM webhook_events ORDER BY event')
    expect(known.map(({ event }) => event)).toEqual(
      [added, ...PUBLISHED_EVENTS].map(({ event }) => event).sort(),
    )
  })
})

describe('item.committed', () => {
  it('says what was true when the block was made, whatever became of the item before it was worked off', async () => {
    const { ledger } = webhooks
    const em = ledger.store.em()
    const grace = await account('grace')
    await join(grace.userId, ledger.teamId)
    await join(ledger.userId, grace.teamId)
    const mine = await webhooks.endpoint({ url: URL, events: ['item.committed'] })
    const hers = await webhooks.endpoint({
      url: URL,
      events: ['item.committed'],
      userId: grace.userId,
      teamFilterId: ledger.teamId,
    })
    const [redacted, deleted, moved, opened, closed, still, erased] = await ledger.submit(
      ...Array.from({ length: 4 }, () => ({ visibility: 'team' as const, tags: ['then'] })),
      { visibility: 'public', tags: ['then'] },
      { visibility: 'team', tags: ['then'] },
      { visibility: 'team', tags: ['then'] },
    )
    const which = (item: typeof redacted) => ({ id: item?.id ?? '', userId: ledger.userId })
    await redactItem(em, which(erased))
    await updateItem(em, which(opened), { visibility: 'private' })
    await ledger.finalize()
    await redactItem(em, which(redacted))
    await unredactItem(em, { ...which(redacted), claims: submittedClaims(claimsOf('a file')) })
    await deleteItem(em, which(deleted))
    await updateItem(em, which(moved), { teamId: grace.teamId, tags: ['now'] })
    await updateItem(em, which(opened), { visibility: 'public' })
    await updateItem(em, which(closed), { visibility: 'private', tags: [] })
    await webhooks.fanOutAll()
    const all = [redacted, deleted, moved, opened, closed, still, erased]
    expect(await told(mine.id)).toEqual(all.map((item) => `item.committed ${item?.id}`).sort())
    expect(await told(hers.id)).toEqual(
      all
        .filter((item) => item !== opened)
        .map((item) => `item.committed ${item?.id}`)
        .sort(),
    )
    for (const { payload, resourceId } of await webhooks.deliveries()) {
      const { data } = JSON.parse(payload)
      expect(data).toMatchObject({
        id: resourceId,
        state: resourceId === erased?.id ? 'redacted' : 'committed',
        tags: ['then'],
        team_id: ledger.teamId,
        visibility: resourceId === closed?.id ? 'public' : resourceId === opened?.id ? 'private' : 'team',
        block_id: expect.any(String),
      })
    }
    expect(await webhooks.query('SELECT * FROM webhook_kept_items')).toEqual([])
  })

  it('and what single items were told as is made in one piece when there is room for all', async () => {
    const { ledger } = webhooks
    await webhooks.endpoint({ url: URL, events: ['item.created', 'item.committed'] })
    await ledger.submit(...Array.from({ length: 150 }, () => ({})))
    expect(await fanOut(ledger.store.em())).toMatchObject({ made: 150 })
    await ledger.finalize()
    expect(await fanOut(ledger.store.em())).toMatchObject({ made: 150 })
    expect(await webhooks.query('SELECT * FROM webhook_facts')).toEqual([])
  })

  it('is made once per item and endpoint, in pieces, by many servers at once', async () => {
    const { ledger } = webhooks
    const endpoints = await Promise.all(
      [1, 2, 3].map(() => webhooks.endpoint({ url: URL, events: ['item.committed'] })),
    )
    const items = 1_500
    await ledger.submit(...Array.from({ length: items }, () => ({})))
    await ledger.finalize()
    await ledger.submit({}, {})
    await ledger.finalize()
    const servers = Array.from({ length: 4 }, async () => {
      for (let made = 0; ; ) {
        const piece = await fanOut(ledger.store.em())
        made += piece.made
        if (!piece.more) return made
      }
    })
    const made = (await Promise.all(servers)).reduce((sum, count) => sum + count, 0)
    const left = await webhooks.fanOutAll()
    expect(made + left).toBe(endpoints.length * (items + 2))
    for (const { id } of endpoints) {
      const one = await told(id)
      expect(new Set(one).size).toBe(items + 2)
    }
    expect(await webhooks.query('SELECT * FROM webhook_facts')).toEqual([])
  })
})

describe('item.provable', () => {
  it('comes once, when a public chain has confirmed the block, and from then on there is a proof', async () => {
    const { ledger } = webhooks
    const em = ledger.store.em()
    const endpoint = await webhooks.endpoint({ url: URL, events: ['item.provable'] })
    const [item, erased, deleted] = await ledger.submit({ tags: ['then'] }, {}, {})
    const which = (one: typeof item) => ({ id: one?.id ?? '', userId: ledger.userId })
    await ledger.finalize()
    expect(await webhooks.fanOutAll()).toBe(0)
    await redactItem(em, which(erased))
    await deleteItem(em, which(deleted))
    await commitBlocks({ em }, BITCOIN)
    await updateItem(em, which(item), { tags: ['now'] })
    await webhooks.fanOutAll()
    // A second chain adds to a proof and begins none.
    await commitBlocks({ em }, STELLAR)
    expect(await webhooks.fanOutAll()).toBe(0)
    expect(await told(endpoint.id)).toEqual([item, erased].map((one) => `item.provable ${one?.id}`).sort())
    const payloads = (await webhooks.deliveries(endpoint.id)).map(({ payload }) => JSON.parse(payload).data)
    const [block] = await webhooks.query<{ id: string }>('SELECT id FROM blocks ORDER BY height DESC LIMIT 1')
    for (const data of payloads)
      expect(data).toMatchObject({
        state: data.id === item?.id ? 'committed' : 'redacted',
        tags: data.id === item?.id ? ['then'] : [],
        block_id: block?.id,
        committed_at: expect.any(String),
      })
  })

  it('of an epoch of several blocks is made a bounded number at a time, once per item', async () => {
    const { ledger } = webhooks
    const endpoint = await webhooks.endpoint({ url: URL, events: ['item.provable'] })
    const sizes = [1_500, 2_500, 700]
    for (const size of sizes) {
      await ledger.submit(...Array.from({ length: size }, () => ({})))
      await ledger.finalize()
    }
    await commitBlocks({ em: ledger.store.em() })
    const pieces: number[] = []
    for (let more = true; more; ) {
      const piece = await fanOut(ledger.store.em())
      pieces.push(piece.made)
      more = piece.more
    }
    expect(Math.max(...pieces)).toBeLessThanOrEqual(2_000)
    expect(new Set(await told(endpoint.id)).size).toBe(sizes.reduce((sum, size) => sum + size, 0))
    expect(await webhooks.query('SELECT * FROM webhook_facts')).toEqual([])
  })
})

it('items that are changed at the very moment a block is worked off are told as they were, each once', async () => {
  const { ledger } = webhooks
  await webhooks.endpoint({ url: URL, events: ['item.committed'] })
  const all = await ledger.submit(
    ...Array.from({ length: 300 }, () => ({ visibility: 'team' as const, tags: ['then'] })),
  )
  await ledger.finalize()
  const changes = all.map(({ id }, n) => async () => {
    const em = ledger.store.em()
    const which = { id, userId: ledger.userId }
    if (n % 3 === 0) await deleteItem(em, which)
    else if (n % 3 === 1) await redactItem(em, which)
    else await updateItem(em, which, { visibility: 'private', tags: ['now'] })
  })
  const changing = Array.from({ length: 4 }, async () => {
    for (let next = changes.shift(); next !== undefined; next = changes.shift()) await next()
  })
  await Promise.all([
    ...changing,
    expect
      .poll(() => changes.length < 200)
      .toBe(true)
      .then(webhooks.fanOutAll),
  ])
  await webhooks.fanOutAll()
  const deliveries = await webhooks.deliveries()
  expect(deliveries.map(({ resourceId }) => resourceId).toSorted()).toEqual(
    all.map(({ id }) => id).toSorted(),
  )
  for (const { payload } of deliveries)
    expect(JSON.parse(payload).data).toMatchObject({ state: 'committed', visibility: 'team', tags: ['then'] })
})

it('a fact that is worked off again makes nothing again, and message ids are all different', async () => {
  const { ledger } = webhooks
  await webhooks.endpoint({ url: URL, events: ['item.created'] })
  await webhooks.endpoint({ url: URL, events: ['item.created'] })
  await ledger.submit({}, {}, {})
  await webhooks.query('CREATE TABLE copy AS SELECT * FROM webhook_facts')
  expect(await webhooks.fanOutAll()).toBe(6)
  await webhooks.query('INSERT INTO webhook_facts SELECT * FROM copy')
  expect(await webhooks.fanOutAll()).toBe(0)
  const deliveries = await webhooks.deliveries()
  expect(new Set(deliveries.map(({ messageId }) => messageId)).size).toBe(6)
})
