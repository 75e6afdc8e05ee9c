// People sign in to the console through the real pages of the service, in a real browser.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { consoleTab } from '../support/console_tab.ts'
import { givePassword, TEST_PASSWORD } from '../support/oauth.ts'
import { testApp } from '../support/test_app.ts'

const app = testApp()
const { page } = consoleTab(app)
let email: string
beforeAll(async () => {
  email = await givePassword(app, app.owner)
})

const stored = (of: Page) => of.evaluate(() => ({ device: { ...localStorage }, tab: { ...sessionStorage } }))
const addressOf = (of: Page) => of.url().slice(app.base.length)
const signedIn = (of: Page) => of.getByTestId('account').waitFor()
const signedOut = (of: Page) => of.getByTestId('sign-in-account').waitFor()
const signOut = async (of: Page) => {
  await of.getByTestId('account').click()
  await of.getByTestId('sign-out').click()
}
const numberOf = async (table: string) =>
  (await app.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n

const authorizeRequests = (of: Page): string[] => {
  const seen: string[] = []
  of.on('request', (request) => {
    if (request.url().startsWith(`${app.base}/oauth/authorize?`)) seen.push(request.url())
  })
  return seen
}

const signIn = async (path: string) => {
  await page().goto(path)
  await page().getByTestId('sign-in-account').click()
  await page().getByLabel('E-mail address').fill(email)
  await page().getByLabel('Password').fill(TEST_PASSWORD)
  await page().getByRole('button', { name: 'Sign in' }).click()
  await signedIn(page())
}

describe('the console of a person who signs in', () => {
  it('is where the person was, follows the chain beyond its first token, and signs out in every tab', async () => {
    // The first token ends so soon that the stream has to replace it at once.
    await app.query(`
      CREATE OR REPLACE FUNCTION first_token_is_short() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NOT EXISTS (SELECT FROM oauth_access_tokens) THEN NEW.expires_at := pharos_now() + interval '25 seconds'; END IF;
        RETURN NEW;
      END $$`)
    await app.query(`
      CREATE OR REPLACE TRIGGER first_token_is_short BEFORE INSERT ON oauth_access_tokens
      FOR EACH ROW EXECUTE FUNCTION first_token_is_short()`)
    const sockets: string[][] = []
    page().on('websocket', (socket) => {
      const frames: string[] = []
      sockets.push(frames)
      socket.on('framesent', ({ payload }) => frames.push(String(payload)))
    })

    await signIn('/chain?from=here')
    expect(addressOf(page())).toBe('/chain?from=here')
    await expect
      .poll(() => stored(page()))
      .toEqual({
        device: { 'pharos.signed_in': '1' },
        tab: { 'pharos.account': JSON.stringify({ id: app.owner.userId, name: email }) },
      })
    await expect.poll(() => sockets.flat().join('\n')).toContain('token.refresh')
    expect(sockets).toHaveLength(1)
    await app.finalize()
    await expect.poll(() => page().getByTestId('beacon-row').count()).toBe(2)
    expect(sockets).toHaveLength(1)

    // Tokens that are gone are replaced, on the API and on the stream.
    await app.query('DELETE FROM oauth_access_tokens')
    await page().getByRole('link', { name: 'Items', exact: true }).click()
    await page().getByText('No items yet').waitFor()
    await app.finalize()
    await page().getByRole('link', { name: 'Chain', exact: true }).click()
    await expect.poll(() => page().getByTestId('beacon-row').count()).toBe(3)

    await page().goto('/account/sessions')
    await expect
      .poll(() => page().getByTestId('session-row').allInnerTexts())
      .toEqual([expect.stringMatching(/^Chrome on Linux\nthis browser/)])
    expect(addressOf(page())).toBe('/account/sessions')

    const other = await page().context().newPage()
    await other.goto('/graphiql')
    await other.getByTestId('run').click()
    await expect.poll(() => other.getByTestId('result').innerText()).toMatch(/"hash"/)

    // A link with a key asks, also when the page has to sign in first.
    const grace = await app.account('grace')
    await other.goto(`/items#key=${grace.key}`)
    await expect
      .poll(() => other.getByTestId('account-choice').innerText())
      .toMatch(/signed in as ada \(ada@example\.com\).*as grace \(grace@example\.com\)/s)
    await other.getByTestId('stay').click()
    expect(JSON.stringify(await stored(other))).not.toContain('phk_')

    await signOut(page())
    await signedOut(page())
    await signedOut(other)
    // Taken back, the session goes on in this tab.
    await page().getByTestId('undo-sign-out').click()
    await signedIn(page())
    expect(await numberOf('oauth_sessions')).toBe(1)
    await signOut(page())
    await signedOut(page())
    // A page that is loaded again cannot take it back, and the service is told at once.
    await page().reload()
    await signedOut(page())
    await expect
      .poll(async () => [await numberOf('oauth_sessions'), await numberOf('oauth_access_tokens')])
      .toEqual([0, 0])
    const asked = authorizeRequests(other)
    await other.reload()
    await signedOut(other)
    const left = await stored(other)
    // What the public log has shown is no secret, and is kept to compare it with what it shows later.
    const { 'pharos.log': _, ...device } = left.device
    expect([asked, device, left.tab['pharos.sign_in_trip']]).toEqual([[], {}, undefined])
  })

  it('signs in again while the session lasts, and shows the sign-in page, once, when it has ended', async () => {
    await signIn('/items')
    // What the console was granted is gone, but not the session: it signs in again by itself.
    await app.query('DELETE FROM oauth_grants')
    await page().getByRole('link', { name: 'Webhooks' }).click()
    await expect.poll(() => numberOf('oauth_grants')).toBe(1)
    await page().getByTestId('no-endpoints').waitFor()
    await page().goBack()
    await signedIn(page())
    // A page that is open when the session ends may ask as well, sooner or later.
    await page().goto('about:blank')
    await app.query('DELETE FROM oauth_sessions')
    const asked = authorizeRequests(page())
    await page().goto('/items')
    await signedOut(page())
    expect([addressOf(page()), asked.length]).toEqual(['/items', 1])
    expect(await page().getByTestId('sign-in-message').innerText()).toMatch(
      /sign-in of this browser has ended/,
    )
    await page().reload()
    await signedOut(page())
    expect(asked).toHaveLength(1)
  })

  it('takes no answer to a question that this browser did not ask', async () => {
    await page().goto(`/signed-in?code=stolen&state=made-up&iss=${encodeURIComponent(app.base)}`)
    await signedOut(page())
    expect(await page().getByTestId('sign-in-message').innerText()).toMatch(/knows nothing/)
    expect(addressOf(page())).toBe('/')
    // A sign-in that was begun is not finished with another state.
    await page().getByTestId('sign-in-account').click()
    await page().getByLabel('Password').waitFor()
    await page().goto(`/signed-in?code=stolen&state=made-up&iss=${encodeURIComponent(app.base)}`)
    await expect
      .poll(() => page().getByTestId('sign-in-message').innerText())
      .toMatch(/does not belong to this sign-in/)
    expect(await stored(page())).toEqual({ device: {}, tab: {} })
  })
})
