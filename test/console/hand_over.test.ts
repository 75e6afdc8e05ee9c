// A new tab is signed in with the key of the tab that was used last, and no tab that is signed out gets it.
import { afterEach, expect, it, vi } from 'vitest'
import { type HandOver, openHandOver } from '../../console-web/src/session/hand_over.ts'

const opened: { tab: HandOver; channels: BroadcastChannel[] }[] = []
let ended: string[] = []
/** Names nobody else uses, because other tests of this process may open channels too. */
let browser = 0

afterEach(() => {
  for (const { tab, channels } of opened) {
    tab.offer(null)
    for (const channel of channels) channel.close()
  }
  opened.length = 0
  ended = []
  browser += 1
})

const openTab = (name: string, usedAt: number, locks: boolean): HandOver => {
  const channels: BroadcastChannel[] = []
  const held = lockNames(browser)
  const tab = openHandOver({
    channel: () => {
      const channel = new BroadcastChannel(`test.${browser}`)
      channels.push(channel)
      return channel
    },
    locks: locks ? held : null,
    usedAt: () => usedAt,
    ended: () => ended.push(name),
  })
  opened.push({ tab, channels })
  return tab
}

const counts = new Map<number, number>()
/** What a browser's lock manager tells of one shared lock. */
const lockNames = (of: number): Pick<LockManager, 'request' | 'query'> =>
  Object.assign(Object.create(null), {
    request: async (_name: string, _options: unknown, hold: () => Promise<void>) => {
      counts.set(of, (counts.get(of) ?? 0) + 1)
      await hold()
      counts.set(of, (counts.get(of) ?? 0) - 1)
    },
    query: async () => ({
      held: Array.from({ length: counts.get(of) ?? 0 }, () => ({ name: 'pharos.key', mode: 'shared' })),
    }),
  })

it.each([true, false])('the key comes from the tab that was used last (locks: %s)', async (locks) => {
  openTab('one', 100, locks).offer('phk_one')
  openTab('two', 300, locks).offer('phk_two')
  openTab('three', 200, locks).offer('phk_three')
  openTab('signed out', 400, locks)
  expect(await openTab('new', 0, locks).ask()).toBe('phk_two')
})

it('nobody waits where no tab has a key', async () => {
  const before = openTab('one', 100, true)
  before.offer('phk_one')
  before.offer(null)
  await expect.poll(() => counts.get(browser)).toBe(0)
  // No time goes by: whoever waits for a timer here waits for ever.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    expect(await openTab('new', 0, true).ask()).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

it('a tab that does not answer keeps nobody waiting for ever', async () => {
  openTab('one', 100, true).offer('phk_one')
  opened[0]?.channels[0]?.close()
  expect(await openTab('new', 0, true).ask()).toBeNull()
})

it('signing out ends the other tabs with the same key, and no others', async () => {
  openTab('one', 100, true).offer('phk_ada')
  openTab('two', 100, true).offer('phk_grace')
  const leaving = openTab('three', 100, true)
  leaving.offer('phk_ada')
  leaving.end('phk_ada')
  await expect.poll(() => ended).toEqual(['one'])
})
