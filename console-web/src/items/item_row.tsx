// One item in a list: when it was submitted, its name and digest, who may read it, and how far it is.
import './items.css'
import { Link } from 'wouter'
import { itemStage } from '../commitments/proof_stage.ts'
import { StagePill } from '../commitments/stage_pill.tsx'
import { RowTime } from '../ui/list/row_time.tsx'
import { Pill } from '../ui/pill.tsx'
import { Shown } from '../ui/shown_text.tsx'
import { itemName, type ListedItem } from './item.ts'

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
      <strong>
        <Shown text={itemName(item)} />
      </strong>
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
    {item.left === 'deleted' ? (
      <Pill tone="bad">deleted</Pill>
    ) : (
      <StagePill stage={itemStage(item)} testId="item-pill" />
    )}
  </Link>
)

const SHOWN_TAGS = 3
