// The articles that come with the service are found, read and followed, and no query is one too odd.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Article, readArticle } from '../../../server/domain/knowledge/article.ts'
import { loadArticles, publishArticles } from '../../../server/domain/knowledge/publish_articles.ts'
import {
  articleLinks,
  fetchArticle,
  KNOWLEDGE_ACTIONS,
} from '../../../server/domain/knowledge/read_articles.ts'
import { searchArticles } from '../../../server/domain/knowledge/search_articles.ts'
import { Refusal } from '../../../server/kernel/refusal.ts'
import { openStore, type Store } from '../../../server/store/open_store.ts'
import { cloneDatabase, type TestDatabase } from '../../support/database.ts'
import { rows } from '../../support/rows.ts'

let database: TestDatabase
let store: Store
let articles: Article[]
const em = () => store.em()

beforeAll(async () => {
  database = await cloneDatabase()
  store = openStore({ url: database.url, poolSize: 6 })
  articles = await loadArticles()
  await publishArticles(em(), articles)
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

const slugsOf = async (query: string, limit?: number) =>
  (await searchArticles(em(), { query, limit })).articles.map(({ slug }) => slug)
const unknown = { ok: false, code: 'invalid', message: expect.any(String), retryable: false }

describe('search', () => {
  it.each([
    ['webhook retries', 'webhooks'],
    ['walk the chain', 'chain-walking'],
    ['rate limit', 'limits'],
    ['no_external_commitments', 'proofs'],
    ['PKCE', 'oauth'],
    ['verify a proof without trusting the service', 'offline-verification'],
    ['MCP tools', 'agents'],
    ['rotate signing key', 'operating'],
    ['team roles', 'tenants'],
    ['canonical json', 'utilities'],
    ['page cursor', 'lists'],
    ['first steps with a key', 'quick-start'],
    ['"redact the item"', 'items-and-claims'],
    ['randomness', 'beacons'],
    ['idempotency_conflict', 'errors'],
    // Only in an example.
    ['sha256sum', 'quick-start'],
  ])('%s finds %s', async (query, slug) => {
    expect((await slugsOf(query)).slice(0, 4)).toContain(slug)
  })

  it('answers exactly the documented members, best first, as plain text', async () => {
    const { articles: found } = await searchArticles(em(), { query: 'webhook delivery' })
    expect(found.length).toBeGreaterThan(1)
    for (const one of found) {
      expect(Object.keys(one)).toEqual(['slug', 'title', 'excerpt', 'score'])
      expect(one.excerpt).not.toMatch(/<b>|\*\*|\]\(|`|\n|curl/)
      expect(one.excerpt.length).toBeGreaterThan(10)
      expect(one.score).toBeGreaterThan(0)
      expect(one.score).toBeLessThanOrEqual(1)
    }
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a))
    expect(found[0]).toMatchObject({ slug: 'webhooks', title: 'Webhooks' })
  })

  it('knows phrases, alternatives and exclusions', async () => {
    expect(await slugsOf('"chain of custody"')).toEqual([])
    expect(await slugsOf('webhook -webhook')).toEqual([])
    expect(await slugsOf('zebra or webhook')).toContain('webhooks')
  })

  it('puts articles with any of the words behind those with all of them', async () => {
    expect(await slugsOf('zebra webhook giraffe')).toContain('webhooks')
    const { articles: found } = await searchArticles(em(), { query: 'tenant header', limit: 50 })
    const complete = found.filter(({ score }) => score > 0.5).map(({ slug }) => slug)
    expect(found.slice(0, complete.length).map(({ slug }) => slug)).toEqual(complete)
    // The two queries rank differently among those with all of them.
    expect(complete.toSorted()).toEqual((await slugsOf('"tenant" "header"', 50)).toSorted())
    expect(found.length).toBeGreaterThan(complete.length)
    expect(await slugsOf('zebra giraffe')).toEqual([])
  })

  it('keeps to the limit, ten unless said otherwise', async () => {
    expect(await slugsOf('item', 1)).toHaveLength(1)
    expect(await slugsOf('item', 3)).toEqual((await slugsOf('item', 50)).slice(0, 3))
    expect((await slugsOf('a or item or proof or beacon or limit')).length).toBe(10)
  })

  it.each([0, -1, 51, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300])(
    'refuses the limit %d',
    async (limit) => {
      const refused = await searchArticles(em(), { query: 'item', limit }).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(Refusal)
      expect(refused).toMatchObject({
        problems: [{ code: 'invalid_argument', path: ['limit'], meta: { minimum: 1, maximum: 50 } }],
      })
    },
  )

  it.each(['', '   ', '\n', '\0', '"', '-', '""', 'the', '!!!', '&|!()<->:*', "'", '\\', '\ud800', '🦒'])(
    'finds nothing, and no fault, for %j',
    async (query) => {
      expect(await slugsOf(query)).toEqual([])
    },
  )

  it('takes queries of any size and make', async () => {
    const odd = [
      'x'.repeat(500_000),
      '🦒'.repeat(100_000),
      'webhook '.repeat(60_000),
      `"${'a '.repeat(200)}`,
      '('.repeat(5_000),
      '- '.repeat(5_000),
      '-'.repeat(5_000),
      '-x '.repeat(100),
      '-"x y" '.repeat(100),
      '"-" '.repeat(100),
      'a:*&b|!c '.repeat(30),
      `${'or '.repeat(300)}webhook`,
      'https://example.com/a?b=1&c=2',
      'a@b.example',
      "'; DROP TABLE knowledge_articles; --",
    ]
    for (const query of odd) await slugsOf(query)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 60 }),
          fc
            .array(
              fc.constantFrom('"', '-', 'or', 'and', 'proof', '!', '&', '(', ':*', '<->', '\\', "'", 'item'),
            )
            .map((parts) => parts.join(' ')),
          fc
            .array(fc.constantFrom('"', '-', 'or', '|', 'x', ' ', '\t', '\0', '\ud83e', '/', '.'))
            .map((parts) => parts.join('')),
        ),
        async (query) => {
          expect(Array.isArray(await slugsOf(query, 2))).toBe(true)
        },
      ),
      { numRuns: 120 },
    )
  })
})

