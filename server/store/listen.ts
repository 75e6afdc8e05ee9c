// One dedicated connection that receives NOTIFY. It reconnects and reports it, because notices sent meanwhile are
// lost.
import pg from 'pg'
import { repeat } from '../kernel/flow/repeat.ts'

export type NoticeListener = ReturnType<typeof listenForNotices>

/**
 * Milliseconds. A connection without an answer to a heartbeat is given up, because TCP alone may never detect the
 * loss.
 */
const RETRY = { firstMs: 100, mostMs: 5_000 } as const
const HEARTBEAT = { every: 10_000, answer: 5_000 } as const

/** Starts listening. The first connection is tried at once, and failures are retried in the background. */
export function listenForNotices({
  url,
  channels,
  onNotice,
  onConnect,
  onLost,
}: {
  readonly url: string
  readonly channels: readonly string[]
  readonly onNotice: (channel: string, payload: string) => void
  /**
   * Called after every connect, when all channels are listened on. Read again then, because notices may have been
   * missed.
   */
  readonly onConnect: () => void
  readonly onLost?: (error: Error) => void
}) {
  let client: pg.Client | undefined
  let connected = false
  let closed = false

  const drop = (lost: pg.Client): void => {
    client = undefined
    connected = false
    void lost.end().catch(() => undefined)
  }

  /** Called when an open connection was lost. A failure while connecting is handled where it occurs. */
  const lose = (lost: pg.Client, error: Error): void => {
    if (client !== lost || !connected) return
    drop(lost)
    if (closed) return
    onLost?.(error)
    keeping.poke(RETRY.firstMs)
  }

  const newClient = (): pg.Client => {
    const fresh = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: HEARTBEAT.answer,
      query_timeout: HEARTBEAT.answer,
      keepAlive: true,
      application_name: 'pharos listen',
    })
    fresh.on('error', (error) => lose(fresh, error))
    fresh.on('end', () => lose(fresh, new Error('the LISTEN connection was closed')))
    fresh.on('notification', ({ channel, payload }) => onNotice(channel, payload ?? ''))
    return fresh
  }

  const connect = async (fresh: pg.Client): Promise<void> => {
    await fresh.connect()
    for (const channel of channels) await fresh.query(`LISTEN ${fresh.escapeIdentifier(channel)}`)
    if (client !== fresh) return
    connected = true
    onConnect()
  }

  const keeping = repeat({
    firstMs: 0,
    everyMs: HEARTBEAT.every,
    retry: RETRY,
    onError: (error) => onLost?.(error instanceof Error ? error : new Error(String(error))),
    run: async () => {
      client ??= newClient()
      const held = client
      try {
        await (connected ? held.query('SELECT 1') : connect(held))
      } catch (error) {
        // The loss was reported already, and the next try is scheduled.
        if (client !== held) return
        drop(held)
        throw error
      }
    },
  })
  return Object.freeze({
    /** True while the connection is open and listens on every channel. */
    connected: () => connected,
    close: async (): Promise<void> => {
      closed = true
      // Not awaited, because connecting may take its whole time limit.
      void keeping.stop()
      const last = client
      client = undefined
      connected = false
      await last?.end().catch(() => undefined)
    },
  })
}
