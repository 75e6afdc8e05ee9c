// Signs the command line in as a person does who has no terminal: it prints where to go, and a browser without a screen goes
// there and comes back to it.

import type { TestAccount, TestApp } from '../support/app.ts'
import { type BrowserJar, openBrowserJar } from '../support/browser_jar.ts'
import { givePassword, type Person, signInAndConsent } from '../support/oauth.ts'
import type { Desk, Ran, RunOptions } from './run_pharos.ts'

export interface LogIn {
  readonly account?: TestAccount
  readonly args?: readonly string[]
  readonly env?: RunOptions['env']
  readonly without?: Person['without']
  /** Does something else than to allow it. Returns where the browser is sent then. */
  readonly answer?: (browser: BrowserJar, url: URL, email: string) => Promise<URL>
}

export interface LoggedIn extends Ran {
  /** What the browser shows at last. */
  readonly shown: string
  readonly url: URL
}

export async function logIn(
  desk: Desk,
  app: Pick<TestApp, 'base' | 'owner' | 'query'>,
  {
    account = app.owner,
    args = ['--insecure-storage'],
    env = {},
    without = [],
    answer = allow(without),
  }: LogIn = {},
): Promise<LoggedIn> {
  const email = await givePassword(app, account)
  const { promise: told, resolve, reject } = Promise.withResolvers<URL>()
  const ran = desk.pharos(['login', '--url', app.base, ...args], {
    env,
    heard: (text) => resolve(new URL((JSON.parse(text) as { url: string }).url)),
  })
  // It may end without having told anything.
  void ran.then(({ err }) => reject(new Error(err)))
  const url = await told
  const back = await answer(openBrowserJar(), url, email)
  const shown = await (await fetch(back)).text()
  return { ...(await ran), shown, url }
}

const allow =
  (without: readonly string[]) =>
  (browser: BrowserJar, url: URL, email: string): Promise<URL> =>
    signInAndConsent(browser, url, { email, without })
