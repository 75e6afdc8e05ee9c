// The state of the draw page: the terms that are typed, the address that names them, and the beacon once it exists.
import { useEffect, useMemo, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useChain } from '../chain/chain_context.ts'
import { useStore } from '../data/store.ts'
import { useDocument } from '../data/use_document.ts'
import { type Choice, type DrawDraft, draftFrom, drawAddress, termsOf } from './draw_terms.ts'
import { type DrawnBeacon, firstPath, isFirstFrom, namedPath, readDrawnBeacon } from './drawn_beacon.ts'
import type { DrawTerms } from './recipe.ts'

type BeaconState =
  | { readonly kind: 'loading' | 'missing' | 'waiting' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'found'; readonly drawn: DrawnBeacon }

export type Draw = {
  readonly draft: DrawDraft
  readonly change: (change: Partial<DrawDraft>) => void
  readonly terms: DrawTerms | { readonly problem: string }
  readonly beacon: BeaconState
  /** Path and query that name the whole draw. */
  readonly address: string
}

/** Changes of the address follow the typing after this time, because browsers limit how often it may change. */
const ADDRESS_AFTER_MS = 400

export const useDraw = (choice: Choice): Draw => {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const [draft, setDraft] = useState(() => draftFrom(query))
  const address = drawAddress(choice, draft)
  useEffect(() => {
    const timer = setTimeout(() => navigate(address, { replace: true }), ADDRESS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [address, navigate])
  return {
    draft,
    change: (change) => setDraft({ ...draft, ...change }),
    terms: useMemo(() => termsOf(draft), [draft]),
    beacon: useBeaconOf(choice),
    address,
  }
}

/** Asks for the first beacon from a time only when the feed has one from that time on. */
const useBeaconOf = (choice: Choice): BeaconState => {
  const head = useStore(useChain().feed.state).list.rows[0]
  const isThere =
    choice.kind === 'this' || (head !== undefined && Date.parse(head.timestamp) >= Date.parse(choice.at))
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
