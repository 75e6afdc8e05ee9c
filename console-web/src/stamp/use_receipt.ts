// Follows a receipt until its evidence is whole.
import { useEffect, useState } from 'react'
import type { EvidenceFile } from '../../../shared/evidence/evidence.ts'
import { ulidTime } from '../../../shared/proof/ids.ts'
import { openApi } from '../data/api_client.ts'
import { isTransient, messageOf } from '../data/api_failure.ts'
import { pause } from '../data/retry_schedule.ts'
import type { ChainStanding } from '../outside/readiness.ts'
import { chainName, SOME_CHAIN, type Way } from '../proofs/way.ts'
import { type Progress, progressOf } from './receipt.ts'

type Followed = {
  /** Null before the service was asked. */
  readonly progress: Progress | null
  /** By the local clock: when the proof is expected. */
  readonly dueAt: number | null
  /** Why nothing more can be told. Null while it is asked again by itself. */
  readonly failure: string | null
}

/** The next answer may be another one, and whoever waits looks at the page now and then. */
const SOONEST_MS = 3_000
const LATEST_MS = 30_000

export const useReceipt = (receipt: EvidenceFile): Followed => {
  const [followed, setFollowed] = useState<Followed>({ progress: null, dueAt: null, failure: null })
  useEffect(() => {
    const lifetime = new AbortController()
    const { signal } = lifetime
    const follow = async (): Promise<void> => {
      while (!signal.aborted) {
        let waitMs = LATEST_MS
        try {
          const progress = await progressOf(openApi, receipt, signal)
          if (signal.aborted) return
          const leftMs = progress.kind === 'ready' ? null : progress.leftMs
          setFollowed({ progress, dueAt: leftMs === null ? null : Date.now() + leftMs, failure: null })
          if (progress.kind === 'ready') return
          waitMs = Math.min(LATEST_MS, Math.max(SOONEST_MS, leftMs ?? 0))
        } catch (error) {
          if (signal.aborted) return
          if (!isTransient(error)) {
            setFollowed((last) => ({ ...last, failure: messageOf(error) }))
            return
          }
        }
        await pause(waitMs, signal)
      }
    }
    void follow()
    return () => lifetime.abort()
  }, [receipt])
  return followed
}

export const wayOfReceipt = (
  { item }: EvidenceFile,
  { progress, dueAt }: Pick<Followed, 'progress' | 'dueAt'>,
  chains: readonly ChainStanding[] | null,
): Way => {
  const usual = chains?.[0]
  const whole = progress?.kind === 'ready' ? progress : null
  return {
    of: 'item',
    stage: progress?.kind ?? 'no_block',
    handedInAt: new Date(ulidTime(item.id)).toISOString(),
    block: { id: null, height: whole?.height ?? null, at: whole?.inBlockAt ?? null },
    chain:
      whole === null
        ? {
            kind: 'awaited',
            name: usual === undefined ? SOME_CHAIN : chainName(usual),
            isSent: false,
            trouble: null,
          }
        : {
            kind: 'confirmed',
            name: [...new Set(whole.chains.map(chainName))].join(' and '),
            at: null,
            isTrial: whole.chains.every(({ network }) => network === 'regtest'),
          },
    blockDueAt: null,
    chainDueAt: dueAt,
  }
}
