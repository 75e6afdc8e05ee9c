// Reads new facts once per server for all listeners, in commit order. It does not read while there are no listeners.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Repeating, repeat } from '../../kernel/flow/repeat.ts'
import type { Log } from '../../kernel/log.ts'
import { type Fact, type FactCursor, factsAfter, latestFactCursor } from './facts.ts'

interface FactReaderParts {
  readonly em: () => EntityManager
  readonly log: Log
  /** Must reject only when the same fact should be sent again. Then no listener may have received it. */
  readonly tell: (fact: Fact) => Promise<void>
  readonly everyMs: number
}

export interface FactReader {
  /**
   * Resolves when the reader has fixed its starting point, so that no later fact is missed. Returns the function that
   * releases the reader. The reader runs until every holder has released it.
   */
  readonly hold: () => Promise<() => void>
  /** Makes the reader look for new facts now. */
  readonly poke: () => void
  readonly close: () => Promise<void>
}

const PAGE = 500
/**
 * Facts sent before the event loop may do other work. A whole page at once could exceed what a connection may have
 * unsent, even if its client reads fast.
 */
const FACTS_PER_BREATH = 16

/** Lasts from the first hold to the last release. The next run starts at a new cursor. */
interface Run {
  readonly begun: Promise<void>
  holders: number
  reading: Repeating | undefined
}

export function factReader({ em, log, tell, everyMs }: FactReaderParts): FactReader {
  let run: Run | undefined
  let ended: Promise<unknown> = Promise.resolve()

  const begin = (): Run => {
    const begun = latestFactCursor(em()).then((cursor) => {
      if (run === fresh) fresh.reading = readFrom(cursor)
    })
    const fresh: Run = { begun, holders: 0, reading: undefined }
    return fresh
  }

  const readFrom = (first: FactCursor): Repeating => {
    let cursor = first
    /** Facts that are read but not sent yet. */
    const waiting: Fact[] = []
    return repeat({
      everyMs,
      onError: (err) => log.warn({ err }, 'stream.facts_read_failed'),
      run: async (signal) => {
        let sent = 0
        // The last release aborts this loop. Later holders get a run with its own cursor.
        while (!signal.aborted) {
          for (let fact = waiting[0]; fact !== undefined; fact = waiting[0]) {
            await tell(fact)
            if (signal.aborted) return
            waiting.shift()
            sent += 1
            if (sent % FACTS_PER_BREATH === 0) await yieldToEventLoop()
            if (signal.aborted) return
          }
          const page = await factsAfter(em(), cursor, PAGE)
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
        // Every holder that waited for this start gets the error. The next hold starts again.
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
