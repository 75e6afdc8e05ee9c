// Makes the text of a search safe for PostgreSQL's parser of search texts.

export interface SearchQuery {
  /** Matches articles with all the words. Empty when there are none. For `websearch_to_tsquery`, like `any`. */
  readonly all: string
  /** Matches articles with any of the words. Same as `all` when the text contains operators. */
  readonly any: string
}

/**
 * Accepts words, `"phrases"`, `or`, and `-` before an unwanted word. PostgreSQL accepts any text but fails on words
 * of more than 2,046 bytes and on about thirty lone `-` in a row. So the text is shortened, and every `-` gets a
 * word.
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

/** The longest searched text and the maximum number of words. Nobody needs more. */
const MOST_CHARACTERS = 300
const MOST_TERMS = 24

const TERM = /(-?)(?:"([^"]*)"|([^\s"]+))/g

/** Cuts at whole characters, each of at most four bytes. */
const beginning = (text: string): string =>
  [...text.slice(0, 2 * MOST_CHARACTERS)].slice(0, MOST_CHARACTERS).join('').replaceAll('\0', ' ')

/** `_` is part of a word, because people search for codes such as `not_found`. */
const wordsOf = (text: string): string[] =>
  text.split(/[^\p{L}\p{N}_]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
