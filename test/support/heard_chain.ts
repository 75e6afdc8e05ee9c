// A chain that goes on in the hearing of a page, beyond what the service has: each block with its beacon, linked to the
// one before.
import type { Page } from 'playwright-core'
import type { TestApp } from './app.ts'
import { hearFurtherEvents } from './heard_events.ts'

export type Pace = {
  /** On the clock of the page. */
  readonly everyMs: number
  /** Blocks at once, each a millisecond after the one before. */
  readonly together: number
}

type Head = { readonly hash: string; readonly height: number }

declare global {
  interface Window {
    /** The newest block that the page was told of. */
    heardHead: Head
    /** Goes on from there, at another pace than before. */
    goOn: (pace: Pace) => void
  }
}

/** Between two pings of the server. */
const PING_MS = 25_000

export async function hearChain(page: Page, app: TestApp): Promise<void> {
  const [head] = await app.query<Head>(
    `SELECT encode(block_hash, 'hex') AS hash, height FROM blocks ORDER BY blocks.height DESC LIMIT 1`,
  )
  if (head === undefined) throw new Error('There is no block.')
  await hearFurtherEvents(page)
  await page.addInitScript(tellChain, { head: { ...head, height: Number(head.height) }, pingMs: PING_MS })
}

/** Evaluated in the page. */
function tellChain({ head, pingMs }: { head: Head; pingMs: number }): void {
  const told = (at: number): void => {
    const { hash: previous_hash, height } = window.heardHead
    const number = (height + 1).toString(16).padStart(8, '0')
    const hash = number.repeat(8)
    const time = at.toString(16).padStart(12, '0')
    const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-0000${number}`
    const timestamp = new Date(at).toISOString()
    const items = height % 4
    const block = {
      id,
      state: 'finalized',
      height: height + 1,
      block_hash: hash,
      leaf_count: items + 1,
      item_count: items,
      observation_count: 1,
      finalized_at: timestamp,
      committed_at: null,
    }
    window.hearEvent('block.finalized', { stream: 'blocks', at: timestamp, data: block })
    window.hearEvent('beacon.created', { id, hash, timestamp, previous_hash })
    window.heardHead = { hash, height: height + 1 }
  }
  let pace: ReturnType<typeof setInterval> | undefined
  let isPinged = false
  window.heardHead = head
  window.goOn = ({ everyMs, together }) => {
    // The pings of the server come by its own clock, on which too little time passes.
    if (!isPinged) setInterval(() => window.hearFrame('2'), pingMs)
    isPinged = true
    clearInterval(pace)
    pace = setInterval(() => {
      const now = Date.now()
      for (let block = 0; block < together; block += 1) told(now + block)
    }, everyMs)
  }
}
