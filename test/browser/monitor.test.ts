// The monitor on the first page, in a real browser against the real service.
import { beforeAll, describe, expect, it } from 'vitest'
import { consoleTab } from '../support/console_tab.ts'
import { hearFurtherEvents } from '../support/heard_events.ts'
import { makeResource } from '../support/make_resource.ts'
import { slowness } from '../support/slowness.ts'
import { testApp } from '../support/test_app.ts'
import { AXE_SCRIPT, axeFindings } from './gates/axe_findings.ts'

const app = testApp()
const { page, picture } = consoleTab(app, { keyOf: 'owner', viewport: { width: 1280, height: 800 } })
beforeAll(async () => {
  await app.finalize(6)
  await submit(3, ['alpha'])
  await app.finalize(1)
})

const submit = async (count: number, tags: readonly string[] = []): Promise<void> => {
  for (let made = 0; made < count; made += 1) {
    const claims = { name: `Thing ${made}`, hash: 'ab'.repeat(32), hash_type: 'sha256' }
    await makeResource(app, 'item', { claims, tags })
  }
}

const rows = () => page().getByTestId('monitor-row')
const list = () => page().getByTestId('monitor-list')
const panel = () => page().getByTestId('row-panel')
const named = (text: string) => rows().filter({ hasText: text }).first()

const open = async () => {
  await page().goto('/')
  await named('Block').waitFor()
  await named('Item handed in').waitFor()
  // The newest rows of each stream come from a read of their own.
  await page().waitForLoadState('networkidle')
}

const boxOf = async (what: string) => {
  const box = await page().locator(what).boundingBox()
  if (box === null) throw new Error(`${what} is not on the page`)
  return box
}

/** Names of the rows whose middle is inside the list and on the screen, with the place of each. */
const inSight = () =>
  page().evaluate(() => {
    const box = document.querySelector('.monitor-rows')?.getBoundingClientRect()
    return [...document.querySelectorAll('[data-testid=monitor-row]')].flatMap((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      const middle = (top + bottom) / 2
      const isSeen =
        box !== undefined && middle > box.top && middle < Math.min(box.bottom, window.innerHeight)
      return isSeen ? [`${row.getAttribute('data-name')} at ${Math.round(top)}`] : []
    })
  })

