// What a block holds: the caller's team's items in it, page by page, and the entropy observed for it.
import { useState } from 'react'
import { useDocument } from '../data/use_document.ts'
import { readObservations } from '../entropy/observation.ts'
import { ObservationRows } from '../entropy/observation_rows.tsx'
import { readItemPage, WITH_BLOCK } from '../items/item.ts'
import { ItemRows } from '../items/item_rows.tsx'
import { count } from '../ui/format_time.ts'
import { Pager } from '../ui/pager.tsx'
import type { BlockView } from './block_view.ts'

export const BlockContents = ({ view: { block, observationCount } }: { view: BlockView }) => (
  <>
    <section aria-labelledby="block-items" data-testid="block-items">
      <h2 id="block-items" className="section-title">
        Items
        <small>{count(block.itemCount ?? 0)} in the block; those of your team are shown</small>
      </h2>
      {block.itemCount === 0 ? <p className="card-note">None.</p> : <BlockItems id={block.id} />}
    </section>
    {observationCount > 0 && (
      <section aria-labelledby="block-entropy">
        <h2 id="block-entropy" className="section-title">
          Entropy
          <small>{count(observationCount)} observed</small>
        </h2>
        <BlockEntropy id={block.id} />
      </section>
    )}
  </>
)

const BlockItems = ({ id }: { id: string }) => {
  const [chosenPage, setChosenPage] = useState<string | null>(null)
  const first = `/api/json/items?filter[block_id]=${encodeURIComponent(id)}&page[limit]=25&${WITH_BLOCK}`
  const loaded = useDocument(chosenPage ?? first, { read: readItemPage })
  if (loaded.kind === 'failed') return <p className="problem">{loaded.why}</p>
  if (loaded.kind !== 'found') return <p className="card-note">Reading the items…</p>
  const { rows, previous, next } = loaded.value
  if (rows.length === 0) return <p className="card-note">None of your team.</p>
  return (
    <>
      <ItemRows items={rows} />
      <Pager previous={previous} next={next} onChoose={setChosenPage} />
    </>
  )
}

const BlockEntropy = ({ id }: { id: string }) => {
  const loaded = useDocument(
    `/api/json/entropy_observations?filter[block_id]=${encodeURIComponent(id)}&page[limit]=25`,
    { read: readObservations },
  )
  if (loaded.kind === 'failed') return <p className="problem">{loaded.why}</p>
  return loaded.kind === 'found' ? <ObservationRows observations={loaded.value.rows} /> : null
}
