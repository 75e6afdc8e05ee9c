// The way of an item's hash up to the root of its block, drawn from its proof.
import { useState } from 'react'
import { blockPath, readBlockView } from '../blocks/block_view.ts'
import { LeafPath } from '../blocks/leaf_path.tsx'
import type { Leaves } from '../blocks/use_leaves.ts'
import { roundOf } from '../data/stream/round.ts'
import { useDocument } from '../data/use_document.ts'
import type { Item } from '../items/item.ts'

type ItemPathProps = { readonly item: Item; readonly blockId: string }

/** Nothing is read before somebody opens it. */
export const ItemPath = ({ item, blockId }: ItemPathProps) => {
  const [isOpen, setOpen] = useState(false)
  const loaded = useDocument(isOpen ? blockPath(blockId) : null, { read: readBlockView })
  const { id, itemHash: hash, name, state } = item
  const round = roundOf(item.creatorId, item.claims)
  return (
    <details className="fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Its place in the block</summary>
      {loaded.kind === 'found' && (
        <LeafPath
          leaf={{ id, type: 'item', hash, name, state, round }}
          leaves={NOT_READ}
          view={loaded.value}
        />
      )}
      {loaded.kind === 'failed' && <p className="problem">{loaded.why}</p>}
    </details>
  )
}

/** The path comes with the proof, so that the other leaves need not be read. */
const NOT_READ: Leaves = { rows: [], whole: false, root: null, reading: false, failure: null, more: null }
