// What a server tells of itself: whether it is alive and can do its work, all its metrics, and every key that ever
// signed, for anybody who verifies a proof.
import { createHash, hash, timingSafeEqual } from 'node:crypto'
import type { Middleware } from 'koa'
import type { KeyringDocument } from '../../domain/proofs/keyrings.ts'
import { isLoopback } from '../../kernel/addresses.ts'
import { sharedAnswer, underWay } from '../../kernel/flow/shared_work.ts'
import type { Log } from '../../kernel/log.ts'
import { type Metrics, type MetricsText, type Snapshot, scrapeTogether } from '../../kernel/metrics.ts'
import { isDatabaseFull, isDatabaseUnavailable } from '../../store/database_errors.ts'
import { requireReading, sendStatic } from './static_file.ts'

export interface Readiness {
  readonly ready: boolean
  readonly [detail: string]: unknown
}

/**
 * Milliseconds. Readiness needs no credential and charges no budget, so its cost must not grow
 * with the number of requests.
 */
export const READINESS = { fresh: 1_000, patience: 2_000 } as const

/**
 * `/health/live` answers while the event loop runs. `/health/ready` queries the database at most once a second,
 * shares that answer among all requests, and returns 503 while the database is unavailable or hangs.
 * @param leaving true once this server was told to stop, so that load balancers see it before requests are refused
 */
export function health(readiness: () => Promise<Readiness>, leaving: () => boolean): Middleware {
  const look = async (): Promise<Readiness> => {
    try {
      return await readiness()
    } catch (error) {
      if (isDatabaseFull(error)) return { ...notReady('disk_full'), reason: 'disk_full' }
      return notReady(isDatabaseUnavailable(error) ? 'unavailable' : 'failing')
    }
  }
  const standing = sharedAnswer(look, {
    freshMs: READINESS.fresh,
    patienceMs: READINESS.patience,
    late: () => notReady('unavailable'),
  })
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (!isRead || (ctx.path !== '/health/live' && ctx.path !== '/health/ready')) return next()
    ctx.set('Cache-Control', 'no-store')
    if (ctx.path === '/health/live') {
      ctx.body = { live: true }
      return
    }
    const answer = leaving() ? { ready: false, stopping: true } : await standing()
    ctx.status = answer.ready ? 200 : 503
    ctx.body = answer
  }
}

const notReady = (database: 'unavailable' | 'failing' | 'disk_full'): Readiness => ({
  ready: false,
  database,
})

/** Answers `GET /metrics` with Prometheus text, or 401 when the request may not read it. */
export function serveMetrics({
  metrics,
  token,
  host,
  others,
  log,
}: {
  readonly metrics: Metrics
  /**
   * When set, the token is always required, because a proxy on the same machine may forward
   * requests to a loopback address.
   */
  readonly token: string | undefined
  /**
   * The address that the server listens on. Without a token, metrics are readable only when it is a loopback address.
   */
  readonly host: string
  /** The metrics of the other processes of this server. One answer shows all of them together. */
  readonly others?: (() => Promise<readonly Snapshot[]>) | undefined
  readonly log: Log
}): Middleware {
  const expected = token === undefined ? undefined : digest(token)
  const open = expected === undefined && isLoopback(host)
  const mayRead = (header: string): boolean => {
    if (expected === undefined) return open
    const given = BEARER.exec(header)?.[1]
    return given !== undefined && timingSafeEqual(digest(given), expected)
  }
  const onError = (err: unknown) => log.warn({ err }, 'metrics.not_read')
  const scrape = async (): Promise<MetricsText> => {
    if (others === undefined) return metrics.scrape(onError)
    const [own, theirs] = await Promise.all([metrics.snapshot(onError), others()])
    return scrapeTogether([own, ...theirs])
  }
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (!isRead || ctx.path !== '/metrics') return next()
    ctx.set('Cache-Control', 'no-store')
    if (!mayRead(ctx.get('authorization'))) {
      ctx.status = 401
      ctx.set('WWW-Authenticate', 'Bearer')
      ctx.body = 'Unauthorized'
      return
    }
    const { type, text } = await scrape()
    ctx.type = type
    ctx.body = text
  }
}

const BEARER = /^bearer +([\x21-\x7e]{1,256}) *$/i

/** Digests have a fixed length, so comparing them reveals nothing about the length of the token. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const KEYRING = '/.well-known/keyring.json'

/**
 * Needs no credential.
 * @param read returns the current document. Concurrent requests share one read, so requests without a credential cause
 * at most one at a time.
 */
export function serveKeyring(read: () => Promise<KeyringDocument>): Middleware {
  const reading = underWay<typeof KEYRING, KeyringDocument>()
  return async (ctx, next) => {
    if (ctx.path !== KEYRING) return next()
    requireReading(ctx)
    const body = Buffer.from(JSON.stringify(await reading.join(KEYRING, read)))
    // A new key must be found at once, so it is not immutable: caches revalidate their copy before each use.
    await sendStatic(ctx, {
      ...{ type: 'application/json; charset=utf-8', scope: 'public' },
      plain: { bytes: () => body, etag: () => hash('sha256', body, 'base64url') },
    })
  }
}
