// The rounds in a block: what was stamped without an account. They are of no team, so no stream tells of their items.
import { Link } from 'wouter'
import {
  leafPage,
  MOST_READABLE,
  readableLeavesPath,
  readIncludedLeaves,
  roundWords,
} from '../blocks/leaf.ts'
import { type JsonObject, numberAt, textAt } from '../data/json_object.ts'
import { useDocument } from '../data/use_document.ts'

export const BlockRounds = ({ block }: { block: JsonObject }) => {
  const id = textAt(block, 'id')
  const items = numberAt(block, 'item_count') ?? 0
  const isAsked = id !== null && items > 0 && items <= MOST_READABLE
  const leaves = useDocument(isAsked ? readableLeavesPath(id) : null, { read: readIncludedLeaves })
  return (leaves.kind === 'found' ? leaves.value : []).map((leaf) =>
    leaf.round === null ? null : (
      <p key={leaf.id}>
        <Link to={leafPage(leaf)}>{roundWords(leaf.round)}</Link>
      </p>
    ),
  )
}
