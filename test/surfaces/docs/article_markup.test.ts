// An article as markup: what it says is all there, and none of it becomes markup of the page by itself.
import { describe, expect, it } from 'vitest'
import { loadArticles } from '../../../server/domain/knowledge/publish_articles.ts'
import { articleMarkup } from '../../../server/surfaces/docs/article_markup.ts'
import { ARTICLE_SECTIONS, inSections } from '../../../server/surfaces/docs/sections.ts'

const markupOf = (markdown: string): string => articleMarkup(markdown).body.markup
const articles = await loadArticles()

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#96;': '`',
}
/** What a browser shows, without the marks of headings. */
const shownText = (markup: string): string =>
  markup
    .replace(/<a class="anchor".*?<\/a>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? 'unknown entity')
const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== '')

describe('the markup of', () => {
  it.each(articles.map((article) => [article.slug, article] as const))(
    '%s has every word and every example of the article, in order',
    (_, { body, plain, code }) => {
      const markup = markupOf(body)
      const prose = markup.replace(/<pre.*?<\/pre>/gs, '')
      expect(wordsOf(shownText(prose)).join(' ')).toBe(wordsOf(plain).join(' '))
      const examples = [...markup.matchAll(/<pre[^>]*><code>(.*?)<\/code><\/pre>/gs)].map(
        ([, text = '']) => text,
      )
      expect(examples.map((text) => `${shownText(text)}\n`).join('\n')).toBe(code)
      expect(shownText(prose)).not.toMatch(/\*\*|\]\(|^#|\|/m)
    },
  )

  it('headings gives each an address of its own', () => {
    const { body, headings } = articleMarkup('## Asking `for` one\n\n### Asking for one\n\n## ?\n\n## Größe')
    expect(headings.map(({ id }) => id)).toEqual(['asking-for-one', 'section', 'größe'])
    expect([...body.markup.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      'asking-for-one',
      'asking-for-one-2',
      'section',
      'größe',
    ])
  })

  it('headings gives none the address that another has by its own words', () => {
    const { body } = articleMarkup('## A\n\n## A 2\n\n## A\n\n## A\n\n## A 2')
    expect([...body.markup.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)).toEqual([
      'a',
      'a-2',
      'a-3',
      'a-4',
      'a-2-2',
    ])
  })

  it('numbered lists keeps the number that they begin with', () => {
    expect(markupOf('3. three\n4. four')).toContain('<ol start="3">')
    expect(markupOf('0. nought')).toContain('<ol start="0">')
    expect(markupOf('1. one')).toContain('<ol>')
  })

  it('links leads to other articles and to https alone', () => {
    const links = markupOf(
      '[a](proofs) [b](https://example.com/?a=1&b="2") [c](javascript:alert(1)) [d](/items) [e](http://example.com) ![f](https://example.com/f.png)',
    )
    expect([...links.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      '/docs/proofs',
      expect.stringMatching(/^https:\/\/example\.com\/\?a=1&amp;b=/),
    ])
    expect(links).not.toContain('<img')
  })

  it.each([
    '<script>alert(1)</script>',
    'words <img src=x onerror="alert(1)"> words',
    '`<b>` and `&lt;` and **<i>x</i>**',
    '```html\n</code></pre><script>\n```',
    '| <b>a</b> | `<td>` |\n|---|---|\n| "x" | \'y\' |',
    '- <li onclick="x">\n- [<u>](proofs)',
    '## <h1 id="x">',
    '> <q>\n\n---\n\n1. <s>',
  ])('%s shows it as it is written', (markdown) => {
    const markup = markupOf(markdown)
    const tags = [...markup.matchAll(/<\/?([a-z0-9]+)([^>]*)>/g)]
    const OURS = /^(p|code|strong|em|pre|table|thead|tbody|tr|th|td|ul|ol|li|h2|a|div|blockquote|hr)$/
    expect(tags.map(([, name = '']) => name).filter((name) => !OURS.test(name))).toEqual([])
    expect(tags.map(([, , rest = '']) => rest).join(' ')).not.toMatch(/ on\w+=/)
    for (const [tag] of markdown.matchAll(/<[^>]+>/g)) expect(shownText(markup)).toContain(tag)
  })
})

it('every article stands in one section, and a section names no other', () => {
  const placed = Object.values(ARTICLE_SECTIONS).flat()
  expect(placed.toSorted()).toEqual(articles.map(({ slug }) => slug))
  const listed = { title: 'A', updated_at: '', bytes: 1, summary: '' }
  const sections = inSections([
    { ...listed, slug: 'newer' },
    { ...listed, slug: 'proofs' },
  ])
  expect(sections.map(({ title, articles }) => [title, articles.map(({ slug }) => slug)])).toEqual([
    ['Start here', ['proofs']],
    ['More', ['newer']],
  ])
})
