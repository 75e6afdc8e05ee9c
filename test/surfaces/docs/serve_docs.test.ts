// The documentation over HTTP: public pages that need no script, found by a plain form, kept by browsers, and never a fault.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { loadArticles, publishArticles } from '../../../server/domain/knowledge/publish_articles.ts'
import { compress } from '../../../server/surfaces/http/static_file.ts'
import { type Ask, ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'

const articles = await loadArticles()

const app = testApp()

const read = (path: string, options?: Ask) => ask(app.port, path, options)
const linksIn = (text: string): string[] =>
  [...text.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href)
const articleLinksIn = (text: string): string[] => [
  ...new Set(linksIn(text).filter((href) => /^\/docs\/[a-z0-9-]+$/.test(href))),
]
const POLICY = /script-src 'none'.*style-src 'self'.*form-action 'self'.*frame-ancestors 'none'/

describe('GET /docs', () => {
  it('has all articles, without a credential, and search engines may read it', async () => {
    const { status, headers, text } = await read('/docs')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, no-cache',
      'content-security-policy': expect.stringMatching(POLICY),
      'x-content-type-options': 'nosniff',
    })
    expect(articleLinksIn(text).toSorted()).toEqual(articles.map(({ slug }) => `/docs/${slug}`))
    expect((await read('/robots.txt')).text).toContain('Allow: /docs\n')
    expect((await read('/docs', { headers: { Authorization: 'Bearer nonsense' } })).status).toBe(200)
  })

  it.each(articles.map(({ slug, title }) => [slug, title] as const))(
    '/%s is a page whose links all lead somewhere',
    async (slug, title) => {
      const { status, headers, text } = await read(`/docs/${slug}`)
      expect(status).toBe(200)
      expect(headers['content-security-policy']).toMatch(POLICY)
      expect(text).toContain(`<title>${title} · Pharos</title>`)
      expect(text).toContain(`<h1>${title}</h1>`)
      expect(text).toContain(`<link rel="canonical" href="${app.base}/docs/${slug}">`)
      expect(text).not.toMatch(/<script|<style| style=/)
      const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
      expect(new Set(ids).size).toBe(ids.length)
      for (const href of linksIn(text)) {
        if (href.startsWith('#')) expect(ids).toContain(href.slice(1))
        else if (href.startsWith('/') && !href.startsWith('/docs/') && href !== '/graphiql') continue
        else if (href.startsWith('/')) expect((await read(href)).status, href).toBe(200)
      }
    },
  )
})

describe('a search', () => {
  it.each(['webhook retries', 'rate limit', '"redact the item"', 'PKCE -proof'])(
    'for %s finds what the knowledge base finds, in its order',
    async (query) => {
      const answer = await read('/api/json/kb/search', {
        key: app.owner.key,
        body: { json: { data: { query, limit: 20 } } },
      })
      const found = z.object({
        result: z.object({ articles: z.array(z.object({ slug: z.string(), title: z.string() })) }),
      })
      const { articles } = found.parse(answer.json()).result
      const { status, text } = await read(`/docs?${new URLSearchParams({ q: query })}`)
      expect(status).toBe(200)
      expect(articleLinksIn(text)).toEqual(articles.map(({ slug }) => `/docs/${slug}`))
      expect(text).toContain('<meta name="robots" content="noindex">')
    },
  )

  it('that finds nothing says so, and repeats what was asked for as text', async () => {
    const { status, text } = await read(`/docs?${new URLSearchParams({ q: '"><xyzzy>' })}`)
    expect(status).toBe(200)
    expect(text).toContain('value="&quot;&gt;&lt;xyzzy&gt;"')
    expect(text).not.toContain('<xyzzy')
    expect(text).toMatch(/No article says anything about/)
  })

  it('for nothing shows all articles', async () => {
    const { text } = await read('/docs')
    for (const path of ['/docs?q=', '/docs?q=%20+', '/docs?other=1'])
      expect((await read(path)).text).toBe(text)
  })

  it('is compressed as other answers are, because nobody asks for it again', async () => {
    const asked = `${app.base}/docs?q=proof`
    for (const coding of ['br', 'gzip'] as const) {
      const { headers } = await fetch(asked, { headers: { 'Accept-Encoding': coding } })
      const page = Buffer.from((await read('/docs?q=proof')).text)
      const { length } = await compress(page, coding, 'answer')
      expect(headers.get('content-length')).toBe(String(length))
      expect((await compress(page, coding, 'file')).length).not.toBe(length)
    }
  })

  it('is refused in words when it is too long, and takes anything else', async () => {
    const asked = (q: string) => read(`/docs?${new URLSearchParams({ q })}`)
    expect((await asked('😀'.repeat(200))).status).toBe(200)
    const long = await asked('x'.repeat(201))
    expect([long.status, long.text]).toEqual([400, expect.stringContaining('at most 200 characters')])
    expect((await asked('a\0b')).status).toBe(400)
    for (const odd of ['%', '%ff', '%zz', '-', '"', `${'-%20'.repeat(60)}`, 'a&q=b', '[]', "'--"])
      expect([odd, (await read(`/docs?q=${odd}`)).status]).toEqual([odd, 200])
  })
})

