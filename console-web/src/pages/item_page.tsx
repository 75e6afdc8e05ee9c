// One item: its claims, the hashes recomputed here, its block, and its proof.
import { useEffect, useRef } from 'react'
import { type Commitment, isDevelopment, readCommitments } from '../commitments/commitment.ts'
import { itemStage, type ProofStage } from '../commitments/proof_stage.ts'
import { type Loaded, useDocument } from '../data/use_document.ts'
import { useStreamPulse } from '../data/use_stream_pulse.ts'
import { type Item, readItemDocument, WITH_BLOCK } from '../items/item.ts'
import { ItemBlock } from '../items/item_block.tsx'
import { ItemChanges } from '../items/item_changes.tsx'
import { ItemClaims } from '../items/item_claims.tsx'
import { ItemFacts } from '../items/item_facts.tsx'
import { ItemHashes } from '../items/item_hashes.tsx'
import { useMayChange } from '../items/item_rights.ts'
import { OtsPanel } from '../proofs/ots_panel.tsx'
import { ProofPanel } from '../proofs/proof_panel.tsx'
import { DocumentPage } from '../shell/document_page.tsx'
import { RawJson } from '../ui/fields.tsx'
import { Shown, shownText } from '../ui/shown_text.tsx'

/** Asked again at intervals until the proof is available, and also at each event about it or its block. */
const freshMs = (item: Item): number | null =>
  itemStage(item) === 'no_block' || itemStage(item) === 'waiting' ? 10_000 : null

export const ItemPage = ({ id }: { id: string }) => {
  const pulse = useStreamPulse('items', id)
  const loaded = useDocument(`/api/json/items/${encodeURIComponent(id)}?${WITH_BLOCK}`, {
    read: readItemDocument,
    pulse,
    freshMs,
  })
  return (
    <DocumentPage
      what="Item"
      id={id}
      loaded={loaded}
      missing="There is no item of this id that you may read. It may belong to somebody else, or the link is cut short."
    >
      {(item) => <Found item={item} again={loaded.again} />}
    </DocumentPage>
  )
}

const Found = ({ item, again }: { item: Item; again: () => void }) => {
  useBlockEvents(item.blockId, again)
  const may = useMayChange(item)
  const stage = itemStage(item)
  const carried = useDocument(
    item.blockId === null ? null : `/api/json/blocks/${item.blockId}?include=commitments`,
    { read: readCommitments, pulse: stage },
  )
  const words = wordsFor(stage, carried)
  return (
    <>
      <title>{`${shownText(item.name ?? 'Redacted item')} · Pharos`}</title>
      <header className="page-head">
        <p className="page-kind">
          Item
          <span className="state-pill" data-state={item.state} data-testid="item-state">
            {item.state}
          </span>
        </p>
        <h1>{item.name === null ? 'Redacted item' : <Shown text={item.name} />}</h1>
        <p className="item-stage" data-testid="item-stage">
          {words}
        </p>
      </header>
      <div className="side-by-side item-page" data-wide="left">
        <div className="side">
          <ProofPanel
            id={item.id}
            type="item"
            stage={stage}
            blockId={item.blockId}
            isAboutFile={item.digest !== null}
          />
        </div>
        <div className="main-side">
          <ItemClaims item={item} />
          <ItemHashes item={item} />
          {item.blockId !== null && <ItemBlock blockId={item.blockId} carried={carried} />}
          <section aria-labelledby="as-received">
            <h2 id="as-received" className="section-title">
              As received
            </h2>
            <RawJson title="Item" value={item.raw} />
          </section>
          {may && <ItemChanges key={item.state} item={item} onChanged={again} />}
        </div>
        <div className="side">
          <OtsPanel id={item.id} stage={stage} claims={item.claims} />
          <ItemFacts item={item} />
        </div>
      </div>
      <p className="visually-hidden" aria-live="polite">
        {words}
      </p>
    </>
  )
}

/** The item itself has no event when a chain carries its block. */
const useBlockEvents = (blockId: string | null, again: () => void): void => {
  const pulse = useStreamPulse('blocks', blockId ?? NO_BLOCK)
  const seen = useRef(pulse)
  useEffect(() => {
    if (seen.current === pulse) return
    seen.current = pulse
    if (blockId !== null) again()
  }, [pulse, blockId, again])
}

const NO_BLOCK = 'none'

const wordsFor = (stage: ProofStage, carried: Loaded<readonly Commitment[]>): string => {
  switch (stage) {
    case 'no_block':
      return 'Accepted, and waiting for the next block.'
    case 'waiting':
      return 'In a block, and waiting for that block to be written on a chain.'
    case 'ready':
      return readyWords(carried)
    case 'gone':
      return 'Its claims were erased. What is left are hashes, which still hold its place in the block.'
    default:
      return stage satisfies never
  }
}

/** Names a chain only when the commitment on it was read and is confirmed there. */
const readyWords = (carried: Loaded<readonly Commitment[]>): string => {
  if (carried.kind === 'loading') return 'In a block that was committed. Reading on which chain…'
  if (carried.kind !== 'found') return 'In a block that was committed. On which chain could not be read.'
  const confirmed = carried.value.filter(({ state }) => state === 'confirmed')
  const open = confirmed.filter((one) => !isDevelopment(one))
  if (confirmed.length === 0) return 'In a block that was committed. No chain has it confirmed now.'
  if (open.length === 0)
    return 'In a block that the development chain of this service carries. It can be verified, and proves no time to outsiders.'
  const chains = open.map(({ chain, network }) => `${chain} ${network}`).join(' and ')
  return `In a block that ${chains} carries. Its proof can be checked by anybody.`
}
