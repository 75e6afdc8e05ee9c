// Sends a fact to the listeners who may receive it, as an event of the right stream.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { connectionLimits, type StreamEvent } from '../../../shared/wire/console_stream.ts'
import type { Fact } from '../../domain/ledger/facts.ts'
import type { Log } from '../../kernel/log.ts'
import { isDatabaseUnavailable } from '../../store/database_errors.ts'
import { type Audience, mayReceive } from './audience.ts'
import { type CommittedGroup, committedItems } from './committed_items.ts'
import type { FactStream } from './session.ts'

interface FanOutParts {
  readonly em: () => EntityManager
  readonly audience: Audience
  readonly log: Log
}

const ITEM_COMMITTED = 'item.committed'
const LISTENERS_PER_BREATH = 16

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
      tellAll(audience, 'blocks', fact)
      for (const group of groups) await tellCommitted(audience, group)
      return
    }
    case 'block.committed':
      return tellAll(audience, 'blocks', fact)
    case 'entropy.created':
      return tellAll(audience, 'entropy', fact)
    case 'commitment.submitted':
    case 'commitment.confirmed':
    case 'commitment.failed':
      return tellAll(audience, 'commitments', fact)
    case 'delivery.created':
    case 'delivery.updated': {
      const body = bodyOf('webhook_deliveries', fact)
      for (const { userId, outlet } of audience.of('webhook_deliveries'))
        if (userId === fact.creator_id) outlet.send(fact.kind, body)
      return
    }
    default:
      // A kind that a newer server wrote and this version does not support.
      fact.kind satisfies never
  }
}

/** Sends a fact that everybody may see. */
function tellAll(audience: Audience, stream: FactStream, fact: Fact): void {
  const body = bodyOf(stream, fact)
  for (const { outlet } of audience.of(stream)) outlet.send(fact.kind, body)
}

/**
 * Reads the items of a finalized block. A fault of ours drops the block's `item.committed` events but does not stop
 * the stream, because clients can still read the items' states.
 */
async function committedGroups({ em, audience, log }: FanOutParts, fact: Fact): Promise<CommittedGroup[]> {
  const teamIds = audience.teams()
  if (teamIds.length === 0 || fact.data.item_count === 0) return []
  try {
    const listening = { teamIds, keptTeamIds: audience.keptTeams(), userIds: audience.users() }
    return await committedItems(em(), fact.subject_id, listening)
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
  for (let first = 0; first < bodies.length; first += LISTENERS_PER_BREATH) {
    for (const outlet of outlets())
      for (const body of bodies.slice(first, first + LISTENERS_PER_BREATH)) outlet.send(ITEM_COMMITTED, body)
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
