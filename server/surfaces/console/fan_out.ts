// Sends a fact to those of this server's listeners who may receive it, as an event of the right stream; of the items of a
// new block a bounded sample in full, and the number of the others.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { connectionLimits, type StreamEvent } from '../../../shared/wire/console_stream.ts'
import type { Fact } from '../../domain/ledger/facts.ts'
import type { Log } from '../../kernel/log.ts'
import { int4, jsonObject, nullable, text } from '../../store/columns.ts'
import { isDatabaseUnavailable } from '../../store/database_errors.ts'
import { type RowFrom, rows, statement } from '../../store/statement.ts'
import type { FactStream } from './session.ts'
import type { StreamOutlet } from './stream_outlet.ts'

interface FanOutParts {
  readonly em: () => EntityManager
  readonly audience: Audience
  readonly log: Log
}

const ITEM_COMMITTED = 'item.committed'
const EVENTS_AT_ONCE = 16

/**
 * Sends the fact to every listener on this server. When it rejects, it has sent nothing, so the
 * same fact can be tried again.
 */
export async function fanOutToStream(parts: FanOutParts, fact: Fact): Promise<void> {
  const { audience } = parts
  switch (fact.kind) {
    case 'item.created':
    case 'item.redacted':
    case 'item.unredacted':
    case 'item.deleted': {
      const listeners = fact.team_id === null ? [] : audience.ofTeam(fact.team_id)
      const body = bodyOf('items', fact)
      for (const listener of listeners) if (mayReceive(listener, fact)) listener.outlet.send(fact.kind, body)
      return
    }
    case 'block.finalized': {
      const groups = await committedGroups(parts, fact)
      tellAll(audience, 'blocks', fact.kind, fact)
      for (const group of groups) await tellCommitted(audience, group)
      return
    }
    case 'block.committed':
      return tellAll(audience, 'blocks', fact.kind, fact)
    case 'entropy.created':
      return tellAll(audience, 'entropy', fact.kind, fact)
    case 'commitment.submitted':
    case 'commitment.confirmed':
    case 'commitment.failed':
      return tellAll(audience, 'commitments', fact.kind, fact)
    case 'delivery.created':
    case 'delivery.updated': {
      const body = bodyOf('webhook_deliveries', fact)
      for (const { userId, outlet } of audience.of('webhook_deliveries'))
        if (userId === fact.creator_id) outlet.send(fact.kind, body)
      return
    }
    // Of no stream: the page of an endpoint shows how it is.
    case 'webhook_endpoint.failing':
    case 'webhook_endpoint.disabled':
    case 'webhook_endpoint.secret_rotated':
      return
    default:
      // A kind that a newer server wrote and this version does not support.
      fact.kind satisfies never
  }
}

type StreamedKind = Exclude<Fact['kind'], `webhook_endpoint.${string}`>

/** Sends a fact that everybody may see. */
function tellAll(audience: Audience, stream: FactStream, event: StreamedKind, fact: Fact): void {
  const body = bodyOf(stream, fact)
  for (const { outlet } of audience.of(stream)) outlet.send(event, body)
}

/**
 * Reads the items of a finalized block. A fault of ours drops the block's `item.committed` events but does not stop
 * the stream, because clients can still read the items' states.
 */
async function committedGroups({ em, audience, log }: FanOutParts, fact: Fact): Promise<CommittedGroup[]> {
  const [teamIds, keptTeamIds, userIds] = [audience.teams(), audience.keptTeams(), audience.users()]
  if (teamIds.length === 0 || fact.data.item_count === 0) return []
  const among = teamIds.length + keptTeamIds.length + userIds.length
  const perGroup = Math.max(1, Math.min(PER_GROUP, Math.floor(LOADED / among)))
  try {
    const asked = { blockId: fact.subject_id, teamIds, keptTeamIds, userIds, perGroup }
    return groupsOf(await rows(em(), COMMITTED(asked)))
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    log.error({ err: error, block_id: fact.subject_id }, 'stream.committed_items_failed')
    return []
  }
}

/**
 * Sends a few events, then lets the event loop do other work. Each time it sends to the current listeners, see
 * `fact_reader`. It cannot fail halfway.
 */
async function tellCommitted(
  audience: Audience,
  { teamId, creatorId, total, items }: CommittedGroup,
): Promise<void> {
  const bodies = items.map(({ at, data }) => bodyOf('items', { at, data }))
  const outlets = () =>
    [...audience.ofTeam(teamId)]
      .filter(({ userId, keeps }) => creatorId === null || creatorId === userId || keeps())
      .map(({ outlet }) => outlet)
  for (let first = 0; first < bodies.length; first += EVENTS_AT_ONCE) {
    for (const outlet of outlets())
      for (const body of bodies.slice(first, first + EVENTS_AT_ONCE)) outlet.send(ITEM_COMMITTED, body)
    await yieldToEventLoop()
  }
  const newest = bodies.at(-1)
  const rest = total - bodies.length
  if (rest > 0 && newest !== undefined)
    for (const outlet of outlets()) outlet.sumUp(ITEM_COMMITTED, rest, newest)
}

/**
 * Builds one body for all listeners. No known body reaches the ceiling; one that does is reduced
 * to the id of its subject.
 */
function bodyOf(stream: FactStream, { at, data }: Pick<Fact, 'at' | 'data'>): StreamEvent {
  // Reserves space for the envelope of a burst that contains this body as its newest event.
  const room = connectionLimits.payload_bytes - 1_024
  const whole = Buffer.byteLength(JSON.stringify(data)) <= room
  return Object.freeze({ stream, at, data: whole ? data : { id: data.id } })
}

