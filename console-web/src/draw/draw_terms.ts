// The terms of a draw, as they stand in the address of the page and in a file, so that others repeat it.
import { isHex } from '../../../shared/proof/bytes.ts'
import { hasAtMost } from '../../../shared/proof/code_points.ts'
import { object, textOrNull, texts } from '../data/shape.ts'
import type { Participants, Refused } from './participants.ts'
import { DRAW_CEILINGS, type DrawTerms, drawWinners, RECIPE } from './recipe.ts'

/**
 * The terms as they are typed: numbers may be missing. `names` is the list as it is pasted, null when numbers are drawn;
 * `list` the SHA-256 of the list that the address or a file speaks of, null when any list may be given.
 */
export type DrawDraft = Readonly<
  Record<'label' | 'n' | 'k', string> & Record<'names' | 'list', string | null>
>

/** Longer lists are not put into the address: browsers and servers cut long addresses. */
const MOST_NAMES_CHARACTERS = 1_500

export const draftFrom = (query: URLSearchParams): DrawDraft => ({
  label: (query.get('label') ?? '').slice(0, DRAW_CEILINGS.labelCharacters * 2),
  n: query.get('n') ?? '100',
  k: query.get('k') ?? '1',
  names: query.get('names') ?? (query.has('list') ? '' : null),
  list: (query.has('names') ? null : query.get('list')) || null,
})

/** Which beacon draws: the one of this hash, or the first one at or after a time (ISO 8601). */
export type Choice =
  | { readonly kind: 'this'; readonly hash: string }
  | { readonly kind: 'first'; readonly at: string }

/**
 * Path and query that name the whole draw. `list` is null while none is given that can be drawn from: what is refused does
 * not take the place of the list that the address speaks of.
 */
export const drawAddress = (choice: Choice, draft: DrawDraft, list: Participants | null): string => {
  const { label, n, k, names, list: wanted } = draft
  const at = choice.kind === 'first' ? { at: choice.at } : {}
  const isIn = names !== null && names.length <= MOST_NAMES_CHARACTERS && (list !== null || wanted === null)
  const from = names === null ? { n } : isIn ? { names } : { list: wanted ?? list?.hash ?? '' }
  const query = new URLSearchParams({ ...at, ...(label === '' ? {} : { label }), k, ...from })
  return `/beacons/${choice.kind === 'this' ? choice.hash : 'next'}/draw?${query}`
}

type Saved = { readonly choice: Choice; readonly list: Participants | null; readonly beacon: string | null }

/** With the list, because the hash of one repeats nothing. */
export const drawFile = (terms: DrawTerms, { choice, list, beacon }: Saved): File => {
  const at = choice.kind === 'first' ? choice.at : null
  const participants = list?.names ?? null
  const winners = beacon === null ? null : drawWinners(terms, beacon)
  const file = { recipe: RECIPE, ...terms, first_beacon_at_or_after: at, beacon, participants, winners }
  return new File([`${JSON.stringify(file, null, 2)}\n`], 'draw.json')
}

/** Null when the text is not such a file. */
export const readDrawFile = (text: string): { draft: DrawDraft; choice: Choice } | null => {
  try {
    const file = object(JSON.parse(text))
    const at = textOrNull(file.first_beacon_at_or_after)
    const list = textOrNull(file.list)
    const names = list === null ? null : texts(file.participants).join('\n')
    const draft = { label: `${file.label ?? ''}`, n: `${file.n}`, k: `${file.k}`, names, list }
    if (file.recipe !== RECIPE || (at === null && !isHex(`${file.beacon}`, 32))) return null
    return { draft, choice: at === null ? { kind: 'this', hash: `${file.beacon}` } : { kind: 'first', at } }
  } catch {
    return null
  }
}

/** `list` is null when numbers are drawn. */
export const termsOf = (draft: DrawDraft, list: Participants | Refused | null): DrawTerms | Refused => {
  const { label } = draft
  if (list !== null && 'problem' in list) return list
  if (label !== label.trim() || hasControl(label)) return { problem: 'The label is one line of text.' }
  if (!label.isWellFormed()) return { problem: 'The label has a character that is cut in half.' }
  if (!hasAtMost(label, DRAW_CEILINGS.labelCharacters))
    return { problem: `The label has at most ${DRAW_CEILINGS.labelCharacters} characters.` }
  const n = list === null ? wholeNumber(draft.n) : list.names.length
  if (n === null || n < 1 || n > DRAW_CEILINGS.participants)
    return { problem: 'From how many? A whole number from 1 to 1,000,000.' }
  const k = wholeNumber(draft.k)
  if (k === null || k < 1 || k > n)
    return { problem: `How many are drawn? A whole number from 1 to ${n.toLocaleString('en-US')}.` }
  return { label, list: list?.hash ?? null, n, k }
}

const wholeNumber = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null)

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be there
const hasControl = (text: string): boolean => /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text)
