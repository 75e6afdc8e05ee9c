// Follows a receipt until its evidence is whole.
import { useQuery } from '@tanstack/react-query'
import type { EvidenceFile } from '../../../shared/evidence/evidence.ts'
import { ulidTime } from '../../../shared/proof/ids.ts'
import { isDevelopment } from '../commitments/commitment.ts'
import { openApi } from '../data/api_client.ts'
import { messageOf } from '../data/api_failure.ts'
import { useOutside } from '../outside/readiness.ts'
import { chainName, chainStop, type Way } from '../proofs/way.ts'
import { type Progress, progressOf } from './receipt.ts'

/** The next answer may be another one, and whoever waits looks at the page now and then. */
const SOONEST_MS = 3_000
const LATEST_MS = 30_000

export const useReceipt = (receipt: EvidenceFile) => {
  const usual = useOutside()?.chains[0]
  const { data, dataUpdatedAt, error } = useQuery({
    queryKey: ['receipt', receipt.item.id],
    queryFn: ({ signal }) => progressOf(openApi, receipt, signal),
    refetchInterval: ({ state }) => state.error === null && waitAfter(state.data),
    refetchIntervalInBackground: true,
  })
  const whole = data?.kind === 'ready' ? data : null
  const leftMs = data === undefined || data.kind === 'ready' ? null : data.leftMs
  const way: Way = {
    of: 'item',
    stage: data?.kind ?? 'no_block',
    handedInAt: new Date(ulidTime(receipt.item.id)).toISOString(),
    block: { id: null, height: whole?.height ?? null, at: whole?.inBlockAt ?? null },
    chain:
      whole === null
        ? chainStop([], 'waiting', usual)
        : {
            kind: 'confirmed',
            name: [...new Set(whole.chains.map(chainName))].join(' and '),
            at: null,
            isTrial: whole.chains.every(isDevelopment),
          },
    blockDueAt: null,
    chainDueAt: leftMs === null ? null : dataUpdatedAt + leftMs,
  }
  return {
    way,
    /** The text of the whole evidence. Null until there is a proof. */
    whole: whole?.text ?? null,
    /** Why nothing more can be told. Null while it is asked again by itself. */
    failure: error === null ? null : messageOf(error),
  }
}

/** False when there is nothing more to ask for. */
const waitAfter = (progress: Progress | undefined): number | false => {
  if (progress?.kind === 'ready') return false
  return Math.min(LATEST_MS, Math.max(SOONEST_MS, progress?.leftMs ?? 0))
}
