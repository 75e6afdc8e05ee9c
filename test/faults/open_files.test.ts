// A server that may open few files: whatever number of clients connects, it keeps those that it needs itself.
import { rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'
import { ask, eventually } from '../support/http.ts'
import { TEST_MASTER_KEY } from '../support/master_key.ts'
import { type ServerProcess, spawnWithOpenFiles } from '../support/server_process.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'

const OPEN_FILES = 300

let database: TestDatabase
let server: ServerProcess
let port: number
let folder: string
beforeAll(async () => {
  database = await cloneDatabase()
  folder = await makeTemporaryFolder('pharos-open-files-')
  server = spawnWithOpenFiles(OPEN_FILES, {
    DATABASE_URL: database.url,
    MASTER_KEY: TEST_MASTER_KEY.toString('hex'),
    DATA_DIR: folder,
    BLOCK_INTERVAL: '1s',
  })
  port = Number(new URL(await server.ready).port)
})
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  await database.drop()
  await rm(folder, { recursive: true })
})

it('goes on making blocks while more clients hold connections than it has files, and has said so at its start', async () => {
  const before = await head()
  const clients: Socket[] = []
  let refused = 0
  for (let nth = 0; nth < 2 * OPEN_FILES; nth += 1) {
    const client = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (nth % 3)}` })
    client
      .on('error', () => undefined)
      .once('close', () => {
        refused += 1
      })
    clients.push(client)
  }
  await eventually(async () => ((await head()) >= before + 3 ? true : undefined), 20_000)
  expect(server.said()).not.toContain('EMFILE')
  expect(refused).toBeGreaterThanOrEqual(clients.length - OPEN_FILES / 2)
  expect(refused).toBeLessThan(clients.length)
  expect(server.said()).toContain('"msg":"connection.refused"')
  expect(server.said()).toMatch(
    /"connections":150,"setting":20000,"open_files":300,"advice":"Raise the limit/,
  )
  for (const client of clients) client.destroy()
})

/** By a connection that is kept. */
async function head(): Promise<number> {
  const answer: Readonly<Record<string, unknown>> = Object((await ask(port, '/health/ready')).json())
  return Number(answer.head_height)
}
