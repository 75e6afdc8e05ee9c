// Turns the form of a new item into the claims that would be hashed, and lists their problems.
import { type ClaimsProblem, checkClaims, type HashType } from '../../../shared/proof/claims.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'

export type Draft = {
  readonly name: string
  readonly description: string
  readonly url: string
  /** Separated by commas. */
  readonly tags: string
  readonly visibility: 'private' | 'team' | 'public'
  /** Digest of the file, after it is hashed. */
  readonly digest: { readonly type: HashType; readonly hex: string } | null
}

export const EMPTY_DRAFT: Draft = {
  name: '',
  description: '',
  url: '',
  tags: '',
  visibility: 'private',
  digest: null,
}

/** Exactly the claims that will be hashed. Empty fields are left out. */
export const claimsOf = ({ name, description, url, digest }: Draft): JsonObject => ({
  name: name.trim(),
  ...(description.trim() === '' ? {} : { description: description.trim() }),
  ...(url.trim() === '' ? {} : { url: url.trim() }),
  ...(digest === null ? {} : { hash: digest.hex, hash_type: digest.type }),
})

export const tagsOf = ({ tags }: Draft): string[] => [
  ...new Set(
    tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
]

/** The sentence about each problem, by the member that has it. */
export const draftProblems = (draft: Draft): ReadonlyMap<string, string> => {
  const problems = new Map(
    checkClaims(claimsOf(draft)).map((problem) => [memberOf(problem), wordsOf(problem)]),
  )
  const tags = tagsOf(draft)
  if (tags.length > MOST_TAGS || tags.some((tag) => [...tag].length > LONGEST_TAG))
    problems.set('tags', `At most ${MOST_TAGS} tags of up to ${LONGEST_TAG} characters.`)
  return problems
}

const MOST_TAGS = 20
const LONGEST_TAG = 64

const memberOf = ({ path }: ClaimsProblem): string => path[0] ?? 'name'

const wordsOf = ({ path, reason, message }: ClaimsProblem): string => {
  if (path[0] === 'name' && reason === 'too_short') return 'Give it a name.'
  if (path[0] === 'hash' && reason === 'required')
    return 'Choose a file, or describe what you claim in at least 32 characters.'
  return `${message[0]?.toUpperCase() ?? ''}${message.slice(1)}.`
}
