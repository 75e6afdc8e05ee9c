// One dedicated connection that hears NOTIFY, for ever: it reconnects, and says so, because notices sent meanwhile are lost.
import pg from 'pg'

export interface Listener {
  /** True while the connection stands and every channel is listened on. */
  readonly connected: () => boolean
  readonly close: () => Promise<void>
}

export interface ListenOptions {
  readonly url: string
  readonly channels: readonly string[]
  readonly onNotice: (channel: string, payload: string) => void
  /** Called after every (re)connect, when all channels are listened on: read again what may have been missed. */
  readonly onConnect: () => void
  readonly onLost?: (error: Error) => void
}

/** Milliseconds. A connection that answers no heartbeat in time is given up, because TCP alone may never notice. */
const RETRY = { first: 100, most: 5_000 } as const
const HEARTBEAT = { every: 10_000, answer: 5_000 } as const

/** Starts listening; the first connection is tried at once, and failures are retried in the background. */
export function listen({ url, channels, onNotice, onConnect, onLost }: ListenOptions): Listener {
  let client: pg.Client | undefined
  let connected = false
  let closed = false
  let wait: number = RETRY.first
  let timer: NodeJS.Timeout | undefined

  const lose = (lost: pg.Client, error: Error): void => {
    if (client !== lost) return
    client = undefined
    connected = false
    void lost.end().catch(() => undefined)
    if (closed) return
    onLost?.(error)
    clearTimeout(timer)
    timer = setTimeout(() => void connect(), wait)
    wait = Math.min(wait * 2, RETRY.most)
  }

  const beat = (alive: pg.Client): void => {
    timer = setTimeout(() => {
      alive.query('SELECT 1').then(
        () => client === alive && beat(alive),
        (error: Error) => lose(alive, error),
      )
    }, HEARTBEAT.every)
  }

  const connect = async (): Promise<void> => {
    if (closed) return
    const fresh = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: HEARTBEAT.answer,
      query_timeout: HEARTBEAT.answer,
      keepAlive: true,
      application_name: 'pharos listen',
    })
    client = fresh
    fresh.on('error', (error) => lose(fresh, error))
    fresh.on('end', () => lose(fresh, new Error('the LISTEN connection was closed')))
    fresh.on('notification', ({ channel, payload }) => onNotice(channel, payload ?? ''))
    try {
      await fresh.connect()
      for (const channel of channels) await fresh.query(`LISTEN ${fresh.escapeIdentifier(channel)}`)
    } catch (error) {
      lose(fresh, error instanceof Error ? error : new Error(String(error)))
      return
    }
    if (client !== fresh) return
    connected = true
    wait = RETRY.first
    beat(fresh)
    onConnect()
  }

  void connect()
  return Object.freeze({
    connected: () => connected,
    close: async () => {
      closed = true
      clearTimeout(timer)
      const last = client
      client = undefined
      connected = false
      await last?.end().catch(() => undefined)
    },
  })
}
