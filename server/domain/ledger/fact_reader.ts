// Reads live facts once per server for all who listen, in commit order, and not at all while nobody does.
import { setImmediate as turn } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Log } from '../../kernel/log.ts'
import { type Fact, type FactCursor, factsAfter, latestFactCursor } from './facts.ts'

export interface FactReaderParts {
  readonly em: () => EntityManager
  readonly log: Log
  /** Rejects only when the same fact is to be tried again; then nobody has been told. */
  readonly tell: (fact: Fact) => Promise<void>
  readonly everyMs: number
}

export interface FactReader {
  /** Settles when the reader stands at a point before now, and keeps it reading until released. */
  readonly hold: () => Promise<() => void>
  /** There may be news. */
  readonly poke: () => void
  readonly close: () => Promise<void>
}

const PAGE = 500
/** Facts told in one turn of the event loop. A page at once could be more than a connection may have unsent, however fast it reads. */
const PER_TURN = 16

/** From the first hold to the last release; the next one stands at a new place. */
interface Run {
  readonly begun: Promise<void>
  holders: number
  cursor: FactCursor | undefined
  timer: NodeJS.Timeout | undefined
  /** Read, but not told yet. */
  readonly waiting: Fact[]
}

export function factReader({ em, log, tell, everyMs }: FactReaderParts): FactReader {
  let run: Run | undefined
  let reading: Promise<void> | undefined
  let again = false

  const begin = (): Run => {
    const begun = latestFactCursor({ em: em() }).then((cursor) => {
      fresh.cursor = cursor
      if (run === fresh) fresh.timer = setInterval(poke, everyMs)
    })
    const fresh: Run = { begun, holders: 0, cursor: undefined, timer: undefined, waiting: [] }
    return fresh
  }

  const end = (ended: Run): void => {
    clearInterval(ended.timer)
    if (run === ended) run = undefined
  }

  const readAll = async (current: Run): Promise<void> => {
    let told = 0
    // Cut short by the last release: those who come later have a cursor of their own.
    while (run === current && current.cursor !== undefined) {
      for (let fact = current.waiting[0]; fact !== undefined; fact = current.waiting[0]) {
        await tell(fact)
        if (run !== current) return
        current.waiting.shift()
        told += 1
        if (told % PER_TURN === 0) await turn()
        if (run !== current) return
      }
      const { facts, cursor } = await factsAfter({ em: em() }, current.cursor, PAGE)
      current.cursor = cursor
      if (facts.length === 0) return
      current.waiting.push(...facts)
    }
  }

  const poke = (): void => {
    if (run?.cursor === undefined) return
    if (reading !== undefined) {
      again = true
      return
    }
    again = false
    reading = readAll(run)
      .catch((error: unknown) => log.warn({ err: error }, 'stream.facts_read_failed'))
      .finally(() => {
        reading = undefined
        if (again) poke()
      })
  }

  return Object.freeze({
    poke,
    hold: async () => {
      run ??= begin()
      const held = run
      held.holders += 1
      let released = false
      const release = (): void => {
        if (released) return
        released = true
        held.holders -= 1
        if (held.holders === 0) end(held)
      }
      try {
        await held.begun
      } catch (error) {
        // Everybody who waited for this beginning fails with it; the next one begins anew.
        end(held)
        throw error
      }
      return release
    },
    close: async () => {
      if (run !== undefined) end(run)
      await reading
    },
  })
}
