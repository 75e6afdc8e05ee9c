// Which public chains carry the rows of the table. Asked again when commitments change.
import { CARRIERS_PATH, type Carrier, carriersFrom, readCarriers } from '../commitments/carrier.ts'
import { useDocument } from '../data/use_document.ts'
import { useStreamPulse } from '../data/use_stream_pulse.ts'
import type { TimeRange } from './block_range.ts'

const NONE: readonly Carrier[] = []

export const useCarriers = (range: TimeRange | null): readonly Carrier[] => {
  const pulse = useStreamPulse('commitments', null)
  const path = range === null ? CARRIERS_PATH : carriersFrom(range.from)
  const loaded = useDocument(path, { read: readCarriers, pulse })
  return loaded.kind === 'found' ? loaded.value : NONE
}
