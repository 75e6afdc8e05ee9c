// An item that was just handed in, followed on the first page until its proof can be saved.
import { Link } from 'wouter'
import { itemStage } from '../commitments/proof_stage.ts'
import { type Item, itemName, useItem } from '../items/item.ts'
import { SafeAlready } from '../proofs/proof_panel.tsx'
import { SaveButtons } from '../proofs/save_buttons.tsx'
import { OnTheWay } from '../proofs/timeline.tsx'
import { useWay } from '../proofs/use_way.ts'
import { Button } from '../ui/button.tsx'
import { Shown } from '../ui/shown_text.tsx'

type FollowedItemProps = { readonly id: string; readonly onAnother: () => void }

export const FollowedItem = ({ id, onAnother }: FollowedItemProps) => {
  const loaded = useItem(id)
  return (
    <div className="card form-grid" data-testid="followed">
      {loaded.kind === 'found' ? (
        <Found item={loaded.value} />
      ) : (
        <p role="status">
          {loaded.kind === 'loading'
            ? 'Handed in. Reading how far it is…'
            : 'Handed in. It cannot be read just now.'}
        </p>
      )}
      <div className="acts">
        <Link to={`/items/${id}`} className="button">
          Its page
        </Link>
        <Button data-testid="another" onClick={onAnother}>
          Timestamp another
        </Button>
      </div>
    </div>
  )
}

const Found = ({ item }: { item: Item }) => {
  const stage = itemStage(item)
  const way = useWay({ stage, blockId: item.blockId, handedInAt: item.insertedAt })
  return (
    <>
      <h2>
        <Shown text={itemName(item)} />
      </h2>
      <OnTheWay way={way} />
      {stage === 'ready' ? (
        <SaveButtons request={{ id: item.id, type: 'item' }} claims={item.claims ?? undefined} />
      ) : (
        <SafeAlready at={item.insertedAt} />
      )}
    </>
  )
}