describe('the monitor', () => {
  it('shows a newcomer what has happened, in the order of time, and what happens now', async () => {
    await open()
    const times = await rows().evaluateAll((all) => all.map((row) => Number(row.dataset.name?.split('~')[2])))
    expect(times).toEqual([...times].sort((a, b) => b - a))
    await submit(1, ['just now'])
    await named('just now').waitFor()
    expect(await rows().first().innerText()).toContain('Item handed in')
    await app.finalize(1)
    await expect.poll(() => rows().first().innerText()).toMatch(/Item in a block|Block/)
    await picture('monitor')
  })

  it('has each block once, and every event as it was sent behind a switch', async () => {
    await open()
    const kinds = () => rows().evaluateAll((all) => all.map((row) => row.dataset.name?.split('~')[0] ?? ''))
    const [{ height } = { height: 0 }] = await app.query<{ height: number }>(
      'SELECT max(height)::int AS height FROM blocks',
    )
    const ofBlock = () => rows().filter({ hasText: `#${height}` })
    await expect.poll(() => ofBlock().count()).toBe(1)
    expect(await kinds()).not.toContain('beacon.created')
    expect(await page().getByTestId('stream-beacons').count()).toBe(0)
    await page().getByTestId('monitor-raw').click()
    await expect.poll(kinds).toContain('beacon.created')
    expect(await rows().filter({ hasText: 'block.finalized' }).count()).toBeGreaterThan(0)
    await page().getByTestId('stream-beacons').waitFor()
    await picture('monitor_raw')
    // The block's own row leads to its page.
    await page().getByTestId('monitor-raw').click()
    await ofBlock().click()
    await page().getByTestId('row-page').click()
    await page()
      .getByRole('heading', { level: 1 })
      .filter({ hasText: String(height) })
      .waitFor()
  })

  it('subscribes to no stream that is switched off, on the next visit neither', async () => {
    const commands: string[] = []
    page().on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        const command = /\["(subscribe|unsubscribe)",\{"stream":"(\w+)"/.exec(String(payload))
        if (command !== null) commands.push(`${command[1]} ${command[2]}`)
      }),
    )
    await open()
    await expect.poll(() => commands.length).toBe(6)
    // The picture of the chain follows the items, too, so that their rows are hidden is all that can be seen.
    await page().getByTestId('stream-items').click()
    const ofItems = page().locator('[data-testid=monitor-row][data-stream=items]')
    await expect.poll(() => ofItems.count()).toBe(0)
    const deliveries = page().getByTestId('stream-webhook_deliveries')
    await deliveries.click()
    await expect.poll(() => commands).toContain('unsubscribe webhook_deliveries')
    commands.length = 0
    await page().reload()
    await named('Block').waitFor()
    await expect.poll(() => commands.length).toBe(5)
    expect(commands).not.toContain('subscribe webhook_deliveries')
    expect(await deliveries.getAttribute('aria-checked')).toBe('false')
    await deliveries.click()
    await expect.poll(() => commands).toContain('subscribe webhook_deliveries')
    await page().getByTestId('stream-items').click()
    await named('Item handed in').waitFor()
  })

  it('names the rounds in a block beside its row, which no stream tells of', async () => {
    const stamped = await fetch(`${app.base}/stamp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ digests: [{ type: 'sha256', value: 'ab'.repeat(32) }] }),
    })
    expect(stamped.status).toBe(200)
    const [round] = await app.query<{ number: string }>('SELECT number::text FROM aggregation_rounds')
    await open()
    await app.finalize(1)
    const [block] = await app.query<{ height: number }>('SELECT max(height)::int AS height FROM blocks')
    await named(`#${block?.height}`).click()
    const words = `Round ${Number(round?.number).toLocaleString('en-US')}: 1 digest stamped without an account`
    await panel().getByText(words).click()
    await page().getByRole('heading', { level: 1 }).waitFor()
    expect(new URL(page().url()).pathname).toMatch(/^\/items\//)
  })

  it('shows a row beside the list, names it in the address, and Back closes it', async () => {
    await open()
    await named('Item handed in').click()
    await panel().getByText('Payload').waitFor()
    const [beside, rowsBox] = [await boxOf('.row-panel'), await boxOf('.monitor-rows')]
    await picture('monitor_open')
    expect(beside.x).toBeGreaterThanOrEqual(rowsBox.x + rowsBox.width)
    expect(new URL(page().url()).searchParams.get('event')).toMatch(/^item\.created~/)
    const words = await panel().innerText()
    expect(words).toContain('claims_hash')
    expect(words).toContain('getItem(id:')
    expect(words).toContain('$PHAROS_API_KEY')
    expect(words).not.toContain(app.owner.key)
    await panel().getByRole('checkbox').check()
    expect(await panel().innerText()).toContain(app.owner.key)
    const saving = page().waitForEvent('download')
    await page().getByTestId('row-save').click()
    expect((await saving).suggestedFilename()).toBe('item.created.json')
    // The address alone leads back to it.
    await page().reload()
    await panel().getByText('claims_hash').waitFor()
    await page().goto('/')
    await named('Block').click()
    await panel().waitFor()
    await page().goBack()
    await panel().waitFor({ state: 'detached' })
    expect(page().url()).not.toContain('event=')
  })

  it('is worked by keys alone', async () => {
    await open()
    const active = () =>
      page().locator('[data-testid=monitor-row][data-active=true]').getAttribute('data-name')
    const all = await rows().evaluateAll((found) => found.map((row) => row.dataset.name))
    await list().focus()
    await page().keyboard.press('ArrowDown')
    expect(await active()).toBe(all[0])
    await page().keyboard.press('j')
    await page().keyboard.press('ArrowDown')
    await page().keyboard.press('k')
    expect(await active()).toBe(all[1])
    await page().keyboard.press('End')
    const isLast = () =>
      page()
        .locator('[data-testid=monitor-row][data-active=true]')
        .evaluate((row) => row.getAttribute('aria-posinset') === row.getAttribute('aria-setsize'))
    await expect.poll(isLast).toBe(true)
    await page().keyboard.press('Home')
    expect(await active()).toBe(all[0])
    await page().keyboard.press('Enter')
    await panel().waitFor()
    await page().keyboard.press('ArrowDown')
    await expect.poll(() => new URL(page().url()).searchParams.get('event')).toBe(all[1])
    await page().keyboard.press('Escape')
    await panel().waitFor({ state: 'detached' })
    expect(await active()).toBe(all[1])
    await page().keyboard.press(' ')
    expect(await page().getByTestId('pause').getAttribute('aria-pressed')).toBe('true')
    await page().keyboard.press(' ')
    expect(await page().getByTestId('pause').getAttribute('aria-pressed')).toBe('false')
  })

  it('can be read by everybody: with fresh rows, with a row open, on a phone', async () => {
    await page().addInitScript(AXE_SCRIPT)
    await open()
    // A row is fresh for a moment only.
    for (const colorScheme of ['light', 'dark'] as const) {
      await page().emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await Promise.all([page().locator('[data-fresh=true]').first().waitFor(), submit(1)])
      expect(await axeFindings(page())).toEqual([])
    }
    await named('Item handed in').click()
    await panel().getByText('Payload').waitFor()
    expect(await axeFindings(page())).toEqual([])
    await page().keyboard.press('Escape')
    await panel().waitFor({ state: 'detached' })
    await page().setViewportSize({ width: 390, height: 844 })
    await named('Item handed in').click()
    await panel().getByText('Payload').waitFor()
    await page().emulateMedia({ colorScheme: 'dark' })
    expect(await axeFindings(page())).toEqual([])
    const [below, rowsBox] = [await boxOf('.row-panel'), await boxOf('.monitor-rows')]
    expect(below.y).toBeGreaterThanOrEqual(rowsBox.y + rowsBox.height)
    expect(await inSight()).toHaveLength(4)
  })

  it('opens a burst where it stands, and pushes only what is below it', async () => {
    await hearFurtherEvents(page())
    await page().addInitScript(AXE_SCRIPT)
    await open()
    await page().getByTestId('pause').click()
    const at = new Date().toISOString()
    await page().evaluate(
      (time) =>
        window.hearEvent('items.burst', {
          count: 412,
          window_ms: 1_000,
          first_at: time,
          last_at: time,
          by_kind: { 'item.created': 400, 'item.redacted': 12 },
          latest: { kind: 'item.created', at: time, data: { id: '01MB78W7FGY7TZHKNWE7WA3Z57' } },
        }),
      at,
    )
    await page().getByTestId('new-count').click()
    const burst = named('412 events')
    await burst.waitFor()
    const below = async (): Promise<number> => {
      const [box, next] = await Promise.all([burst.boundingBox(), rows().nth(1).boundingBox()])
      return (next?.y ?? 0) - (box?.y ?? 0)
    }
    expect(await below()).toBe(34)
    await burst.click()
    await panel().getByText('Payload').waitFor()
    expect(await burst.locator('.burst-line').allInnerTexts()).toEqual(
      ['item.created 400', 'item.redacted 12'].map((text) =>
        expect.stringMatching(text.replace(' ', '\\s*')),
      ),
    )
    expect(await below()).toBe(3 * 34)
    expect(await panel().getByTestId('row-times').getAttribute('href')).toBe(
      `/items?${new URLSearchParams({ from: at.slice(0, 16), to: at.slice(0, 16) })}`,
    )
    expect((await axeFindings(page())).filter((finding) => /monitor|burst/.test(finding))).toEqual([])
    await burst.click()
    await panel().waitFor({ state: 'detached' })
    expect(await below()).toBe(34)
  })

  it('has six rows on the first screen of a small display, and four on that of a phone, one on the narrowest, whose time and name are not cut', async () => {
    for (const [width, height, least] of [
      [1024, 768, 6],
      [390, 844, 4],
      [320, 720, 1],
    ] as const) {
      await page().setViewportSize({ width, height })
      await page().goto('/')
      await named('Block').waitFor()
      await page().evaluate(() => window.scrollTo(0, 0))
      const inTheWay = await page().evaluate(() => {
        const seen = [...document.querySelectorAll('[data-testid=monitor-row]')].filter((row) => {
          const { left, top, width, height } = row.getBoundingClientRect()
          const there = document.elementFromPoint(left + width / 2, top + height - 4)
          return there !== null && row.contains(there)
        })
        return seen.length
      })
      expect(inTheWay).toBeGreaterThanOrEqual(least)
    }
    await rows().first().scrollIntoViewIfNeeded()
    const parts = await rows()
      .first()
      .evaluate((row) =>
        [row, ...row.querySelectorAll('time, .monitor-name')].map((part) => {
          const { left, right, width } = part.getBoundingClientRect()
          return width > 0 && left >= 0 && right <= 320 && part.scrollWidth <= part.clientWidth
        }),
      )
    expect(parts).toEqual([true, true, true])
    expect(await page().evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
})

declare global {
  interface Window {
    /** Items `first` to `last`, in portions between which the page can work. */
    hearItems: (first: number, last: number, portion: number) => Promise<void>
  }
}

const hearItems = async (): Promise<void> => {
  await hearFurtherEvents(page())
  await page().addInitScript(() => {
    const told = (number: number): void => {
      const time = new Date(Date.UTC(2027, 0, 1) + number).toISOString()
      const data = {
        id: `01MB78W7FGY7TZHKN${String(number).padStart(9, '0')}`,
        state: 'created',
        visibility: 'private',
        claims_hash: 'ab'.repeat(32),
        metadata_hash: 'cd'.repeat(32),
        item_hash: number.toString(16).padStart(64, '0'),
        tags: [`tag-${number % 1_000}`],
        inserted_at: time,
        committed_at: null,
      }
      window.hearEvent('item.created', { stream: 'items', at: time, data })
    }
    window.hearItems = async (first, last, portion) => {
      for (let number = first; number < last; ) {
        const end = Math.min(last, number + portion)
        for (; number < end; number += 1) told(number)
        await new Promise((resolve) => setTimeout(resolve, 0))
      }
    }
  })
}

const hear = (first: number, last: number, portion = 500): Promise<void> =>
  page().evaluate((given) => window.hearItems(...given), [first, last, portion] as const)

/** Milliseconds of its own CPU time that the page has worked so far: what else this machine does is not counted. */
const watchWork = async (): Promise<() => Promise<number>> => {
  const cdp = await page().context().newCDPSession(page())
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
  }
}

const total = async (): Promise<number> => Number(await rows().first().getAttribute('aria-setsize'))

describe('ten thousand rows', () => {
  it('move nothing that is read, hold still when asked, are found by text, and keep the page quick', async () => {
    await hearItems()
    await open()
    const spentMs = await watchWork()
    // The page works off a thousand rows that come in fifty portions, and displays them.
    const workOf = async (from: number): Promise<number> => {
      const before = await spentMs()
      await hear(from, from + 1_000, 20)
      const newest = String(from + 999).padStart(9, '0')
      await expect.poll(() => rows().first().getAttribute('data-name')).toContain(newest)
      return (await spentMs()) - before
    }
    const few = Math.min(await workOf(0), await workOf(1_000))
    await hear(2_000, 12_000)
    await expect.poll(total).toBe(10_000)
    const many = Math.min(await workOf(12_000), await workOf(13_000))
    // Sorting and measuring all rows at each portion is a part of this, and has to stay a small one.
    expect(many).toBeLessThan(few * 4 + 150 * slowness())

    // Somebody reads in the middle, and further rows come above.
    await page()
      .locator('.monitor-rows')
      .evaluate((box) => {
        box.scrollTop = 4_000 * 34 + 11
      })
    await expect.poll(() => rows().first().getAttribute('aria-posinset').then(Number)).toBeGreaterThan(3_900)
    const read = await inSight()
    expect(read.length).toBeGreaterThan(4)
    const before = await rows().first().getAttribute('aria-posinset').then(Number)
    await hear(14_000, 15_000, 20)
    await expect.poll(() => rows().first().getAttribute('aria-posinset').then(Number)).toBe(before + 1_000)
    expect(await inSight()).toEqual(read)

    // The list is held: the count is exact, and nothing moves.
    await page().getByTestId('pause').click()
    await hear(15_000, 15_500)
    await expect.poll(() => page().getByTestId('new-count').innerText()).toBe('500 new')
    expect(await inSight()).toEqual(read)
    await page().getByTestId('new-count').click()
    await expect.poll(() => rows().first().innerText()).toContain('tag-499')
    await page().getByTestId('pause').click()
    await list().focus()
    await page().keyboard.press('End')
    await page().getByText('keeps the newest 10,000 rows').waitFor()

    // One row of all is found by its hash, and a rare tag on a hundred.
    await page().getByTestId('monitor-text').fill((9_000).toString(16).padStart(64, '0'))
    await expect.poll(() => rows().count()).toBe(1)
    expect(await rows().first().innerText()).toContain('tag-0')
    await page().getByTestId('monitor-text').fill('tag-777')
    await expect.poll(total).toBe(10)
  })
})
