// The content of `/health/ready`: where the ledger stands, and the state of outside services.
import type { EntityManager } from '@mikro-orm/postgresql'
import manifest from '../../package.json' with { type: 'json' }
import type { BeaconFeed } from '../domain/beacons/beacon_feed.ts'
import { chainStandings } from '../domain/commitments/chain_standings.ts'
import type { ConfiguredChain } from '../domain/commitments/chains/configured_chains.ts'
import type { SourceAt } from '../domain/entropy/source.ts'
import { sourceStates } from '../domain/entropy/source_state.ts'
import { readStanding } from '../domain/ledger/standing.ts'
import type { PublicLog } from '../domain/log/public_log.ts'
import { witnessStandings } from '../domain/log/witness_standings.ts'
import type { Witnessing } from '../domain/log/witnessing.ts'
import type { MasterKey } from '../kernel/sealed.ts'
import type { FullDisk } from '../store/full_disk.ts'
import { keyInForce } from '../store/key_in_force.ts'
import type { Replica, ReplicaStanding } from '../store/replica.ts'
import type { HeadWatch } from './head_watch.ts'

export interface Watched {
  readonly em: () => EntityManager
  readonly disk: Pick<FullDisk, 'isFull'>
  readonly masterKey: Pick<MasterKey, 'fingerprint'>
  readonly blockIntervalMs: number
  readonly entropy: readonly SourceAt[]
  readonly chains: readonly ConfiguredChain[]
  /** True while notices of new blocks arrive. */
  readonly notices: () => boolean
  readonly headWatch: HeadWatch
  readonly feed: Pick<BeaconFeed, 'replaced'>
  readonly publicLog: Pick<PublicLog, 'shown' | 'behind'>
  /** Undefined when no witness is asked. */
  readonly witnessing: Witnessing | undefined
  readonly replica?: Pick<Replica, 'standing'> | undefined
}

/**
 * Reports sources and chains that are away, a clock behind the chain, a replaced chain, and missing witnesses. None of
 * these makes the server unready, because it still serves correct answers. A chain that has stopped growing does, and so
 * do a ledger that must not grow, a database that refuses writes and a master key that was changed.
 */
export async function readReadiness({
  em,
  disk,
  masterKey,
  blockIntervalMs,
  entropy,
  chains,
  notices,
  headWatch,
  feed,
  publicLog,
  witnessing,
  replica,
}: Watched): Promise<{ readonly ready: boolean; readonly [detail: string]: unknown }> {
  const { nowMs, head } = await readStanding({ em: em() })
  const { stalled, limitMs, clockBehindMs } = headWatch.see(nowMs, head)
  const replaced = feed.replaced()
  const log = publicLog.shown()?.key.number
  const behind = publicLog.behind()
  const { isFull } = disk
  const isKeyChanged = (await keyInForce({ em: em() })) !== masterKey.fingerprint
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
    ...(replaced === undefined
      ? {}
      : {
          chain_replaced: {
            ago_ms: Math.round(replaced.agoMs),
            lost: { height: replaced.lost.height, ...replaced.lost.beacon },
            head: { height: replaced.head.height, ...replaced.head.beacon },
          },
        }),
    ...(replica === undefined ? {} : { replica: tellReplica(replica.standing()) }),
    notices: notices() ? 'arriving' : 'interrupted',
    entropy: await sourceStates({ em: em() }, entropy),
    chains: await chainStandings({ em: em() }, chains),
    ...(witnessing === undefined || log === undefined
      ? {}
      : { witnesses: await witnessStandings({ em: em() }, witnessing, log) }),
  }
}

/** A replica that is not used makes no server unready, because the primary answers instead. */
const tellReplica = ({ state, lagMs }: ReplicaStanding) => ({ state, lag_ms: lagMs })
