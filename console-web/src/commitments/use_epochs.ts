// The epochs that may carry the blocks of a page.
import { LARGEST_PAGE } from '../data/resource.ts'
import { useStreamPulse } from '../data/stream/use_stream_pulse.ts'
import { useDocument } from '../data/use_document.ts'
import { type Epoch, epochsPath, readEpochs } from './epoch.ts'

/** No pulse yet. */
const BEFORE_THE_STREAM = '0'

const NONE: readonly Epoch[] = []

/**
 * The newest, or those from that time on. Asked for again when commitments change.
 * @param areWaitedFor Otherwise they are asked for when the stream is open, and then once.
 */
export const useEpochs = (from: string | null, areWaitedFor: boolean): readonly Epoch[] => {
  const pulse = useStreamPulse('commitments', null)
  const path = areWaitedFor || pulse !== BEFORE_THE_STREAM ? epochsPath(LARGEST_PAGE, from) : null
  const loaded = useDocument(path, { read: readEpochs, pulse })
  return loaded.kind === 'found' ? loaded.value : NONE
}
