// How long the service takes for a block: as it says itself, otherwise as its beacons show.
import { useMemo } from 'react'
import { useChain } from '../chain/chain_context.ts'
import { type Interval, learnInterval } from '../connection/countdown.ts'
import { useStore } from '../data/store.ts'
import { useDocument } from '../data/use_document.ts'
import { READY_PATH, readOutside } from './readiness.ts'

/** @param pulse the service is asked again when this changes */
export const useInterval = (pulse: string | null = null) => {
  const { rows } = useStore(useChain().feed.state).list
  const ready = useDocument(READY_PATH, { read: readOutside, pulse })
  const { ms, source } = learnInterval(ready.kind === 'found' ? ready.value.blockIntervalMs : null, rows)
  return {
    /** The same object as long as it says the same. */
    interval: useMemo((): Interval => ({ ms, source }), [ms, source]),
    /** The service may still say another one. */
    isAwaited: ready.kind === 'loading',
  }
}
