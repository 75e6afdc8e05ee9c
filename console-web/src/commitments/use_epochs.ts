// The epochs that may carry the blocks of a page.
import { LARGEST_PAGE } from '../data/resource.ts'
import { useStreamPulse } from '../data/stream/use_stream_pulse.ts'
import { useDocument } from '../data/use_document.ts'
import { type Epoch, epochsPath, readEpochs } from './epoch.ts'

const NONE: readonly Epoch[] = []

/** The newest, or those from that time on. Asked for again when commitments change. */
export const useEpochs = (from: string | null): readonly Epoch[] => {
  const pulse = useStreamPulse('commitments', null)
  const loaded = useDocument(epochsPath(LARGEST_PAGE, from), { read: readEpochs, pulse })
  return loaded.kind === 'found' ? loaded.value : NONE
}
