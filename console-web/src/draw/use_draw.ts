// The state of the draw page: the terms that are typed, the address that names them, and the beacon once it exists.
import { useEffect, useMemo, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { useHead } from '../chain/chain_context.ts'
import { useDocument } from '../data/use_document.ts'
import { type Choice, type DrawDraft, draftFrom, drawAddress, termsOf } from './draw_terms.ts'
import { type DrawnBeacon, firstPath, isFirstFrom, namedPath, readDrawnBeacon } from './drawn_beacon.ts'

type BeaconState =
  | { readonly kind: 'loading' | 'missing' | 'waiting' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'found'; readonly drawn: DrawnBeacon }

export type Draw = ReturnType<typeof useDraw>

/** Changes of the address follow the typing after this time, because browsers limit how often it may change. */
const ADDRESS_AFTER_MS = 400

export const useDraw = (choice: Choice) => {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const [draft, setDraft] = useState(() => draftFrom(query))
  const head = useHead()
  const address = drawAddress(choice, draft)
  useEffect(() => {
    const timer = setTimeout(() => navigate(address, { replace: true }), ADDRESS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [address, navigate])
  return {
    choice,
    choose: (next: Choice): void => navigate(drawAddress(next, draft), { replace: true }),
    /** What is taken when no beacon is fixed for the future. Null while none is known. */
    newestHash: head?.hash ?? null,
    draft,
    change: (change: Partial<DrawDraft>): void => setDraft({ ...draft, ...change }),
    terms: useMemo(() => termsOf(draft), [draft]),
    beacon: useBeaconOf(choice, head),
    /** Path and query that name the whole draw. */
    address,
  }
}

/** Asks for the first beacon from a time only when the feed has one from that time on. */
const useBeaconOf = (choice: Choice, head: Beacon | null): BeaconState => {
  const isThere =
    choice.kind === 'this' || (head !== null && Date.parse(head.timestamp) >= Date.parse(choice.at))
  const path = choice.kind === 'this' ? namedPath(choice.hash) : isThere ? firstPath(choice.at) : null
  const loaded = useDocument(path, { read: readDrawnBeacon })
  if (!isThere) return { kind: 'waiting' }
  if (loaded.kind !== 'found') return loaded
  if (loaded.value === null) return { kind: 'missing' }
  if (choice.kind === 'first' && !isFirstFrom(loaded.value, choice.at))
    return {
      kind: 'failed',
      why: 'The service answered with a block that this page cannot show to be the first one from that time on.',
    }
  return { kind: 'found', drawn: loaded.value }
}