/** A listener is a member of its team. The handshake checks this, and the credential watch checks it again later. */
interface Listener {
  readonly userId: string
  readonly teamId: string
  /** True when the listener's role keeps the team's items, as of the last credential watch. */
  readonly keeps: () => boolean
  readonly outlet: StreamOutlet
}

const NOBODY: ReadonlySet<Listener> = new Set()

/**
 * Applies the rule of `readable_item` to an item of the listener's own team. Its creator and members who keep the
 * team's items may read it; other members may read it unless it is private.
 */
const mayReceive = (listener: Listener, item: Pick<Fact, 'creator_id' | 'team_id' | 'visibility'>): boolean =>
  item.team_id === listener.teamId &&
  (item.creator_id === listener.userId ||
    item.visibility === 'team' ||
    item.visibility === 'public' ||
    listener.keeps())

export type Audience = ReturnType<typeof createAudience>

/** The listeners of each stream on this server. */
export function createAudience() {
  const streams = new Map<FactStream, Set<Listener>>()
  const teams = new Map<string, Set<Listener>>()
  return Object.freeze({
    /** Adds a listener and returns the function that removes it. */
    add: (stream: FactStream, listener: Listener) => {
      const leaveStream = join(streams, stream, listener)
      const leaveTeam = stream === 'items' ? join(teams, listener.teamId, listener) : undefined
      return () => {
        leaveStream()
        leaveTeam?.()
      }
    },
    of: (stream: FactStream): ReadonlySet<Listener> => streams.get(stream) ?? NOBODY,
    /** The listeners to a team's items. */
    ofTeam: (teamId: string): ReadonlySet<Listener> => teams.get(teamId) ?? NOBODY,
    teams: () => [...teams.keys()],
    /** The teams with a listener whose role keeps the team's items, which includes private ones. */
    keptTeams: () =>
      [...teams].filter(([, group]) => [...group].some(({ keeps }) => keeps())).map(([teamId]) => teamId),
    /** The users who listen to items. */
    users: () => [...new Set([...(streams.get('items') ?? NOBODY)].map(({ userId }) => userId))],
  })
}

function join<Key>(groups: Map<Key, Set<Listener>>, key: Key, listener: Listener): () => void {
  const group = groups.get(key) ?? new Set()
  groups.set(key, group.add(listener))
  return () => {
    group.delete(listener)
    if (group.size === 0 && groups.get(key) === group) groups.delete(key)
  }
}

/**
 * Items of one team with the same readers: either the whole team, or one creator and the members
 * who keep the team's items.
 */
interface CommittedGroup {
  readonly teamId: string
  /** Null when the whole team may read them. Empty when their creators do not listen. */
  readonly creatorId: string | null
  readonly total: number
  /** In the order of their leaves; never empty. */
  readonly items: readonly { readonly at: string; readonly data: Readonly<Record<string, unknown>> }[]
}

type CommittedRow = RowFrom<typeof COMMITTED>

/**
 * The most items of one group that are sent one by one, and the most of all groups together.
 * Each group gets at least one.
 */
const PER_GROUP = 200
const LOADED = 5_000

function groupsOf(found: readonly CommittedRow[]): CommittedGroup[] {
  const groups = Map.groupBy(found, (item) => `${item.team_id} ${item.creator_id ?? 'the team'}`)
  return [...groups.values()].flatMap((items) => {
    const [first] = items
    if (first === undefined) return []
    const shown = items.map(({ at, data }) => ({ at, data }))
    return [{ teamId: first.team_id, creatorId: first.creator_id, total: first.total, items: shown }]
  })
}

/**
 * Reads the leaves of the block once, by index block_leaves_pkey, independent of the number of teams. It fetches only the
 * rows that are sent in full. A block without items of these teams returns none.
 */
const COMMITTED = statement(
  { team_id: text, creator_id: nullable(text), total: int4, at: text, data: jsonObject },
  (asked: {
    readonly blockId: string
    /** The teams and users whose items are needed. */
    readonly teamIds: readonly string[]
    readonly userIds: readonly string[]
    readonly keptTeamIds: readonly string[]
    readonly perGroup: number
  }) => sql`
  WITH readable AS (
    SELECT id, team_id, creator_id, count(*) OVER readers AS total,
           row_number() OVER (readers ORDER BY id) AS place
      FROM (SELECT id, team_id,
                   CASE WHEN visibility <> 'private' THEN NULL WHEN creator_id = ANY(${asked.userIds}::text[]) THEN creator_id
                        ELSE '' END AS creator_id
              FROM block_leaves l JOIN items ON items.id = l.subject_id || ''
             WHERE l.height = (SELECT height FROM blocks WHERE blocks.id = ${asked.blockId})
               AND l.subject_id >= (SELECT first_item_id FROM blocks WHERE blocks.id = ${asked.blockId})
               AND l.subject_id <= (SELECT last_item_id FROM blocks WHERE blocks.id = ${asked.blockId})
               AND team_id = ANY(${asked.teamIds}::text[])
               AND (visibility IN ('team', 'public') OR creator_id = ANY(${asked.userIds}::text[]) OR team_id = ANY(${asked.keptTeamIds}::text[]))) leaves
    WINDOW readers AS (PARTITION BY team_id, creator_id)
  )
  SELECT r.team_id, r.creator_id, r.total::int, iso_time(b.finalized_at) AS at,
         item_event(i, b.id, b.finalized_at) AS data
    FROM readable r JOIN items i ON i.id = r.id CROSS JOIN blocks b
   WHERE r.place <= ${asked.perGroup} AND b.id = ${asked.blockId}
   ORDER BY r.id`,
)
