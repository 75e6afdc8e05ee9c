// What /health/ready tells: the interval of the blocks, and the outside services, which are the sources of entropy, the
// public chains, and the witnesses of the log.
import { useMemo } from 'react'
import { useChain } from '../chain/chain_context.ts'
import { type Interval, learnInterval } from '../connection/countdown.ts'
import { called, listOf, numberOrNull, or, shape, textOrNull } from '../data/shape.ts'
import { useStore } from '../data/store.ts'
import { useDocument } from '../data/use_document.ts'

const word = or(textOrNull, '')

const readSource = shape({
  source: word,
  /** `answering`, `failing`, or `waiting` for the first answer. */
  state: word,
  failingSince: textOrNull,
  /** `timeout`, `unreachable`, … */
  failure: textOrNull,
})

const readChain = shape({
  chain: word,
  /** Null until the chain has answered once. */
  network: textOrNull,
  confirmedAt: textOrNull,
  /** The number of epochs that are closed but not confirmed, and since when the oldest of them waits. */
  waiting: or(numberOrNull, 0),
  waitingSince: textOrNull,
  error: textOrNull,
  /** Why nobody outside should believe it. Null for a public chain. */
  caveat: textOrNull,
})
export type ChainStanding = ReturnType<typeof readChain>

/** A chain inside the service, which proves nothing to outsiders. */
export const isForTrials = ({ caveat, network }: ChainStanding): boolean =>
  caveat !== null || network === 'regtest'

const readWitness = shape({
  witness: word,
  /** Null when it cosigned what it was offered last. */
  missingSince: textOrNull,
  /** `unreachable`, `too_slow`, … */
  trouble: textOrNull,
})

export const READY_PATH = '/health/ready'

export const readOutside = shape({
  blockIntervalMs: numberOrNull,
  sources: called('entropy', listOf(readSource)),
  chains: listOf(readChain),
  /** None where no policy names any. */
  witnesses: listOf(readWitness),
})
export type Outside = ReturnType<typeof readOutside>

/** Null until it was read. `freshMs` says how soon it is read again. */
export const useOutside = (freshMs?: () => number): Outside | null => {
  const loaded = useDocument(READY_PATH, { read: readOutside, freshMs })
  return loaded.kind === 'found' ? loaded.value : null
}

/** Whether nothing here is committed to a chain that counts outside, as far as it is known. */
export const useIsTrial = (): boolean => isTrial(useOutside())

export const isTrial = (outside: Outside | null): boolean =>
  outside !== null && outside.chains.length > 0 && outside.chains.every(isForTrials)

/**
 * How long the service takes for a block: as it says itself, otherwise as its beacons show.
 * @param pulse the service is asked again when this changes
 */
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