describe('fetch and links', () => {
  it('gives every article as its file has it', async () => {
    for (const { slug, title, body, updatedAt } of articles)
      expect(await fetchArticle(em(), { slug })).toEqual({
        slug,
        title,
        body,
        updated_at: updatedAt.toISOString(),
      })
  })

  it('gives links in both directions, in agreement with the bodies', async () => {
    const titles = new Map(articles.map(({ slug, title }) => [slug, title]))
    for (const { slug, links } of articles)
      expect(await articleLinks(em(), { slug })).toEqual({
        outgoing: links.map((to) => ({ slug: to, title: titles.get(to) })),
        incoming: articles
          .filter((other) => other.links.includes(slug))
          .map((other) => ({ slug: other.slug, title: other.title })),
      })
  })

  it.each([
    '',
    'nothing',
    'Webhooks',
    'webhooks ',
    '../webhooks',
    'a\0b',
    '\ud800',
    '%',
    'x'.repeat(500_000),
  ])('answers the failure object for a slug that is none (%#)', async (slug) => {
    expect(await fetchArticle(em(), { slug })).toEqual(unknown)
    expect(await articleLinks(em(), { slug })).toEqual(unknown)
  })
})

describe('publishing', () => {
  const article = (slug: string, body: string, title = slug): Article => {
    const made = readArticle(slug, `---\ntitle: ${title}\nupdated_at: 2026-11-20\n---\n${body}\n`)
    if ('mistakes' in made) throw new Error(made.mistakes.join())
    return made
  }
  const versions = () =>
    rows<{ slug: string; version: string }>(
      em(),
      `SELECT slug, xmin::text AS version FROM knowledge_articles
        UNION ALL SELECT from_slug || '>' || to_slug, xmin::text FROM knowledge_links ORDER BY 1`,
    )

  it('writes nothing when nothing changed', async () => {
    const before = await versions()
    expect(await publishArticles(em(), articles)).toEqual({ written: 0, removed: 0 })
    expect(await versions()).toEqual(before)
  })

  it('replaces, adds, removes and relinks, and readers never see half of it', async () => {
    const [a, b, c] = [
      article('a', 'About ants, see [b](b) and [c](c).'),
      article('b', 'About bees, see [a](a).'),
      article('c', 'About cats.'),
    ]
    try {
      expect(await publishArticles(em(), [a, b, c])).toEqual({ written: 3, removed: articles.length })
      expect(await slugsOf('ants')).toEqual(['a'])
      const changed = article('a', 'About apes, see [c](c).')
      expect(await publishArticles(em(), [changed, c])).toEqual({ written: 1, removed: 1 })
      expect(await slugsOf('ants')).toEqual([])
      expect(await slugsOf('apes')).toEqual(['a'])
      expect(await articleLinks(em(), { slug: 'a' })).toEqual({
        outgoing: [{ slug: 'c', title: 'c' }],
        incoming: [],
      })
      expect(await publishArticles(em(), [])).toEqual({ written: 0, removed: 2 })
    } finally {
      await publishArticles(em(), articles)
    }
  })

  it('is safe to run on many servers at once', async () => {
    await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        publishArticles(em(), index % 2 === 0 ? articles : [...articles].reverse().slice(3)).catch(
          (error: unknown) => {
            // The shorter list lacks articles that others link to.
            if (!String(error).includes('knowledge_links')) throw error
          },
        ),
      ),
    )
    await publishArticles(em(), articles)
    expect(await slugsOf('webhook')).toContain('webhooks')
  })
})

describe('the table of actions', () => {
  it.each(KNOWLEDGE_ACTIONS)('$name answers what its example promises', async (one) => {
    const answer = Object(await one.run({ em: em(), caller: { userId: '' } }, { ...one.example.data }, ''))
    expect(Object.keys(answer)).toEqual(Object.keys(one.example.result))
    expect(Object.keys(answer)).toEqual(Object.keys(one.result.properties ?? {}))
  })
})
