// kb/search: the articles that say something about a few words.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { attribute } from '../../contract/attribute.ts'
import { integer, text } from '../../contract/kinds.ts'
import { listMember, numberMember, resultOf, textResult } from '../../contract/operation.ts'
import { refuse } from '../../kernel/refusal.ts'
import { float8, text as textColumn } from '../../store/columns.ts'
import { type RowFrom, rows, statement } from '../../store/statement.ts'
import { LONGEST_ARGUMENT, readAction } from '../utilities/read_action.ts'

/**
 * Two texts for `websearch_to_tsquery`: one that matches articles with all the words, which is empty when there are none,
 * and one that matches articles with any of the words, which is the same when the text contains operators.
 *
 * Accepts words, `"phrases"`, `or`, and `-` before an unwanted word. PostgreSQL accepts any text but fails on words
 * of more than 2,046 bytes and on about thirty lone `-` in a row. So the text is shortened, and every `-` gets a
 * word.
 */
function readQuery(text: string) {
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

export type FoundArticle = RowFrom<typeof SEARCH>

/**
 * Returns articles with all the words first, then those with any of the words. A query without words finds nothing.
 * @throws invalid_argument for a limit out of range
 */
export async function searchArticles(
  em: EntityManager,
  { query, limit: asked }: { readonly query: string; readonly limit?: number | null | undefined },
) {
  const limit = asked ?? LIMIT.default
  if (!Number.isInteger(limit) || limit < LIMIT.minimum || limit > LIMIT.maximum)
    throw refuse('invalid_argument', {
      path: ['limit'],
      detail: `must be an integer from ${LIMIT.minimum} to ${LIMIT.maximum}`,
      meta: { minimum: LIMIT.minimum, maximum: LIMIT.maximum },
    })
  const { all, any } = readQuery(query)
  if (all === '') return { articles: [] }
  const found = await rows(em, SEARCH({ all, any, limit }))
  return {
    articles: found.map((one) => ({ ...one, excerpt: one.excerpt.replace(/\s+/g, ' ').trim() })),
  }
}

const LIMIT = { minimum: 1, maximum: 50, default: 10 } as const

/**
 * The excerpt is plain text around the first hits. The score is between 0 and 1, comparable within one answer.
 * Index: knowledge_articles_search. An article with all the words scores above one half. Excerpts are made only for
 * the rows of the answer.
 */
const SEARCH = statement(
  { slug: textColumn, title: textColumn, excerpt: textColumn, score: float8 },
  ({ all, any, limit }: { all: string; any: string; limit: number }) => sql`
  SELECT found.slug, found.title,
         ts_headline('english', found.plain, found.words,
           'StartSel="", StopSel="", MaxFragments=2, MaxWords=30, MinWords=12, FragmentDelimiter=" … "') AS excerpt,
         found.score
    FROM (SELECT a.slug, a.title, a.plain, words,
                 round((((a.search @@ wanted)::int + ts_rank_cd(a.search, words, 32)) / 2)::numeric, 4)::float8 AS score
            FROM websearch_to_tsquery('english', ${all}) AS wanted, websearch_to_tsquery('english', ${any}) AS words,
                 knowledge_articles a
           WHERE a.search @@ words
           ORDER BY score DESC, a.slug
           LIMIT ${limit}) AS found
   ORDER BY found.score DESC, found.slug`,
)

export const searchAction = readAction({
  name: 'searchKnowledge',
  tool: {
    name: 'kb_search',
    title: 'Search the articles about the service',
    doc: 'Finds articles about the service by words. Use it before guessing how something works here; kb_fetch reads one by its slug.',
  },
  http: 'POST /kb/search',
  doc: 'Finds articles about the service by words. Fetch one by its slug to read it.',
  accepts: {
    query: attribute(
      text({ max: LONGEST_ARGUMENT }),
      'Words; `"a phrase"`, `or` and `-without` as on the web.',
      { required: true },
    ),
    limit: attribute(
      integer({ min: LIMIT.minimum, max: LIMIT.maximum }),
      `How many at most, from ${LIMIT.minimum} to ${LIMIT.maximum}; ${LIMIT.default} unless said otherwise.`,
      { nullable: true },
    ),
  },
  result: resultOf({
    articles: listMember(
      resultOf(
        {
          slug: textResult('The article’s name for fetch and links.'),
          title: textResult('For people.'),
          excerpt: textResult('Plain text around the first hits.'),
          score: numberMember('Between 0 and 1, comparable within one answer.'),
        },
        'FoundArticle',
      ),
      LIMIT.maximum,
      'Best first.',
    ),
  }),
  example: {
    data: { query: 'walk the chain', limit: 1 },
    result: {
      articles: [
        {
          slug: 'chain-walking',
          title: 'Walking the chain',
          excerpt:
            'Every beacon names the hash of the one before it, so whoever holds one can walk the chain back',
          score: 0.5238,
        },
      ],
    },
  },
  run: ({ em }, given) => searchArticles(em, given),
})
