// What somebody typed into a search, made safe for PostgreSQL's reader of such texts.

export interface SearchQuery {
  /** Finds what has all the words; empty when there are none. For `websearch_to_tsquery`, like the other. */
  readonly all: string
  /** Finds what has any of the words. The same as `all` when the text itself says how they go together. */
  readonly any: string
}

/**
 * Words, `"phrases"`, `or`, and `-` before what is not wanted. PostgreSQL takes any text, but not any amount: it fails
 * on words of more than 2,046 bytes and on a row of some thirty lone `-`. So the text is cut short and every `-` has
 * its word.
 */
export function readQuery(text: string): SearchQuery {
  const terms = [...beginning(text).matchAll(TERM)]
    .map(([, minus = '', phrase, word = '']) =>
      phrase === undefined
        ? { minus, words: wordsOf(word).join(' ') }
        : { minus, words: `"${wordsOf(phrase).join(' ')}"` },
    )
    .filter(({ words }) => /[\p{L}\p{N}]/u.test(words))
    .slice(0, MOST_TERMS)
  const all = terms
    .map(({ minus, words }) => (minus === '' ? words : `-"${words.replaceAll('"', '')}"`))
    .join(' ')
  const isExplicit = terms.some(({ minus, words }) => minus !== '' || /^(".*"|or)$/i.test(words))
  return { all, any: isExplicit ? all : wordsOf(all).join(' or ') }
}

/** Nobody searches for more than this. */
const MOST_CHARACTERS = 300
const MOST_TERMS = 24

const TERM = /(-?)(?:"([^"]*)"|([^\s"]+))/g

/** Whole characters, four bytes each at most. */
const beginning = (text: string): string =>
  [...text.slice(0, 2 * MOST_CHARACTERS)].slice(0, MOST_CHARACTERS).join('').replaceAll('\0', ' ')

/** `_` is part of a word: codes such as `not_found` are what people look for. */
const wordsOf = (text: string): string[] =>
  text.split(/[^\p{L}\p{N}_]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
