// `npm run pictures`: makes the picture of the console that `README.md` shows, from a service with a minute of blocks.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openBrowser } from '../support/browser.ts'
import { firstKey } from '../support/first_key.ts'
import { spawnServer } from '../support/server_process.ts'

const PICTURE = join(import.meta.dirname, 'now.png')
const VIEW = { width: 1_280, height: 800 } as const

/** Enough of them for a picture, and no two alike. */
const BLOCKS = 24
const BLOCK_MS = 2_000

const dataDir = await mkdtemp(join(tmpdir(), 'pharos-pictures-'))
const server = spawnServer({
  DATA_DIR: dataDir,
  BLOCK_INTERVAL: `${BLOCK_MS}ms`,
  PUBLIC_CHAINS: '',
  EPOCH_INTERVAL_EMBEDDED: '10s',
  LOG_LEVEL: 'warn',
})
const browser = await openBrowser()
try {
  const base = await server.ready
  const key = await firstKey(dataDir, base)
  const page = await browser.newPage({ viewport: VIEW, deviceScaleFactor: 2, colorScheme: 'light' })
  await page.goto(`${base}/#key=${key}`)
  for (let block = 0; block < BLOCKS; block += 1) {
    process.stderr.write(`\rblock ${block + 1} of ${BLOCKS}`)
    await submit(base, key, (block * 7) % 5)
    await pause(BLOCK_MS)
  }
  process.stderr.write('\n')
  await page.screenshot({ path: PICTURE })
  console.log(PICTURE)
} finally {
  await browser.close()
  server.kill('SIGTERM')
  await server.ended
  await rm(dataDir, { recursive: true, force: true })
}

async function submit(base: string, key: string, count: number): Promise<void> {
  for (let item = 0; item < count; item += 1) {
    const claims = {
      name: `contract-${item + 1}.pdf`,
      description: 'The contract as both sides have signed it.',
    }
    const answer = await fetch(`${base}/api/json/items`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: { type: 'item', attributes: { claims } } }),
    })
    if (!answer.ok) throw new Error(`The item was not accepted: ${await answer.text()}`)
  }
}
