// One item: how far it is on its way and its proof, its claims, its block, and one step deeper how it was computed.
import { itemStage } from '../commitments/proof_stage.ts'
import type { Item } from '../items/item.ts'
import { ItemChanges } from '../items/item_changes.tsx'
import { ItemHashes } from '../items/item_hashes.tsx'
import { ItemBlock, ItemClaims, ItemFacts } from '../items/item_parts.tsx'
import { useItem, useMayChange } from '../items/use_item.ts'
import { PrintButton } from '../proofs/print_sheet.tsx'
import { ProofPanel } from '../proofs/proof_panel.tsx'
import { useCarried } from '../proofs/use_way.ts'
import { DocumentPage } from '../shell/document_page.tsx'
import { Shown, shownText } from '../ui/shown_text.tsx'
import { ItemPath } from './item_path.tsx'
import { ItemSheet } from './item_sheet.tsx'

export const ItemPage = ({ id }: { id: string }) => {
  const loaded = useItem(id)
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
  const may = useMayChange(item)
  const stage = itemStage(item)
  const carried = useCarried(item.blockId, stage)
  return (
    <>
      <title>{`${shownText(item.name ?? ERASED)} · Pharos`}</title>
      <header className="page-head page-actions">
        <div>
          <p className="page-kind">Item</p>
          <h1>{item.name === null ? ERASED : <ItemName name={item.name} />}</h1>
        </div>
        <PrintButton />
      </header>
      <ProofPanel
        id={item.id}
        type="item"
        stage={stage}
        blockId={item.blockId}
        handedInAt={item.insertedAt}
        claims={item.claims}
        isAboutFile={item.digest !== null}
        isWide
      />
      <div className="side-by-side item-page" data-wide="left">
        <div className="main-side">
          <ItemClaims item={item} />
          {item.blockId !== null && <ItemBlock id={item.id} blockId={item.blockId} carried={carried} />}
          <ItemHashes item={item} />
          {item.blockId !== null && stage !== 'gone' && <ItemPath item={item} blockId={item.blockId} />}
          {may && <ItemChanges key={item.state} item={item} onChanged={again} />}
        </div>
        <div className="side">
          <ItemFacts item={item} />
        </div>
      </div>
      <ItemSheet item={item} carried={carried.kind === 'found' ? carried.value : null} />
    </>
  )
}

const ERASED = 'Erased item'

/** A name of spaces alone would be an empty heading. */
const ItemName = ({ name }: { name: string }) => (name.trim() === '' ? '(no name)' : <Shown text={name} />)
