// The draft of new items as the tab keeps it: never the content of a file, only its name, size and digest.
import { isHashType } from '../../../shared/proof/claims.ts'
import { isJsonObject, numberAt, objectAt, textAt } from '../data/json_object.ts'
import { type Draft, type DraftFile, EMPTY_DRAFT, type Outcome, type Sent } from './draft.ts'

/** Files that are not hashed yet cannot be read again, so they are left out. */
export const keptOf = (draft: Draft): object => ({
  ...draft,
  files: draft.files.filter(({ hex }) => hex !== null).map(({ name, size, hex }) => ({ name, size, hex })),
})

export const readKept = (kept: unknown): Draft | null => {
  if (!isJsonObject(kept)) return null
  const word = (name: string): string => textAt(kept, name) ?? ''
  const { visibility } = kept
  const hashType = word('hashType')
  return {
    ...EMPTY_DRAFT,
    way: kept.way === 'text' ? 'text' : 'files',
    textAs: kept.textAs === 'claim' ? 'claim' : 'digest',
    files: listOf(kept.files).flatMap(fileOf),
    name: word('name'),
    text: word('text'),
    description: word('description'),
    url: word('url'),
    tags: word('tags'),
    visibility: visibility === 'team' || visibility === 'public' ? visibility : 'private',
    hashType: isHashType(hashType) ? hashType : EMPTY_DRAFT.hashType,
    sent: sentOf(objectAt(kept, 'sent')),
  }
}

const fileOf = (kept: unknown, index: number): DraftFile[] => {
  const [name, hex, size] = [textAt(kept, 'name'), textAt(kept, 'hex'), numberAt(kept, 'size')]
  return name === null || hex === null
    ? []
    : [{ key: `kept-${index}`, name, hex, size: size ?? 0, why: null }]
}

const sentOf = (kept: unknown): Sent | null => {
  const key = textAt(kept, 'key')
  if (key === null || !isJsonObject(kept)) return null
  return { key, outcomes: listOf(kept.outcomes).map(outcomeOf) }
}

const outcomeOf = (kept: unknown): Outcome => {
  const [id, why] = [textAt(kept, 'id'), textAt(kept, 'why')]
  return id !== null ? { id } : why !== null ? { why } : null
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
