// The state of the draw page: the terms that are typed, the address that names them, and the beacon once it exists.
// What the page claims of the beacon is computed here.
import { useEffect, useMemo, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { uuid7Time } from '../../../shared/proof/ids.ts'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { type BlockView, firstBlockPath, readFirstBlock } from '../blocks/block.ts'
import { recomputeBlock } from '../blocks/recompute_block.ts'
import { useHead } from '../chain/chain_context.ts'
import { type Loaded, useDocument } from '../data/use_document.ts'
import { type Choice, type DrawDraft, draftFrom, drawAddress, readDrawFile, termsOf } from './draw_terms.ts'
import { readParticipants } from './participants.ts'

export type Draw = ReturnType<typeof useDraw>

/** Changes of the address follow the typing after this time, because browsers limit how often it may change. */
const ADDRESS_AFTER_MS = 400

export const useDraw = (choice: Choice) => {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const [draft, setDraft] = useState(() => draftFrom(query))
  const head = useHead()
  const { names, list: wanted } = draft
  const read = useMemo(() => (names === null ? null : readParticipants(names, wanted)), [names, wanted])
  const list = read !== null && 'names' in read ? read : null
  const change = (changed: Partial<DrawDraft>): void => setDraft((before) => ({ ...before, ...changed }))
  const address = drawAddress(choice, draft, list)
  const drawn = useDrawn(choice, head)
  useEffect(() => {
    const timer = setTimeout(() => navigate(address, { replace: true }), ADDRESS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [address, navigate])
  return {
    choice,
    choose: (next: Choice): void => navigate(drawAddress(next, draft, list), { replace: true }),
    draft,
    change,
    /** Takes the text of a file: a draw that was saved, or a list. */
    open: (text: string): void => {
      const saved = readDrawFile(text)
      change(saved?.draft ?? { names: text })
      if (saved !== null) navigate(drawAddress(saved.choice, saved.draft, null), { replace: true })
    },
    /** Null when numbers are drawn, and while no list is given that can be drawn from. */
    list,
    /** Draws from another list than the one that the address or a file speaks of. Null when none is given. */
    takeOther: wanted !== null && names !== '' && list === null ? () => change({ list: null }) : null,
    /** What is taken when no beacon is fixed for the future. Null while none is known. */
    newestHash: head?.hash ?? null,
    /** For the field of one of the terms. */
    field: (name: 'label' | 'n' | 'k' | 'names') => ({
      value: draft[name] ?? '',
      testId: `draw-${name}`,
      onText: (text: string): void => change({ [name]: text }),
    }),
    terms: useMemo(() => termsOf(draft, read), [draft, read]),
    drawn,
    /** Hash of the beacon that draws. Null while it does not exist. */
    beacon: drawn.kind === 'found' ? drawn.value.block.hash : null,
    /** Path and query that name the whole draw. */
    address,
  }
}

/** The block of the beacon that draws. It is asked for from a time on only when the feed has a beacon from that time on. */
const useDrawn = (choice: Choice, head: Beacon | null): Loaded<BlockView> | { readonly kind: 'waiting' } => {
  const isThere =
    choice.kind === 'this' || (head !== null && Date.parse(head.timestamp) >= Date.parse(choice.at))
  const loaded = useDocument(isThere ? pathOf(choice) : null, { read: readFirstBlock })
  if (!isThere) return { kind: 'waiting' }
  if (loaded.kind !== 'found') return loaded
  const { value } = loaded
  if (value === null) return { kind: 'missing' }
  return choice.kind === 'this' || isFirstFrom(value, choice.at)
    ? { kind: 'found', value }
    : { kind: 'failed', why: NOT_SHOWN }
}

const NOT_SHOWN =
  'The service answered with a block that this page cannot show to be the first one from that time on.'

const pathOf = (choice: Choice): string =>
  firstBlockPath(
    choice.kind === 'this'
      ? { 'filter[block_hash]': choice.hash }
      : { 'filter[finalized_at][gte]': choice.at, sort: 'finalized_at' },
  )

/** Whether it is the first block at or after the time: it is not earlier, and the one before it, recomputed too, is. */
const isFirstFrom = ({ block, previous }: BlockView, at: string): boolean => {
  const time = uuid7Time(block.id)
  if (time === undefined || time < Date.parse(at)) return false
  if (block.height === 0) return true
  return (
    previous !== null &&
    previous.hash === block.previous_hash &&
    recomputeBlock(previous, previous).ok &&
    Date.parse(previous.timestamp) < Date.parse(at)
  )
}
