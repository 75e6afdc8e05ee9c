// What a person wants to submit: files, of which only the digests are kept, or a text. Turned into the claims that would be
// hashed, with their problems; and as the tab keeps it, without the content of any file.
import { toHex } from '../../../shared/proof/bytes.ts'
import {
  CLAIMS_BOUNDS,
  type ClaimsProblem,
  checkClaims,
  HASH_TYPES,
  type HashType,
  isHashType,
  TELLING,
} from '../../../shared/proof/claims.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { startDigest } from '../../../shared/verifier/digest.ts'
import { called, listOf, number, oneOf, or, shape, text, textAt, textOrNull } from '../data/shape.ts'
import { AUDIENCES } from './item.ts'

const readFile = shape({
  key: text,
  /** The name in the claims. At first the name of the file. */
  name: text,
  size: number,
  /** Null until it is hashed. */
  hex: textOrNull,
  /** Why it could not be hashed, or null. */
  why: textOrNull,
  /** The file itself, while its page is open. The tab keeps none. */
  source: (): File | null => null,
})
export type DraftFile = ReturnType<typeof readFile>

export type Outcome = { readonly id: string } | { readonly why: string }

const readOutcome = (kept: unknown): Outcome => {
  const id = textAt(kept, 'id')
  return id === null ? { why: textAt(kept, 'why') ?? '' } : { id }
}

const readSent = shape({
  key: text,
  /** By entry. Null as long as there was no answer. */
  outcomes: (kept): readonly Outcome[] | null => (Array.isArray(kept) ? kept.map(readOutcome) : null),
})

const typed = or(textOrNull, '')

/** As the tab keeps it. @throws ApiFailure */
export const readKept = shape({
  way: or(oneOf(['files', 'text']), 'files'),
  files: listOf(readFile),
  /** The name of the item of a text. */
  name: typed,
  text: typed,
  /** Whether the digest of the text is submitted, or the text itself as the claim. */
  textAs: called('textAs', or(oneOf(['digest', 'claim']), 'digest')),
  /** Of files and of digests of texts: a claim of a text has no other description. */
  description: typed,
  url: typed,
  /** Separated by commas. */
  tags: typed,
  visibility: or(oneOf(AUDIENCES), 'private'),
  hashType: called('hashType', or(oneOf(Object.keys(HASH_TYPES).filter(isHashType)), 'sha256')),
  /** Null until it was sent. From then on nothing of the draft changes. */
  sent: (kept) => (kept == null ? null : readSent(kept)),
})
export type Draft = ReturnType<typeof readKept>

export const EMPTY_DRAFT = readKept({})

/** Below the largest request body of the service. */
const MOST_BYTES = 400_000
export const LONGEST_TEXT = 100_000

/** One item as it is sent. */
export type Entry = {
  readonly claims: JsonObject
  readonly visibility: Draft['visibility']
  readonly tags: readonly string[]
}

/** Exactly what will be sent, in order. Files that are not hashed yet are left out. */
export const entriesOf = (draft: Draft): readonly Entry[] => {
  const { visibility } = draft
  const tags = tagsOf(draft)
  return claimsIn(draft).map((claims) => ({ claims, visibility, tags }))
}

const claimsIn = (draft: Draft): readonly JsonObject[] => {
  const { way, files, name, text, textAs, hashType } = draft
  if (way === 'files')
    return files.flatMap((file) =>
      file.hex === null ? [] : [claimsOf(file.name, draft, { hash: file.hex, hash_type: hashType })],
    )
  if (textAs === 'claim')
    return [{ name: name.trim(), ...(text.trim() === '' ? {} : { description: text.trim() }) }]
  return [claimsOf(name, draft, text === '' ? {} : { hash: textDigest(text, hashType), hash_type: hashType })]
}

/** Empty fields are left out. */
const claimsOf = (name: string, { description, url }: Draft, digest: JsonObject): JsonObject => ({
  name: name.trim(),
  ...(description.trim() === '' ? {} : { description: description.trim() }),
  ...(url.trim() === '' ? {} : { url: url.trim() }),
  ...digest,
})

/** Of exactly its bytes in UTF-8. */
const textDigest = (text: string, type: HashType): string => {
  const digest = startDigest(type)
  digest.update(new TextEncoder().encode(text))
  return toHex(digest.digest())
}

export const tagsOf = ({ tags }: Pick<Draft, 'tags'>): string[] => [
  ...new Set(
    tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
]

/** The longest name that claims may have, of a file's name. */
export const nameFor = (fileName: string): string =>
  [...fileName.replaceAll('\0', '')].slice(0, CLAIMS_BOUNDS.name.maximum).join('')

/**
 * The sentence about each problem, by the field that has it. The name of a file is the field `name-` and its
 * key.
 */
export const draftProblems = (draft: Draft): ReadonlyMap<string, string> => {
  const problems = new Map<string, string>()
  const note = (field: string, words: string): void => {
    if (!problems.has(field)) problems.set(field, words)
  }
  const tags = tagsOf(draft)
  if (tags.length > MOST_TAGS || tags.some((tag) => [...tag].length > LONGEST_TAG))
    note('tags', `At most ${MOST_TAGS} tags of up to ${LONGEST_TAG} characters.`)
  if (draft.way === 'files') {
    if (draft.files.length === 0) note('files', 'Drop or choose a file.')
    if (draft.files.some(({ why }) => why !== null))
      note('files', 'A file could not be hashed. Remove it, or drop it again.')
  } else if (draft.text === '') note('text', 'Write the text.')
  if (draft.way === 'files' && sizeOf(entriesOf(draft)) > MOST_BYTES)
    note('files', 'This is too much for one submission. Remove some files, or shorten what all of them have.')
  const named = draft.files.filter(({ hex }) => hex !== null)
  for (const [index, claims] of claimsIn(draft).entries())
    for (const problem of checkClaims(claims)) {
      const field = fieldOf(problem, draft)
      note(field === 'name' && draft.way === 'files' ? `name-${named[index]?.key}` : field, wordsOf(problem))
    }
  return problems
}

const sizeOf = (entries: readonly Entry[]): number => new TextEncoder().encode(JSON.stringify(entries)).length

const MOST_TAGS = 20
const LONGEST_TAG = 64

/** The text is the description of a claim. A missing digest is a text or a file that is missing. */
const fieldOf = ({ path }: ClaimsProblem, { way, textAs }: Draft): string => {
  const member = path[0] ?? 'name'
  if (way === 'text' && (member === 'hash' || (member === 'description' && textAs === 'claim'))) return 'text'
  return member === 'hash' ? 'files' : member
}

const wordsOf = ({ path, reason, message }: ClaimsProblem): string => {
  if (path[0] === 'name' && reason === 'too_short') return 'Give it a name.'
  if (path[0] === 'hash' && reason === 'required')
    return `A claim in words needs at least ${TELLING} characters.`
  return `${message[0]?.toUpperCase() ?? ''}${message.slice(1)}.`
}

/** Files that are not hashed yet cannot be read again, so they are left out. */
export const keptOf = (draft: Draft): object => ({
  ...draft,
  files: draft.files.flatMap(({ source: _, ...file }) => (file.hex === null ? [] : [file])),
})
