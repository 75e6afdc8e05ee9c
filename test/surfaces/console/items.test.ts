import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../../../server/domain/accounts/account_door.ts'
import { createApiKey } from '../../../server/domain/accounts/api_key.ts'
import { deleteItem } from '../../../server/domain/ledger/change_item.ts'
import { submittedClaims } from '../../../server/domain/ledger/claims.ts'
import { recordObservation } from '../../../server/domain/ledger/observation.ts'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import type { BurstEvent, StreamEvent } from '../../../shared/wire/console_stream.ts'
import { claimsOf } from '../../support/ledger.ts'
import { redactItem, unredactItem } from '../../support/redaction.ts'
import { rows } from '../../support/rows.ts'
import { testLedger } from '../../support/test_ledger.ts'
import { type ConsoleClient, connect, eventually } from './console_client.ts'
import { type ConsoleServer, startConsoleServer } from './console_server.ts'

const ledger = testLedger()
let server: ConsoleServer
const clients: ConsoleClient[] = []
const everythingTold: string[] = []

/** Ada's team has Bob as a member; Carol is a stranger. */
const people: Record<'ada' | 'bob' | 'carol', { userId: string; teamId: string; token: string }> = {
  ada: { userId: '', teamId: '', token: '' },
  bob: { userId: '', teamId: '', token: '' },
  carol: { userId: '', teamId: '', token: '' },
}

const account = async (name: string) => {
  const em = ledger.store.em()
  const made =
    name === 'ada'
      ? { userId: ledger.userId, teamId: ledger.teamId }
      : await createAccount(em, { email: `${name}@example.com`, firstName: name, plan: 'free' })
  return { ...made, token: (await createApiKey(em, { userId: made.userId, name })).secret }
}

beforeAll(async () => {
  server = await startConsoleServer(ledger, { timing: { credentials: 100 } })
  for (const name of ['ada', 'bob', 'carol'] as const) people[name] = await account(name)
  await rows(
    ledger.store.em(),
    `INSERT INTO memberships (id, team_id, user_id, role) VALUES ($1, $2, $3, 'viewer')`,
    [newUuid7(), ledger.teamId, people.bob.userId],
  )
})
afterAll(() => server.close())
afterEach(() => {
  for (const { socket, told } of clients.splice(0)) {
    everythingTold.push(JSON.stringify(told))
    socket.disconnect()
  }
})

const listenAs = async (name: keyof typeof people, tenant: string, ...streams: string[]) => {
  const client = await connect(server.url, people[name].token, { tenant })
  clients.push(client)
  for (const stream of streams) await client.ask('subscribe', { stream })
  return client
}

const idsOf = (client: ConsoleClient, event: string): unknown[] =>
  (client.of(event) as unknown as StreamEvent[]).map(({ data }) => data.id)

