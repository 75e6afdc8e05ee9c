// The block that holds the item, and the chains that carry that block.
import './items.css'

import { Link } from 'wouter'
import type { Commitment } from '../commitments/commitment.ts'
import { CommitmentList } from '../commitments/commitment_list.tsx'
import type { Loaded } from '../data/use_document.ts'

type ItemBlockProps = { readonly blockId: string; readonly carried: Loaded<readonly Commitment[]> }

export const ItemBlock = ({ blockId, carried }: ItemBlockProps) => (
  <section aria-labelledby="item-block">
    <h2 id="item-block" className="section-title">
      Block
    </h2>
    <p className="block-line">
      <Link to={`/blocks/${blockId}`} data-testid="block-link">
        {blockId}
      </Link>
    </p>
    {carried.kind === 'found' && <CommitmentList commitments={carried.value} />}
    {carried.kind === 'failed' && <p className="problem">{carried.why}</p>}
  </section>
)
