// Reads live facts once per server for all who listen, in commit order, and not at all while nobody does.
import { setImmediate as turn } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Log } from '../../kernel/log.ts'
import { type Repeating, repeat } from '../../kernel/repeat.ts'
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
  reading: Repeating | undefined
}

export function factReader({ em, log, tell, everyMs }: FactReaderParts): FactReader {
  let run: Run | undefined
  let ended: Promise<unknown> = Promise.resolve()

  const begin = (): Run => {
    const begun = latestFactCursor({ em: em() }).then((cursor) => {
      if (run === fresh) fresh.reading = readFrom(cursor)
    })
    const fresh: Run = { begun, holders: 0, reading: undefined }
    return fresh
  }

  const readFrom = (first: FactCursor): Repeating => {
    let cursor = first
    /** Read, but not told yet. */
    const waiting: Fact[] = []
    return repeat({
      everyMs,
      onError: (err) => log.warn({ err }, 'stream.facts_read_failed'),
      run: async (signal) => {
        let told = 0
        // Cut short by the last release: those who come later have a cursor of their own.
        while (!signal.aborted) {
          for (let fact = waiting[0]; fact !== undefined; fact = waiting[0]) {
            await tell(fact)
            if (signal.aborted) return
            waiting.shift()
            told += 1
            if (told % PER_TURN === 0) await turn()
            if (signal.aborted) return
          }
          const page = await factsAfter({ em: em() }, cursor, PAGE)
          cursor = page.cursor
          if (page.facts.length === 0) return
          waiting.push(...page.facts)
        }
      },
    })
  }

  const end = (over: Run): void => {
    if (run === over) run = undefined
    ended = Promise.all([ended, over.reading?.stop()])
  }

  return Object.freeze({
    poke: () => run?.reading?.poke(),
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
      await ended
    },
  })
}
