// The sign-in pages as text: what they insert is inert, and what a browser needs is there.
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { html } from '../../../server/surfaces/http/html.ts'
import { pageStyle } from '../../../server/surfaces/http/static_file.ts'
import { consentPage, signInPage, signUpPage } from '../../../server/surfaces/oauth/pages/form_pages.ts'
import { formTargets, messagePage } from '../../../server/surfaces/oauth/pages/page.ts'

const HOSTILE = `"><script>alert('1')</script>&lt;\`${'x'.repeat(20)}`

const common = { action: HOSTILE, cancel: HOSTILE, clientName: HOSTILE, email: HOSTILE, csrf: HOSTILE }

const PAGES = {
  signIn: signInPage({ ...common, signUp: HOSTILE, problem: { text: HOSTILE, field: 'email' } }),
  signUp: signUpPage({ ...common, signIn: HOSTILE, firstName: HOSTILE, lastName: HOSTILE }),
  consent: consentPage({
    ...common,
    redirectHost: HOSTILE,
    scopes: [true, false].map((isOptional) => ({ name: HOSTILE, meaning: HOSTILE, isOptional })),
    otherAccount: HOSTILE,
  }),
  message: messagePage({ title: HOSTILE, text: HOSTILE, link: { href: HOSTILE, text: HOSTILE } }),
}

describe('the template', () => {
  it('escapes text, inserts markup, joins lists and leaves out what is absent', () => {
    const list = ['<a>', html`<b>${'&'}</b>`, undefined, false as const, 7]
    expect(html`<p title="${'"\'`'}">${list}</p>`.markup).toBe(
      '<p title="&quot;&#39;&#96;">&lt;a&gt;<b>&amp;</b>7</p>',
    )
  })
})

describe('every page', () => {
  it.each(Object.entries(PAGES))(
    '%s: nothing inserted becomes markup, and nothing is inline',
    (_, { markup }) => {
      expect(markup).not.toContain('<script>')
      expect(markup).not.toContain('"><script')
      expect(markup).not.toMatch(/<style|style=| on\w+="/)
      expect(markup).toContain('lang="en"')
    },
  )
})

describe('the name of an application', () => {
  const named = { ...common, clientName: 'Bank', redirectHost: 'a.example', scopes: [] }
  it.each([
    ['sign-in', signInPage(named)],
    ['sign-up', signUpPage(named)],
    ['consent', consentPage(named)],
  ])('is told as what it calls itself: %s', (_, { markup }) =>
    expect(markup).toMatch(/an application that calls itself <strong>Bank<\/strong>/i),
  )

  it('that there is none is no claim of it', () => {
    const nameless = { ...named, clientName: 'An application without a name' }
    expect(consentPage(nameless).markup).toContain('>An application without a name asks to use')
    expect(signInPage(nameless).markup).toContain('to continue to an application without a name<')
  })

  it('of our own console is told as it is', () =>
    expect(signInPage({ ...named, isOwn: true }).markup).toContain('continue to <strong>Bank</strong>'))
})

describe('forms', () => {
  const { markup } = signInPage({
    action: '/a',
    csrf: 't',
    email: 'ada@example.com',
    problem: { text: 'No.', field: 'password' },
  })

  it('tell password managers what each field is', () => {
    expect(markup).toContain('autocomplete="username"')
    expect(markup).toContain('autocomplete="current-password"')
    expect(signUpPage({ action: '/a', csrf: 't' }).markup).toContain('autocomplete="new-password"')
  })

  it('announce a mistake and connect it with its field', () => {
    expect(markup).toContain('id="problem" role="alert"')
    expect(markup).toMatch(/id="password"[^>]*aria-invalid="true" aria-describedby="problem"/)
    expect(markup).not.toMatch(/id="email"[^>]*aria-invalid/)
  })
})

it('the pages that the server makes have the colours of the console, by night where the system says so and never on paper', async () => {
  const colours = await readFile('shared/look/colours.css', 'utf8')
  const [, day, night, end] =
    /^(.+@media screen \{\n {2}):root\[data-theme="dark"\] \{([^{}]+)\}(\n\}\n)$/s.exec(colours) ?? []
  expect(night?.match(/--[a-z-]+:/g)?.length).toBeGreaterThan(10)
  const { plain } = await pageStyle(['server/surfaces/oauth/pages/pages.css'])
  const style = Buffer.from(await plain.bytes()).toString()
  const rules = await readFile('server/surfaces/oauth/pages/pages.css', 'utf8')
  expect(style).toBe(`${day}@media (prefers-color-scheme: dark) {\n:root {${night}}\n}${end}${rules}`)
  expect(await readFile('console-web/src/look/theme.css', 'utf8')).toContain('shared/look/colours.css"')
})

describe('the policy for forms that end at a client', () => {
  it.each([
    [undefined, "'self'"],
    ['https://app.example/cb?x=1', "'self' https://app.example"],
    ['http://127.0.0.1:8976/callback', "'self' http://127.0.0.1:8976"],
    ['http://[::1]:8976/callback', "'self' http:"],
    ['com.example.app:/callback', "'self' com.example.app:"],
    ["https://a;script-src'unsafe-inline'.example/", "'self' https:"],
  ])('%s allows %s', (redirectUri, targets) => {
    expect(formTargets(redirectUri)).toBe(targets)
  })
})
