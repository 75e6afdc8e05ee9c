// Whoever edits an article learns of every mistake at once, before the service listens.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainText, readArticle } from '../../../server/domain/knowledge/article.ts'
import { loadArticles } from '../../../server/domain/knowledge/publish_articles.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pharos-articles-'))
})
afterEach(() => rm(folder, { recursive: true }))

const GOOD = '---\ntitle: A title: with a colon\nupdated_at: 2026-11-20\n---\n\nSome text.\n'
const write = (files: Record<string, string>) =>
  Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)))
const mistakesOf = async () => {
  const error = await loadArticles(folder).catch((caught: unknown) => caught)
  return error instanceof Error
    ? error.message
        .split('\n')
        .slice(1)
        .map((line) => line.trim())
    : []
}

describe('the articles we ship', () => {
  it('are all good, a dozen at least, each reachable from another, with an example to try in most', async () => {
    const articles = await loadArticles()
    expect(articles.length).toBeGreaterThanOrEqual(12)
    const linked = new Set(articles.flatMap(({ links }) => links))
    expect(articles.filter(({ slug }) => !linked.has(slug)).map(({ slug }) => slug)).toEqual([])
    expect(articles.filter(({ links }) => links.length === 0)).toEqual([])
    expect(articles.filter(({ body }) => body.includes('curl')).length).toBeGreaterThan(articles.length / 2)
    for (const { body, plain } of articles) {
      expect(body.length).toBeGreaterThan(1_000)
      expect(plain).not.toMatch(/\]\(|```|^#/m)
    }
  })

  it('escape the brackets that curl would take for a range', async () => {
    for (const { slug, body } of await loadArticles())
      for (const line of body.split('\n').filter((text) => text.includes('curl') && /\?\w+\[/.test(text)))
        expect([slug, line]).toEqual([slug, expect.stringMatching(/curl -\w*[gG]/)])
  })
})

describe('loading', () => {
  it('reads Markdown files alone, ordered by slug', async () => {
    await write({ 'b.md': GOOD, 'a-1.md': GOOD, 'notes.txt': 'no article', 'c.md.swp': 'neither' })
    const articles = await loadArticles(folder)
    expect(articles.map(({ slug }) => slug)).toEqual(['a-1', 'b'])
    expect(articles[0]).toMatchObject({ title: 'A title: with a colon', body: 'Some text.', links: [] })
    expect(articles[0]?.updatedAt.toISOString()).toBe('2026-11-20T00:00:00.000Z')
  })

  it('tells every mistake of every file at once', async () => {
    await write({
      'bare.md': 'No front matter.',
      'empty.md': '---\ntitle: T\nupdated_at: 2026-11-20\n---\n',
      'untitled.md': '---\ntitle:\nupdated_at: soon\n---\nText.',
      'Upper.md': GOOD,
      'links.md': `${GOOD}[one](gone), [two](http://plain.example), [three](/path), [four](https://ok.example).`,
      'nul.md': `${GOOD}\0`,
      'huge.md': 'x'.repeat(65_537),
    })
    expect((await mistakesOf()).sort()).toEqual([
      'Upper.md has a name that is no slug',
      'bare.md does not begin with front matter',
      'empty.md has no text',
      'huge.md is larger than 65536 bytes',
      'links.md links to /path',
      'links.md links to http://plain.example',
      'nul.md has characters that the database refuses',
      'untitled.md has no title',
      'untitled.md has no updated_at, such as 2026-11-20',
    ])
  })

  it('follows links to articles that exist, and no others', async () => {
    await write({ 'a.md': `${GOOD}See [b](b), [gone](gone), \`[code](code)\`.\n`, 'b.md': GOOD })
    expect(await mistakesOf()).toEqual(['a.md links to gone, which is no article'])
  })

  it('does not read a folder that is not ours', async () => {
    await write(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`a${i}.md`, GOOD])))
    expect(await mistakesOf()).toEqual(['there are more than 200'])
  })
})

describe('reading', () => {
  it('takes each link once, in order, and neither itself nor code', () => {
    const read = readArticle(
      'me',
      `${GOOD}[x](x) [y](y) [x](x) [me](me)\n\n\`\`\`sh\necho '[z](z)'\n\`\`\`\n[w](w)\n`.replaceAll(
        '\n',
        '\r\n',
      ),
    )
    expect(read).toMatchObject({ links: ['x', 'y', 'w'], code: "echo '[z](z)'\n" })
  })

  it('leaves the words of Markdown and takes its markup and its examples', () => {
    expect(
      plainText(
        '## A **bold** title\n\n- see [this](that)\n1. `code`\n\n| a | b |\n|---|---|\n| c | d |\n\n```sh\nls -l\n```\n',
      ),
    ).toBe('A bold title\nsee this\ncode\na b\nc d')
  })

  it('is quick and total on any text', () => {
    const long = ['[', '](', '*', '|', '`', '\n', ' ', '# '].map((piece) => piece.repeat(20_000))
    const before = performance.now()
    for (const text of long) readArticle('a', GOOD + text)
    expect(performance.now() - before).toBeLessThan(25_000)
    fc.assert(
      fc.property(fc.array(fc.constantFrom('[', ']', '(', ')', '*', '`', '|', '\n', 'a', ' ')), (pieces) => {
        expect(typeof plainText(pieces.join(''))).toBe('string')
      }),
    )
  })
})
