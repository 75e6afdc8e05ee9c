// The beacon an address names, with its block: from what the page holds already, else asked of the service.
import { useEffect, useState } from 'react'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { readBlockDocument } from '../blocks/block.ts'
import { ApiFailure, messageOf } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { type Proof, type Proofs, proofOf } from './block_prover.ts'
import { readBeacon } from './read_beacon.ts'

export type BeaconDetail =
  | { readonly kind: 'loading' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly why: string }
  | {
      readonly kind: 'found'
      readonly beacon: Beacon
      readonly proof: Proof | null
      readonly problem: string | null
    }

type Asked = { readonly hash: string; readonly detail: BeaconDetail }

export const useBeaconDetail = (hash: string, rows: readonly Beacon[], proofs: Proofs): BeaconDetail => {
  const { api } = useConsole()
  const [asked, setAsked] = useState<Asked | null>(null)
  const held = rows.find((row) => row.hash === hash)
  const heldProof = held === undefined ? undefined : proofs.get(held.id)
  const complete = heldProof !== undefined && heldProof.block !== null

  useEffect(() => {
    if (complete) return
    const lifetime = new AbortController()
    const show = (detail: BeaconDetail): void => {
      if (!lifetime.signal.aborted) setAsked({ hash, detail })
    }
    const ask = async (): Promise<void> => {
      const beacon = held ?? readBeacon(await api.get(`/api/json/beacons/by-hash/${hash}`, lifetime.signal))
      if (beacon === null)
        throw new ApiFailure('unreadable', 'The server sent something that is not a beacon.')
      show({ kind: 'found', beacon, proof: null, problem: null })
      try {
        const block = readBlockDocument(await api.get(`/api/json/blocks/${beacon.id}`, lifetime.signal))
        show({ kind: 'found', beacon, proof: proofOf(beacon, block), problem: null })
      } catch (failure) {
        show({ kind: 'found', beacon, proof: null, problem: messageOf(failure) })
      }
    }
    ask().catch((failure: unknown) => {
      const missing = failure instanceof ApiFailure && failure.kind === 'not_found'
      show(missing ? { kind: 'missing' } : { kind: 'failed', why: messageOf(failure) })
    })
    return () => lifetime.abort()
  }, [api, hash, held, complete])

  if (held !== undefined && complete) return { kind: 'found', beacon: held, proof: heldProof, problem: null }
  if (asked?.hash === hash) return asked.detail
  return held === undefined
    ? { kind: 'loading' }
    : { kind: 'found', beacon: held, proof: null, problem: null }
}
