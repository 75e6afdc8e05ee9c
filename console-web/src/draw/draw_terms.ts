// The terms of a draw, as they stand in the address of the page, so that others repeat it.
import { hasAtMost } from '../../../shared/proof/code_points.ts'
import { DRAW_CEILINGS, type DrawTerms } from './recipe.ts'

/** The terms as they are typed: numbers may be missing. */
export type DrawDraft = { readonly label: string; readonly n: string; readonly k: string }

export const draftFrom = (query: URLSearchParams): DrawDraft => ({
  label: (query.get('label') ?? '').slice(0, DRAW_CEILINGS.labelCharacters * 2),
  n: query.get('n') ?? '100',
  k: query.get('k') ?? '1',
})

/** True for an address that speaks of a list of names. Numbers drawn in its place would be other winners. */
export const namesList = (query: URLSearchParams): boolean => query.has('names') || query.has('list')

/** Which beacon draws: the one of this hash, or the first one at or after a time (ISO 8601). */
export type Choice =
  | { readonly kind: 'this'; readonly hash: string }
  | { readonly kind: 'first'; readonly at: string }

/** Path and query that name the whole draw. */
export const drawAddress = (choice: Choice, { label, n, k }: DrawDraft): string => {
  const at = choice.kind === 'first' ? { at: choice.at } : {}
  const query = new URLSearchParams({ ...at, ...(label === '' ? {} : { label }), k, n })
  return `/beacons/${choice.kind === 'this' ? choice.hash : 'next'}/draw?${query}`
}

export const termsOf = (draft: DrawDraft): DrawTerms | { readonly problem: string } => {
  const { label } = draft
  if (label !== label.trim() || hasControl(label)) return { problem: 'The label is one line of text.' }
  if (!label.isWellFormed()) return { problem: 'The label has a character that is cut in half.' }
  if (!hasAtMost(label, DRAW_CEILINGS.labelCharacters))
    return { problem: `The label has at most ${DRAW_CEILINGS.labelCharacters} characters.` }
  const n = wholeNumber(draft.n)
  if (n === null || n < 1 || n > DRAW_CEILINGS.participants)
    return { problem: 'From how many? A whole number from 1 to 1,000,000.' }
  const k = wholeNumber(draft.k)
  if (k === null || k < 1 || k > n)
    return { problem: `How many are drawn? A whole number from 1 to ${n.toLocaleString('en-US')}.` }
  return { label, n, k }
}

const wholeNumber = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null)

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be there
const hasControl = (text: string): boolean => /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text)