describe('what is not there', () => {
  it.each([
    '/docs/nothing',
    '/docs/Quick-Start',
    '/docs/quick-start/more',
    '/docs/..',
    '/docs//',
    '/docs/%00',
  ])('%s is a page with status 404 that leads on', async (path) => {
    const { status, headers, text } = await read(path)
    expect(status).toBe(404)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(POLICY),
    })
    expect(text).toContain('<h1>No such article</h1>')
    expect(linksIn(text)).toContain('/docs')
  })

  it('an address with a slash too much leads to the one without', async () => {
    for (const [path, to] of [
      ['/docs/?q=a', '/docs?q=a'],
      ['/docs/proofs/', '/docs/proofs'],
    ] as const) {
      const { status, headers } = await read(path)
      expect([status, headers.location]).toEqual([308, to])
    }
  })

  it('another method is refused', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await read('/docs/proofs', { method })
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
    }
  })
})

describe('a browser', () => {
  it.each(['/docs', '/docs/proofs', '/docs?q=proof', '/docs/docs.css'])(
    'keeps %s until it changes',
    async (path) => {
      const { headers, text } = await read(path)
      const head = await read(path, { method: 'HEAD' })
      expect([head.status, head.text, head.headers['content-length'], head.headers.etag]).toEqual([
        200,
        '',
        String(Buffer.byteLength(text)),
        headers.etag,
      ])
      const again = await read(path, { headers: { 'If-None-Match': headers.etag ?? '' } })
      expect([again.status, again.text]).toEqual([304, ''])
      expect((await read(path, { headers: { 'If-None-Match': '"another"' } })).text).toBe(text)
      const coded = await fetch(app.base + path, { headers: { 'Accept-Encoding': 'br' } })
      expect(coded.headers.get('content-encoding')).toBe('br')
      expect(await coded.text()).toBe(text)
    },
  )

  it('shows an article as it is now', async () => {
    const before = await read('/docs/tenants')
    const changed = articles.map((one) =>
      one.slug === 'tenants' ? { ...one, title: 'Another title', body: '## Only <this>' } : one,
    )
    await publishArticles(app.store.em(), changed)
    const after = await read('/docs/tenants', { headers: { 'If-None-Match': before.headers.etag ?? '' } })
    expect(after.status).toBe(200)
    expect(after.text).toContain('<h1>Another title</h1>')
    expect(after.text).toMatch(/<h2 id="only-this">Only &lt;this&gt; /)
    expect((await read('/docs')).text).toContain('Another title')
    await publishArticles(app.store.em(), articles)
    expect((await read('/docs/tenants')).text).toBe(before.text)
  })
})
