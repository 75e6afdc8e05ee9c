// Gathers what arrives without an account into rounds. A round opens with its first entry, closes after the interval or
// when it is full, and becomes one item. Nobody is answered before that item is durable, and everybody is answered or
// refused within five seconds. Each process has rounds of its own.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { EntityManager } from '@mikro-orm/postgresql'
import { entryLeaf, type TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import { within } from '../../kernel/flow/at_once.ts'
import { repeat } from '../../kernel/flow/repeat.ts'
import { underWay } from '../../kernel/flow/shared_work.ts'
import { Tally } from '../../kernel/flow/tally.ts'
import type { Log } from '../../kernel/log.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { step } from '../../kernel/step.ts'
import { isDatabaseHeldUp } from '../../store/database_errors.ts'
import type { Signer } from '../ledger/signing_key.ts'
import { GatheringRound, type PlacedEntry, recordRound } from './gathering_round.ts'
import { MOST_ENTRIES, type RoundKind, type RoundStart, startRound } from './round.ts'

interface RoundsParts {
  readonly em: () => EntityManager
  readonly signer: Signer
  /** Milliseconds from the first entry of a round to its end. */
  readonly intervalMs: number
  /** Called after each round that was recorded, because there are new facts. */
  readonly onRecorded: (round: { readonly kind: RoundKind; readonly entries: number }) => void
  readonly log: Log
}

/** Entries that wait in one process, of both kinds together. */
export const MOST_WAITING = 131_072

/** Of these, one key holds so many at most. */
export const MOST_OF_KEY = MOST_WAITING / 8

/** The last places are for keys that hold none. */
const SPARE = Math.floor(MOST_WAITING / 10)

export type Rounds = ReturnType<typeof openRounds>

/** Where a token will stand, which it says itself. */
export interface TokenPlace {
  readonly start: RoundStart
  readonly index: number
}

/** Milliseconds for the number of a round, because with the round itself no caller waits for more than five seconds. */
const START_MS = 2_000

export function openRounds(parts: RoundsParts) {
  const { intervalMs, log } = parts
  // A round belongs to no request, also when a request has opened it.
  const outside = AsyncLocalStorage.snapshot()
  /** Entries that wait, by key. */
  const heldBy = new Tally()
  let waiting = 0
  let isClosing = false

  const count = (key: string, by: number): void => {
    heldBy.add(key, by)
    waiting += by
  }

  /** @throws overloaded */
  const requirePlaces = (key: string, wanted: number): void => {
    const own = heldBy.of(key)
    if (own + wanted > MOST_OF_KEY)
      throw tooMany('too many of your digests wait for their round already', MOST_OF_KEY)
    if (wanted > MOST_WAITING - waiting - (own > 0 ? SPARE : 0))
      throw tooMany('too many digests wait for their round already', MOST_WAITING)
  }

  const finish = async (round: GatheringRound, kind: RoundKind): Promise<void> => {
    const began = performance.now()
    const { size } = round
    // Nobody waits for it any more, or it was opened for tokens of which none was made.
    if (round.isRefused || size === 1) return round.dismiss()
    try {
      const closed = await round.close()
      const record = () => recordRound({ em: parts.em(), signer: parts.signer }, closed)
      const recorded = await step('round', record, {
        describe: () => ({ facts: { 'pharos.entries': size } }),
      })
      const ms = Math.round(performance.now() - began)
      log.info({ round: recorded.number, kind, size, duration_ms: ms }, 'round.recorded')
      parts.onRecorded({ kind, entries: size - 1 })
      await round.answer(recorded, closed.tree)
    } catch (error) {
      round.refuse(refusalFor(error, { log, kind, size }))
    }
  }

  const openLine = (kind: RoundKind) => {
    const giveUp = (round: GatheringRound): void => {
      log.warn({ kind, size: round.size }, 'round.late')
      round.refuse(refuse('database_unavailable'))
    }
    /** The oldest first. Only the last one takes entries. */
    const rounds: GatheringRound[] = []
    /** Until the oldest round closes. */
    const msLeft = (): number => {
      const [oldest, next] = rounds
      if (oldest === undefined) return Number.POSITIVE_INFINITY
      return isClosing || next !== undefined || !oldest.hasRoomFor(1) ? 0 : oldest.dueAt - performance.now()
    }
    const closing = repeat({
      everyMs: Number.POSITIVE_INFINITY,
      onError: (err) => log.error({ err, kind }, 'round.fault'),
      run: async () => {
        while (msLeft() <= 0) {
          const oldest = rounds.shift()
          if (oldest !== undefined) await finish(oldest, kind)
        }
        return msLeft()
      },
    })
    return {
      /** The round that takes so many more. Undefined when another one must be opened. */
      newest: (count: number): GatheringRound | undefined => {
        const newest = rounds.at(-1)
        return newest?.hasRoomFor(count) === true ? newest : undefined
      },
      /** @param start of a round of tokens */
      open: (start?: RoundStart): GatheringRound => {
        const isOnly = rounds.length === 0
        const round = outside(() => new GatheringRound(start, intervalMs, giveUp))
        rounds.push(round)
        closing.poke(isOnly ? round.dueAt - performance.now() : 0)
        return round
      },
      add: (round: GatheringRound, entries: readonly TreeEntry[], leaves: readonly Uint8Array[]) => {
        const placed = round.add(entries, leaves)
        if (!round.hasRoomFor(1)) closing.poke()
        return placed
      },
      close: async (): Promise<void> => {
        await closing.run()
        await closing.stop()
      },
    }
  }
  const lines = { digests: openLine('digests'), tokens: openLine('tokens') }
  const starting = underWay<'tokens', void>()

  /** A token says the number of its round, so a round of tokens has one before it takes the first. */
  const startTokens = async (): Promise<void> => {
    try {
      lines.tokens.open(await within(START_MS, startRound(parts.em()), () => refuse('database_unavailable')))
    } catch (error) {
      throw refusalFor(error, { log, kind: 'tokens', size: 1 })
    }
  }

  /** Nothing is awaited between the look at the round and the token's place in it, so no round is closed meanwhile. */
  const addToken = async (make: (place: TokenPlace) => Uint8Array): Promise<readonly PlacedEntry[]> => {
    for (;;) {
      const round = lines.tokens.newest(1)
      if (round?.start !== undefined) {
        const value = make({ start: round.start, index: round.size })
        const entry: TreeEntry = { type: 'rfc3161-token', value }
        return lines.tokens.add(round, [entry], [entryLeaf(entry)])
      }
      if (isClosing) throw refuse('shutting_down')
      await starting.join('tokens', startTokens)
    }
  }

  return Object.freeze({
    /**
     * Puts the digests into one round, side by side, and resolves when the round is recorded.
     * @param key whose they are: of all places to wait, one key gets an eighth at most
     * @throws overloaded, shutting_down, database_unavailable, master_key_changed, internal; RangeError for an entry
     * that is none
     */
    place: async (entries: readonly TreeEntry[], key: string): Promise<readonly PlacedEntry[]> => {
      if (entries.length >= MOST_ENTRIES) throw new RangeError(`a round has ${MOST_ENTRIES} entries at most`)
      if (isClosing) throw refuse('shutting_down')
      if (entries.length === 0) return []
      requirePlaces(key, entries.length)
      const leaves = entries.map(entryLeaf)
      const round = lines.digests.newest(leaves.length) ?? lines.digests.open()
      const placed = lines.digests.add(round, entries, leaves)
      count(key, leaves.length)
      return placed.finally(() => count(key, -leaves.length))
    },
    /**
     * Puts a token into a round, and resolves when the round is recorded.
     * @param make makes the token for its place and returns its SHA-256. What it throws is thrown, and takes no place.
     * @throws as `place` does
     */
    placeToken: async (make: (place: TokenPlace) => Uint8Array, key: string): Promise<PlacedEntry> => {
      if (isClosing) throw refuse('shutting_down')
      requirePlaces(key, 1)
      count(key, 1)
      try {
        const [placed] = await addToken(make)
        if (placed === undefined) throw new Error('A token has no place in its round.')
        return placed
      } finally {
        count(key, -1)
      }
    },
    /** Entries that wait for their round. */
    waiting: (): number => waiting,
    /** Takes nothing more, and closes the rounds that there are. Resolves when everybody is answered. */
    close: async (): Promise<void> => {
      isClosing = true
      await starting.known('tokens')?.catch(() => undefined)
      await Promise.all([lines.digests.close(), lines.tokens.close()])
    },
  })
}

const tooMany = (detail: string, maximum: number): Refusal =>
  refuse('overloaded', { detail, meta: { maximum } })

/** A fault is told once, and not to each of the thousands who wait. */
function refusalFor(error: unknown, { log, ...of }: { log: Log; kind: RoundKind; size: number }): Refusal {
  if (error instanceof Refusal) return error
  const heldUp = isDatabaseHeldUp(error)
  log[heldUp ? 'warn' : 'error']({ err: error, ...of }, 'round.failed')
  return refuse(heldUp ? 'database_unavailable' : 'internal')
}