describe('items', () => {
  it('are told through their whole life, as snapshots, to who may read them', async () => {
    const ada = await listenAs('ada', ledger.teamId, 'items')
    const [item] = await ledger.submit({ visibility: 'team', tags: ['a'] })
    const id = item?.id ?? ''
    const em = ledger.store.em()
    await ledger.finalize()
    await redactItem(em, { id, userId: ledger.userId })
    await unredactItem(em, { id, userId: ledger.userId, claims: submittedClaims(claimsOf('a file')) })
    await deleteItem(em, { id, userId: ledger.userId })
    await eventually(() => ada.of('item.deleted').length).toBe(1)
    const told = ada.told.slice(1).map(({ event, body }) => [event, (body as StreamEvent).data.state])
    expect(told).toEqual([
      ['item.created', 'created'],
      // The item is gone by the time the block is told of when that comes late: then there is nothing to show.
      ...(ada.of('item.committed').length === 0 ? [] : [['item.committed', expect.any(String)]]),
      ['item.redacted', 'redacted'],
      ['item.unredacted', 'committed'],
      ['item.deleted', undefined],
    ])
    expect(ada.of('item.created')[0]).toEqual({
      stream: 'items',
      at: expect.stringMatching(/Z$/),
      data: {
        id,
        state: 'created',
        visibility: 'team',
        claims_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        metadata_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        item_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        tags: ['a'],
        team_id: ledger.teamId,
        block_id: null,
        inserted_at: expect.stringMatching(/Z$/),
        committed_at: null,
        redacted_at: null,
      },
    })
    expect(ada.of('item.deleted')[0]).toMatchObject({ stream: 'items', data: { id } })
  })

  it('that are private are told to their creator alone, others to the team, none to another tenant', async () => {
    const { ada, bob, carol } = people
    const listeners = {
      ada: await listenAs('ada', ledger.teamId, 'items'),
      bob: await listenAs('bob', ledger.teamId, 'items'),
      bobAtHome: await listenAs('bob', bob.teamId, 'items'),
      carol: await listenAs('carol', carol.teamId, 'items'),
    }
    const [privateOfAda] = await ledger.submit({ visibility: 'private' })
    const [privateOfBob] = await ledger.submit({ visibility: 'private', creatorId: bob.userId })
    const [team] = await ledger.submit({ visibility: 'team' })
    const [open] = await ledger.submit({ visibility: 'public' })
    const [openOfCarol] = await ledger.submit({
      visibility: 'public',
      creatorId: carol.userId,
      teamId: carol.teamId,
    })
    await ledger.finalize()
    await eventually(() => listeners.carol.of('item.committed').length).toBe(1)
    await eventually(() => listeners.ada.of('item.committed').length).toBe(3)
    await eventually(() => listeners.bob.of('item.committed').length).toBe(3)
    for (const event of ['item.created', 'item.committed']) {
      expect(idsOf(listeners.ada, event)).toEqual([privateOfAda?.id, team?.id, open?.id])
      expect(idsOf(listeners.bob, event)).toEqual([privateOfBob?.id, team?.id, open?.id])
      expect(idsOf(listeners.bobAtHome, event)).toEqual([])
      expect(idsOf(listeners.carol, event)).toEqual([openOfCarol?.id])
    }
    expect(ada.userId).not.toBe(bob.userId)
  })

  it('that are private are told to owners and admins of a team that retains ownership, while they are such', async () => {
    const { ada, bob, carol } = people
    const em = ledger.store.em()
    const teamId = newUuid7()
    await rows(em, `INSERT INTO teams (id, name, ownership_model) VALUES ($1, 'Kept', 'team_retains')`, [
      teamId,
    ])
    for (const [{ userId }, role] of [
      [ada, 'owner'],
      [bob, 'member'],
      [carol, 'member'],
    ] as const)
      await rows(em, 'INSERT INTO memberships (id, team_id, user_id, role) VALUES ($1, $2, $3, $4)', [
        newUuid7(),
        teamId,
        userId,
        role,
      ])
    const listeners = {
      ada: await listenAs('ada', teamId, 'items'),
      bob: await listenAs('bob', teamId, 'items'),
    }
    // One whose creator listens as well, one whose creator does not.
    const [ofBob] = await ledger.submit({ visibility: 'private', creatorId: bob.userId, teamId })
    const [ofCarol] = await ledger.submit({ visibility: 'private', creatorId: carol.userId, teamId })
    await ledger.finalize()
    for (const event of ['item.created', 'item.committed']) {
      await eventually(() => idsOf(listeners.ada, event)).toEqual([ofBob?.id, ofCarol?.id])
      await eventually(() => idsOf(listeners.bob, event)).toEqual([ofBob?.id])
    }
    await rows(em, `UPDATE memberships SET role = 'viewer' WHERE team_id = $1 AND user_id = $2`, [
      teamId,
      ada.userId,
    ])
    await rows(em, `UPDATE memberships SET role = 'admin' WHERE team_id = $1 AND user_id = $2`, [
      teamId,
      bob.userId,
    ])
    const seen = async (listener: ConsoleClient): Promise<boolean> => {
      const [item] = await ledger.submit({ visibility: 'private', creatorId: carol.userId, teamId })
      const [open] = await ledger.submit({ visibility: 'team', teamId })
      await eventually(() => idsOf(listener, 'item.created')).toContain(open?.id)
      return idsOf(listener, 'item.created').includes(item?.id)
    }
    await eventually(() => seen(listeners.bob)).toBe(true)
    expect(await seen(listeners.ada)).toBe(false)
  })

  it('above 200 in a second are summed up; beacons of the same second are not', async () => {
    const ada = await listenAs('ada', ledger.teamId, 'items', 'beacons')
    const COUNT = 1_000
    const began = performance.now()
    await ledger.submit(...Array.from({ length: COUNT }, () => ({ visibility: 'team' as const })))
    for (let made = 0; made < 250; ) if ((await ledger.finalize()).outcome === 'finalized') made += 1
    const summed = (kind: string) =>
      (ada.of('items.burst') as unknown as BurstEvent[]).reduce(
        (sum, { by_kind }) => sum + (by_kind[kind] ?? 0),
        0,
      )
    await eventually(() => ada.of('item.created').length + summed('item.created')).toBe(COUNT)
    await eventually(() => ada.of('item.committed').length + summed('item.committed')).toBe(COUNT)
    await eventually(() => ada.beacons().length).toBe(250)
    const bursts = ada.of('items.burst') as unknown as BurstEvent[]
    // One a second, also on a machine that takes many.
    expect(bursts.length).toBeLessThanOrEqual((performance.now() - began) / 1_000 + 2)
    for (const burst of bursts) {
      expect(Object.keys(burst)).toEqual(['count', 'window_ms', 'first_at', 'last_at', 'by_kind', 'latest'])
      expect(burst.count).toBe(Object.values(burst.by_kind).reduce((sum, count) => sum + count, 0))
      expect(burst.window_ms).toBeGreaterThan(0)
      expect(burst.first_at <= burst.last_at).toBe(true)
      expect(burst.latest).toMatchObject({
        kind: expect.stringMatching(/^item\./),
        data: { id: expect.any(String) },
      })
    }
  })

  it('of a large block are never loaded one and all', async () => {
    const ada = await listenAs('ada', ledger.teamId)
    await ledger.submit(...Array.from({ length: 3_000 }, () => ({ visibility: 'public' as const })))
    await ada.ask('subscribe', { stream: 'items' })
    const began = performance.now()
    await ledger.finalize()
    const summed = () =>
      (ada.of('items.burst') as unknown as BurstEvent[]).reduce(
        (sum, { by_kind }) => sum + (by_kind['item.committed'] ?? 0),
        0,
      )
    await eventually(() => ada.of('item.committed').length + summed()).toBe(3_000)
    // Two hundred a second, also on a machine that takes many.
    const seconds = (performance.now() - began) / 1_000
    expect(ada.of('item.committed').length).toBeLessThanOrEqual(200 * (1 + seconds))
  })
})

