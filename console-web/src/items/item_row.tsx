// One item in a list: when it was submitted, its name and digest, who may read it, and how far it is.
import './items.css'
import { Link } from 'wouter'
import { itemStage, type ProofStage } from '../commitments/proof_stage.ts'
import { RowTime } from '../ui/list/row_time.tsx'
import { Pill } from '../ui/pill.tsx'
import { Shown } from '../ui/shown_text.tsx'
import type { ListedItem } from './item.ts'

type ItemRowProps = { readonly item: ListedItem; readonly above?: string | undefined }

export const ItemRow = ({ item, above }: ItemRowProps) => (
  <Link
    to={`/items/${item.id}`}
    className="list-row item-row"
    data-testid="item-row"
    data-left={item.left ?? undefined}
    title={item.left === 'unlisted' ? 'It does not fit this list any more.' : undefined}
  >
    <RowTime at={item.insertedAt} above={above} />
    <span className="name">
      <strong>{item.name === null ? 'Erased item' : <Shown text={item.name} />}</strong>
      <code>{item.digest ?? item.id}</code>
    </span>
    <span className="tags item-row-labels">
      {item.visibility !== 'private' && <span data-visibility={item.visibility}>{item.visibility}</span>}
      {item.tags.slice(0, SHOWN_TAGS).map((tag) => (
        <span key={tag}>
          <Shown text={tag} />
        </span>
      ))}
      {item.tags.length > SHOWN_TAGS && <span data-more>+{item.tags.length - SHOWN_TAGS}</span>}
    </span>
    {item.left === 'deleted' ? <Pill tone="bad">deleted</Pill> : <StagePill stage={itemStage(item)} />}
  </Link>
)

const SHOWN_TAGS = 3

const StagePill = ({ stage }: { stage: ProofStage }) => (
  <Pill tone={pills[stage].tone} data-testid="item-pill">
    {pills[stage].word}
  </Pill>
)

/** The list shows whether a proof is available, because the item's state alone does not say it. */
const pills: Readonly<Record<ProofStage, { tone: 'good' | 'busy' | 'warn'; word: string }>> = {
  no_block: { tone: 'busy', word: 'waiting' },
  waiting: { tone: 'busy', word: 'in a block' },
  ready: { tone: 'good', word: 'proof ready' },
  gone: { tone: 'warn', word: 'erased' },
}
