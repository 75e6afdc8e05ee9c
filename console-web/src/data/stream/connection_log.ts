// What is known of the stream connection of this tab: how it is carried, when it was interrupted and why, and
// what the server said in its welcome.
import { objectAt, textAt } from '../shape.ts'
import { Store } from '../store.ts'

export type Break = {
  /** Local times. `until` is null while the connection is still away. */
  readonly from: number
  readonly until: number | null
  readonly why: string
  /** Attempts that failed after the first reason. */
  readonly failures: number
}

type ConnectionFacts = {
  /** `websocket` or `polling`. Null while there is no connection. */
  readonly transport: string | null
  /** Local time of the present connection's welcome. */
  readonly since: number | null
  readonly breaks: readonly Break[]
  /** Of the last connection. */
  readonly welcome: ReturnType<typeof readWelcome> | null
}

/** Older ones are forgotten. */
const MOST_BREAKS = 50

const NOTHING: ConnectionFacts = { transport: null, since: null, breaks: [], welcome: null }

export class ConnectionLog {
  readonly facts = new Store<ConnectionFacts>(NOTHING)
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Call after the welcome. */
  joined(transport: string, welcome: unknown): void {
    const since = this.#now()
    const breaks = this.facts.read().breaks.map((one) => ({ ...one, until: one.until ?? since }))
    this.facts.change({ transport, since, welcome: readWelcome(welcome), breaks })
  }

  /** The connection began with long polling and goes on with WebSocket. */
  carriedBy(transport: string): void {
    if (this.facts.read().since !== null) this.facts.change({ transport })
  }

  /** Call when an attempt or a connection has ended. */
  lost(why: string): void {
    const { breaks } = this.facts.read()
    const [last, ...older] = breaks
    const next: readonly Break[] =
      last?.until === null
        ? [{ ...last, failures: last.failures + 1 }, ...older]
        : [{ from: this.#now(), until: null, why, failures: 0 }, ...breaks].slice(0, MOST_BREAKS)
    this.facts.change({ transport: null, since: null, breaks: next })
  }
}

const readWelcome = (body: unknown) => {
  const team = objectAt(body, 'team')
  const id = textAt(team, 'id')
  return {
    team: id === null ? null : { id, name: textAt(team, 'name') ?? '', role: textAt(team, 'role') ?? '' },
    plan: textAt(body, 'plan'),
    /** Ceilings of one connection, by their name on the wire. */
    limits: objectAt(body, 'limits'),
  }
}
