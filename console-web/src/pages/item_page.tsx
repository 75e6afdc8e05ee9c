// One item: how far it is on its way and its proof, its claims, its block, and one step deeper how it was computed.
import { fileNameOf } from '../../../shared/verifier/read_any_bundle.ts'
import type { BlockView } from '../blocks/block.ts'
import { LeafPath } from '../blocks/leaf_path.tsx'
import { isDevelopment } from '../commitments/commitment.ts'
import { chainName, confirmedOn } from '../commitments/epoch.ts'
import { itemStage } from '../commitments/proof_stage.ts'
import type { Loaded } from '../data/use_document.ts'
import { type Item, itemName, useItem, useMayChange } from '../items/item.ts'
import { ItemChanges } from '../items/item_changes.tsx'
import { ItemBlock, ItemClaims, ItemFacts, ItemHashes } from '../items/item_parts.tsx'
import { PrintButton, type PrintedFact, PrintSheet } from '../proofs/print_sheet.tsx'
import { ProofPanel } from '../proofs/proof_panel.tsx'
import { useCarried } from '../proofs/use_way.ts'
import { DocumentPage } from '../shell/document_page.tsx'
import { count, utc } from '../ui/format.ts'
import { PageHead } from '../ui/plain_page.tsx'
import { nameText, Shown, shownText } from '../ui/shown_text.tsx'

export const ItemPage = ({ id }: { id: string }) => {
  const loaded = useItem(id)
  return (
    <DocumentPage
      what="Item"
      id={id}
      loaded={loaded}
      missing="There is no item of this id that you may read. It may belong to somebody else, or the link is cut short."
    >
      {(item) => <Found item={item} />}
    </DocumentPage>
  )
}

const Found = ({ item }: { item: Item }) => {
  const may = useMayChange(item)
  const stage = itemStage(item)
  const carried = useCarried(item.blockId, stage)
  const chain = carried.kind === 'found' ? confirmedOn(carried.value.commitments) : undefined
  return (
    <>
      <title>{`${shownText(itemName(item))} · Pharos`}</title>
      <PageHead kind="Item" name={<Shown text={itemName(item)} />} act={<PrintButton />} />
      <ProofPanel
        id={item.id}
        type="item"
        stage={stage}
        blockId={item.blockId}
        handedInAt={item.insertedAt}
        claims={item.claims}
        isWide
      />
      <div className="side-by-side item-page" data-wide="left">
        <div className="main-side">
          <ItemClaims item={item} />
          {item.blockId !== null && <ItemBlock id={item.id} blockId={item.blockId} carried={carried} />}
          <ItemHashes item={item} />
          {item.blockId !== null && stage !== 'gone' && <ItemPath item={item} carried={carried} />}
          {may && <ItemChanges key={item.state} item={item} />}
        </div>
        <div className="side">
          <ItemFacts item={item} chain={chain} />
        </div>
      </div>
      <PrintSheet
        kind="Timestamp"
        title={nameText(item.name ?? item.id)}
        facts={factsOf(item, carried.kind === 'found' ? carried.value : null)}
        link={`${window.location.origin}/verify/item/${item.id}`}
        fileName={fileNameOf({ id: item.id, type: 'item' })}
      />
    </>
  )
}

type ItemPathProps = { readonly item: Item; readonly carried: Loaded<BlockView> }

/** Its proof, which carries the path, is made only when somebody asks for it. */
const ItemPath = ({ item, carried }: ItemPathProps) => (
  <details className="fold">
    <summary>Its place in the block</summary>
    {carried.kind === 'found' && (
      <LeafPath
        leaf={{ id: item.id, type: 'item', hash: item.itemHash }}
        leaves={NOT_READ}
        block={carried.value.block}
      />
    )}
    {carried.kind === 'failed' && <p className="problem">{carried.why}</p>}
  </details>
)

/** The path comes with the proof, so that the other leaves need not be read. */
const NOT_READ = { rows: [], whole: false }

const factsOf = (item: Item, carried: BlockView | null): readonly PrintedFact[] => {
  const hashType = item.claims?.hash_type
  const confirmed = carried?.commitments.filter(({ state }) => state === 'confirmed') ?? []
  const isPractice = confirmed.length > 0 && confirmed.every(isDevelopment)
  return [
    [typeof hashType === 'string' ? hashType : 'Digest', item.digest],
    ['Handed in', `${utc(item.insertedAt)} UTC`],
    [`Block ${count(carried?.block.height ?? 0)}`, carried && `${utc(carried.block.timestamp)} UTC`],
    ...confirmed.flatMap((one): PrintedFact[] => [
      [`On ${chainName(one)}`, one.confirmedAt === null ? 'confirmed' : `${utc(one.confirmedAt)} UTC`],
      ['Transaction', one.transactionHash],
    ]),
    ['Trial mode', isPractice ? PRACTICE : null],
    ['Item', item.id],
    ['Signed by key', item.keyId],
  ]
}

const PRACTICE = 'This proof is for practice: the development chain proves nothing to outsiders.'
