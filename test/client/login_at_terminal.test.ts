// `pharos login` as a person at a terminal meets it: the browser opens by itself, and a key that is typed is not shown.
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openBrowserJar } from '../support/browser_jar.ts'
import { givePassword, signInAndConsent } from '../support/oauth.ts'
import { testApp } from '../support/test_app.ts'
import { atTerminal, hasTerminals } from './at_terminal.ts'
import { type Desk, openDesk } from './run_pharos.ts'

describe.skipIf(!hasTerminals)('pharos login at a terminal', { timeout: 120_000 }, () => {
  const app = testApp()
  let desk: Desk
  beforeEach(async () => {
    desk = await openDesk()
  })
  afterEach(() => desk.clear())

  it('opens the browser, says where to go when that does not work, and whose sign-in it was', async () => {
    // A person's browser is any program that is given an address.
    await desk.put('browser', '#!/bin/sh\necho "$1" > opened\n')
    await chmod(join(desk.folder, 'browser'), 0o755)
    const email = await givePassword(app, app.owner)
    const ran = atTerminal(desk, `pharos login --url ${app.base} --insecure-storage`, {
      env: { BROWSER: join(desk.folder, 'browser') },
    })
    const opened = () => readFile(join(desk.folder, 'opened'), 'utf8').catch(() => '')
    await expect.poll(opened, { timeout: 60_000 }).toContain('/oauth/authorize?')
    const url = (await opened()).trim()
    await fetch(await signInAndConsent(openBrowserJar(), url, { email }))
    const { code, shown } = await ran
    expect(code, shown).toBe(0)
    expect(shown.replaceAll(/\s/g, '')).toContain(url)
    expect(shown).toMatch(/If your browser does not open it[\s\S]*Signed in at/)
  })

  it('reads a key that is typed without showing it', async () => {
    const typed = { when: 'API key: ', text: `${app.owner.key}\r` }
    const words = `pharos login --url ${app.base} --with-key --insecure-storage`
    const { code, shown } = await atTerminal(desk, words, { typed })
    expect(code, shown).toBe(0)
    expect(shown).toMatch(/API key: [\s\S]*Signed in at/)
    expect(shown).not.toContain(app.owner.key)
    expect(shown).not.toContain(app.owner.key.slice(0, 12))
  })
})
