// `npm run smoke`: a stranger's first minute, on a fresh data folder: start, submit, see the block, audit, stop.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { firstKey } from '../support/first_key.ts'
import { freePort } from '../support/free_port.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const WAIT_MS = 60_000

const say = (line: string) => void process.stdout.write(`${line}\n`)

const dataDir = await mkdtemp(join(tmpdir(), 'pharos-smoke-'))
const port = await freePort()
const base = `http://localhost:${port}`
const settings = {
  ...process.env,
  DATA_DIR: dataDir,
  PORT: String(port),
  BLOCK_INTERVAL: '2s',
  ENTROPY_SOURCES: 'none',
  LOG_LEVEL: 'warn',
  STOP_DELAY: '0s',
}
const server = spawn(process.execPath, ['server/start.js', 'server/main.ts'], {
  cwd: ROOT,
  env: settings,
  stdio: ['ignore', 'ignore', 'pipe'],
})
server.stderr.pipe(process.stderr)
try {
  await until('the server is ready', async () => (await fetch(`${base}/health/ready`)).ok)
  const key = await firstKey(dataDir, base)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/vnd.api+json' }

  const page = await fetch(`${base}/`)
  if (!page.ok || !(await page.text()).includes('<script')) throw new Error('The console page is not served.')
  say('console page: served')

  const claims = { name: 'smoke', description: 'Recorded by the smoke test of the project.' }
  const created = await fetch(`${base}/api/json/items`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ data: { type: 'item', attributes: { claims } } }),
  })
  const { id } = z.object({ data: z.object({ id: z.string() }) }).parse(await created.json()).data
  say(`item: ${id}`)

  const item = z.object({ data: z.object({ attributes: z.object({ block_id: z.string() }) }) })
  const blockId = await until('the item is in a block', async () => {
    const answer = await fetch(`${base}/api/json/items/${id}`, { headers })
    return item.parse(await answer.json()).data.attributes.block_id
  })
  say(`block: ${blockId}`)
  await run('audit')
} finally {
  await stop(server)
  await rm(dataDir, { recursive: true, force: true })
}
say('smoke: good')

/** The first answer that is neither an error nor empty. */
async function until<T>(what: string, attempt: () => Promise<T>): Promise<T> {
  const ends = performance.now() + WAIT_MS
  for (let last: unknown; ; ) {
    try {
      const answer = await attempt()
      if (answer) return answer
    } catch (error) {
      last = error
    }
    if (performance.now() > ends) throw new Error(`Waited in vain until ${what}.`, { cause: last })
    await new Promise((next) => setTimeout(next, 100))
  }
}

async function run(command: string): Promise<void> {
  const child = spawn(process.execPath, ['server/start.js', 'server/cli.ts', command], {
    cwd: ROOT,
    env: settings,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${command} ended with ${code}`)
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
