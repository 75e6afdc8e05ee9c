// The beacon that the address names, with its block: from the page's list, otherwise from the service.
import { useMemo } from 'react'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { type Block, readBlockDocument } from '../blocks/block.ts'
import { ApiFailure } from '../data/api_failure.ts'
import { type Loaded, useDocument } from '../data/use_document.ts'
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
      readonly failure: string | null
    }

export const useBeaconDetail = (hash: string, rows: readonly Beacon[], proofs: Proofs): BeaconDetail => {
  const held = rows.find((row) => row.hash === hash)
  const heldProof = held === undefined ? undefined : proofs.get(held.id)
  const complete = heldProof !== undefined && heldProof.block !== null
  const asked = useDocument(held === undefined ? `/api/json/beacons/by-hash/${hash}` : null, { read })
  const beacon = held ?? (asked.kind === 'found' ? asked.value : null)
  const document = useDocument(beacon === null || complete ? null : `/api/json/blocks/${beacon.id}`, {
    read: readBlockDocument,
  })
  const block = document.kind === 'found' ? document.value : null
  const proof = useMemo(
    () => (beacon === null || block === null ? null : proofOf(beacon, block)),
    [beacon, block],
  )

  if (held !== undefined && complete) return { kind: 'found', beacon: held, proof: heldProof, failure: null }
  if (beacon !== null) return { kind: 'found', beacon, proof, failure: failureOf(document) }
  return asked.kind === 'found' ? { kind: 'loading' } : asked
}

const read = (document: unknown): Beacon => {
  const beacon = readBeacon(document)
  if (beacon === null) throw new ApiFailure('unreadable', 'The server sent something that is not a beacon.')
  return beacon
}

const failureOf = (document: Loaded<Block>): string | null => {
  if (document.kind === 'failed') return document.why
  return document.kind === 'missing'
    ? 'The service has no block of this id, so nothing can be recomputed.'
    : null
}