describe('blocks and entropy', () => {
  it('are told to everybody who subscribes, with metadata only', async () => {
    const carol = await listenAs('carol', people.carol.teamId, 'blocks', 'entropy')
    const captured = {
      source: 'entropy_nist' as const,
      payload: { pulse: { secret: 'as captured' } },
      publishedAt: null,
    }
    await recordObservation({ em: ledger.store.em(), signer: ledger.signer }, captured)
    await ledger.finalize()
    await eventually(() => carol.of('block.finalized').length).toBe(1)
    expect(carol.told.slice(1).map(({ event }) => event)).toEqual(['entropy.created', 'block.finalized'])
    expect(carol.of('entropy.created')[0]).toMatchObject({
      stream: 'entropy',
      data: { source: 'entropy_nist', state: 'created' },
    })
    expect(carol.of('block.finalized')[0]).toMatchObject({
      stream: 'blocks',
      data: { state: 'finalized', item_count: 0, observation_count: 1 },
    })
  })
})

describe('nothing that was pushed', () => {
  it('contains claims or anything made from them', () => {
    const text = everythingTold.join('\n')
    expect(text).toContain('item.created')
    expect(text).not.toMatch(/"claims"|"hash_type"|"display_|"a file"|abababab|as captured/)
  })
})

describe('facts', () => {
  it('are not read while nobody subscribes', async () => {
    let reads = 0
    const watched: typeof ledger.store = {
      ...ledger.store,
      em: (purpose) => {
        // The feed of beacons reads as well, for another purpose.
        if (purpose === 'read') reads += 1
        return ledger.store.em(purpose)
      },
    }
    const quiet = await startConsoleServer({ ...ledger, store: watched }, { timing: { facts: 20 } })
    const client = await connect(quiet.url, people.ada.token)
    await client.ask('subscribe', { stream: 'blocks' })
    await client.ask('unsubscribe', { stream: 'blocks' })
    // Until the look that began while it was subscribed is over.
    let before = -1
    await expect
      .poll(
        () => {
          const isSame = reads === before
          before = reads
          return isSame
        },
        { interval: 100 },
      )
      .toBe(true)
    for (let poke = 0; poke < 10; poke += 1) quiet.stream.facts.poke()
    await client.ask('unsubscribe', { stream: 'blocks' })
    expect(reads).toBe(before)
    client.socket.disconnect()
    await quiet.close()
  })
})
