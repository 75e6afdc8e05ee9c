// What a draw is made of, as it stands in the address of the page and in a file, so that others repeat it.

import { isHex } from '../../../shared/proof/bytes.ts'
import { hasAtMost } from '../../../shared/proof/code_points.ts'
import { DRAW_CEILINGS, type DrawTerms, RECIPE } from './recipe.ts'

/** The terms as they are typed: numbers may be missing. `names` is null when numbers are drawn. */
export type DrawDraft = {
  readonly label: string
  readonly n: string
  readonly k: string
  readonly names: string | null
  /** SHA-256 of the list that the address or a file speaks of. Null when any list may be given. */
  readonly list: string | null
}

export const EMPTY_DRAFT: DrawDraft = { label: '', n: '100', k: '1', names: null, list: null }

/** Longer lists are not put into the address: browsers and servers cut long addresses. */
const MOST_NAMES_CHARACTERS = 1_500

export const draftFrom = (query: URLSearchParams): DrawDraft => {
  const list = query.get('list')
  const names = query.get('names')
  return {
    label: (query.get('label') ?? '').slice(0, DRAW_CEILINGS.labelCharacters * 2),
    n: query.get('n') ?? EMPTY_DRAFT.n,
    k: query.get('k') ?? EMPTY_DRAFT.k,
    names: names === null ? (list === null ? null : '') : names.slice(0, MOST_NAMES_CHARACTERS * 2),
    list: names === null && list !== null && isHex(list, 32) ? list : null,
  }
}

/** The query of an address that names the whole draw. `list` is the hash of a list that is too long for it. */
export const queryOf = (draft: DrawDraft, listHash: string | null, at: string | null): string => {
  const query = new URLSearchParams()
  if (at !== null) query.set('at', at)
  if (draft.label !== '') query.set('label', draft.label)
  query.set('k', draft.k)
  const hash = listHash ?? draft.list
  if (draft.names === null) query.set('n', draft.n)
  else if (draft.names !== '' && draft.names.length <= MOST_NAMES_CHARACTERS) query.set('names', draft.names)
  else if (hash !== null) query.set('list', hash)
  return query.toString()
}

type Checked = { readonly terms: DrawTerms } | { readonly problem: string }

/** `list` is null when numbers are drawn. */
export const termsOf = (draft: DrawDraft, list: { hash: string; count: number } | null): Checked => {
  const { label } = draft
  if (label !== label.trim() || hasControl(label)) return { problem: 'The label is one line of text.' }
  if (!label.isWellFormed()) return { problem: 'The label has a character that is cut in half.' }
  if (!hasAtMost(label, DRAW_CEILINGS.labelCharacters))
    return { problem: `The label has at most ${DRAW_CEILINGS.labelCharacters} characters.` }
  const n = list === null ? wholeNumber(draft.n) : list.count
  if (n === null || n < 1 || n > DRAW_CEILINGS.participants)
    return { problem: 'From how many? A whole number from 1 to 1,000,000.' }
  const k = wholeNumber(draft.k)
  if (k === null || k < 1 || k > n)
    return { problem: `How many are drawn? A whole number from 1 to ${n.toLocaleString('en-US')}.` }
  return { terms: { label, list: list?.hash ?? null, n, k } }
}

/** The draw as a file. With the list, because a hash alone repeats nothing. */
export const drawFile = (terms: DrawTerms, { at, beacon, names, winners }: DrawFacts): string =>
  `${JSON.stringify(
    { recipe: RECIPE, ...terms, first_beacon_at_or_after: at, beacon, participants: names, winners },
    null,
    2,
  )}\n`

type DrawFacts = {
  /** The time that was fixed for the beacon. Null when the beacon was chosen itself. */
  readonly at: string | null
  /** Its hash. Null while it does not exist. */
  readonly beacon: string | null
  readonly names: readonly string[] | null
  readonly winners: readonly number[] | null
}

/** Null when the text is not such a file. */
export const readDrawFile = (
  text: string,
): { draft: DrawDraft; at: string | null; beacon: string | null } | null => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('recipe' in value) || value.recipe !== RECIPE)
      return null
    const member = (name: string): unknown => Object.getOwnPropertyDescriptor(value, name)?.value
    const names = member('participants')
    const [label, list, at, beacon] = ['label', 'list', 'first_beacon_at_or_after', 'beacon'].map((name) => {
      const found = member(name)
      return typeof found === 'string' ? found : null
    })
    return {
      draft: {
        label: label ?? '',
        n: String(member('n')),
        k: String(member('k')),
        names: Array.isArray(names) ? names.map(String).join('\n') : null,
        list: list ?? null,
      },
      at: at ?? null,
      beacon: beacon ?? null,
    }
  } catch {
    return null
  }
}

const wholeNumber = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null)

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be there
const hasControl = (text: string): boolean => /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text)
