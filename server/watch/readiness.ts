// The content of `/health/ready`: where the ledger stands, and the state of outside services; and the watch that logs
// when the chain stops growing on time or the database's clock disagrees with it.
import manifest from '../../package.json' with { type: 'json' }
import type { BeaconFeed } from '../domain/beacons/beacon_feed.ts'
import { chainStandings } from '../domain/commitments/commitment.ts'
import { sourceStates } from '../domain/entropy/capture_entropy.ts'
import { readStanding } from '../domain/ledger/standing.ts'
import { witnessStandings } from '../domain/log/witnesses.ts'
import { waitingRoundAges } from '../domain/rounds/waiting_rounds.ts'
import type { ClockStanding } from '../domain/time_stamps/stamping_clock.ts'
import type { Log } from '../kernel/log.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import type { FullDisk } from '../store/database_errors.ts'
import type { Replica } from '../store/open_store.ts'
import { keyInForce } from '../store/seal.ts'
import type { Watched } from './gauges.ts'

interface SeenHead {
  readonly height: number
  /** The millisecond in the id of the head. */
  readonly timeMs: number
}

/** The head is read shortly after the clock, and blocks within one millisecond get ids one millisecond apart. */
const BEHIND_MS = 1_000

/**
 * Uses the larger of two ages: by the database's clock, and by how long this process has seen the same head, because
 * a clock that is behind shows no age. A stall ends with the second block on time, because a server that makes single
 * blocks would start and end it repeatedly. A process that has never seen the chain grow has no stall to end: of a
 * server that starts after an outage the first block is its own.
 */
export function watchHead({
  intervalMs,
  log,
  monotonic = () => performance.now(),
}: {
  readonly intervalMs: number
  readonly log: Log
  /** For tests: a monotonic clock in milliseconds. */
  readonly monotonic?: () => number
}) {
  // A slightly late block is normal, because other servers make it 3 s after the boundary. Three intervals and 10 s is not.
  const limitMs = 3 * intervalMs + 10_000
  let seen: SeenHead & { readonly at: number } = { height: -1, timeMs: 0, at: monotonic() }
  let hasGrown = false
  let isStalled = false
  /** The first block on time since the stall. */
  let first: SeenHead | undefined
  let isStallLogged = false
  let wasBehind = false

  const stall = (standsMs: number, { height }: SeenHead): void => {
    if (!isStallLogged)
      log.warn({ height, stands_ms: Math.round(standsMs), limit_ms: limitMs }, 'head.stalled')
    isStallLogged = true
    isStalled = hasGrown
    first = undefined
  }

  const grow = (head: SeenHead): void => {
    if (isStalled) {
      const blocks = first === undefined ? 0 : head.height - first.height
      if (first !== undefined && blocks < 1) return
      if (first === undefined || (head.timeMs - first.timeMs) / blocks > limitMs) {
        first = head
        return
      }
    }
    isStalled = false
    hasGrown = true
    if (isStallLogged) log.info({ height: head.height }, 'head.grows_again')
    isStallLogged = false
  }

  return Object.freeze({
    /**
     * Called with every standing that is read. Returns whether the head is older than `limitMs`, until enough blocks
     * have come on time again, and how far the database's clock is behind the chain, 0 when it is not.
     */
    see: (nowMs: number, head: SeenHead) => {
      if (head.height !== seen.height || head.timeMs !== seen.timeMs) seen = { ...head, at: monotonic() }
      const standsMs = Math.max(nowMs - head.timeMs, monotonic() - seen.at)
      if (standsMs > limitMs) stall(standsMs, head)
      else grow(head)
      const clockBehindMs = Math.max(0, head.timeMs - nowMs)
      const isBehind = clockBehindMs > BEHIND_MS
      if (isBehind && !wasBehind)
        log.warn({ clock_behind_ms: clockBehindMs, height: head.height }, 'clock.behind_chain')
      if (!isBehind && wasBehind) log.info({ height: head.height }, 'clock.agrees_with_chain')
      wasBehind = isBehind
      return {
        stalled: standsMs > limitMs || isStalled,
        limitMs,
        clockBehindMs: isBehind ? clockBehindMs : 0,
      }
    },
  })
}

type HeadWatch = ReturnType<typeof watchHead>

/** What readiness is judged by. */
interface Judged extends Watched {
  readonly disk: Pick<FullDisk, 'isFull'>
  readonly masterKey: Pick<MasterKey, 'fingerprint'>
  readonly blockIntervalMs: number
  /** True while notices of new blocks arrive. */
  readonly notices: () => boolean
  readonly headWatch: HeadWatch
  readonly feed: Pick<BeaconFeed, 'replaced'>
  readonly replica?: Pick<Replica, 'standing'> | undefined
  /** Undefined while nothing is time-stamped here. */
  readonly stampingClock: (() => ClockStanding) | undefined
}

/**
 * Reports sources and chains that are away, a clock behind the chain or too far off for time stamps, a
 * replaced chain, and missing witnesses. None of
 * these makes the server unready, because it still serves correct answers. A chain that has stopped growing does, and so
 * do a ledger that must not grow, a database that refuses writes and a master key that was changed.
 */
export async function readReadiness(
  watched: Judged,
): Promise<{ readonly ready: boolean; readonly [detail: string]: unknown }> {
  const { em, blockIntervalMs, publicLog, witnessing, stampingClock } = watched
  const { nowMs, head } = await readStanding(em())
  const { stalled, limitMs, clockBehindMs } = watched.headWatch.see(nowMs, head)
  const replaced = watched.feed.replaced()
  const log = publicLog.shown()?.key.number
  const behind = publicLog.behind()
  const { isFull } = watched.disk
  // A replica that is not used makes no server unready, because the primary answers instead.
  const standing = watched.replica?.standing()
  const isKeyChanged = (await keyInForce(em())) !== watched.masterKey.fingerprint
  // Of several the first, because the others follow from it.
  const [reason] = [
    ...(isKeyChanged ? ['master_key_changed'] : []),
    ...(behind === undefined ? [] : ['behind_what_was_signed']),
    ...(isFull ? ['disk_full'] : []),
    ...(stalled ? ['head_stalled'] : []),
  ]
  return {
    ready: reason === undefined,
    ...(reason === undefined ? {} : { reason }),
    ...(behind === undefined ? {} : { public_log: behind }),
    version: manifest.version,
    database: isFull ? 'disk_full' : 'ok',
    block_interval_ms: blockIntervalMs,
    head_height: head.height,
    head_age_ms: nowMs - head.timeMs,
    head_stalled_after_ms: limitMs,
    clock: clockBehindMs === 0 ? 'ok' : 'behind_chain',
    ...(stampingClock === undefined ? {} : { time_stamp_clock: stampingClock() }),
    ...(replaced === undefined
      ? {}
      : {
          chain_replaced: {
            ago_ms: Math.round(replaced.agoMs),
            lost: { height: replaced.lost.height, ...replaced.lost.beacon },
            head: { height: replaced.head.height, ...replaced.head.beacon },
          },
        }),
    ...(standing === undefined ? {} : { replica: { state: standing.state, lag_ms: standing.lagMs } }),
    notices: watched.notices() ? 'arriving' : 'interrupted',
    entropy: await sourceStates(em(), watched.entropy),
    chains: await chainStandings(em(), watched.chains),
    round_unconfirmed_seconds: Object.fromEntries(
      await waitingRoundAges(
        em(),
        watched.chains.map(({ chain }) => chain.name),
      ),
    ),
    ...(witnessing === undefined || log === undefined
      ? {}
      : { witnesses: await witnessStandings(em(), witnessing, log) }),
  }
}
