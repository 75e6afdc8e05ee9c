// Which public chains carry the rows of the table. Asked again when commitments change.
import { useEffect, useState } from 'react'
import { CARRIERS_PATH, type Carrier, carriersFrom, readCarriers } from '../commitments/carrier.ts'
import { useConsole } from '../data/console_context.ts'
import { useDocument } from '../data/use_document.ts'
import type { TimeRange } from './block_range.ts'

/** At most one request in this time, however many commitments change. */
const GATHER_MS = 3_000
const NONE: readonly Carrier[] = []

export const useCarriers = (range: TimeRange | null): readonly Carrier[] => {
  const pulse = useCommitmentPulse()
  const path = range === null ? CARRIERS_PATH : carriersFrom(range.from)
  const loaded = useDocument(path, { read: readCarriers, pulse })
  return loaded.kind === 'found' ? loaded.value : NONE
}

const useCommitmentPulse = (): string => {
  const { live } = useConsole()
  const [pulse, setPulse] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null
    const beat = (): void => {
      timer ??= setTimeout(() => {
        timer = null
        setPulse((count) => count + 1)
      }, GATHER_MS)
    }
    const unfollow = live.follow('commitments', { opened: () => undefined, closed: beat, heard: beat })
    return () => {
      unfollow()
      if (timer !== null) clearTimeout(timer)
    }
  }, [live])
  return String(pulse)
}
