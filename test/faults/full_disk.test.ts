// A database whose disk is full, or that is killed, takes the service's writes with it and nothing else: the server
// stays, says why, and goes on by itself once it can.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { superuserUrlOf } from '../../server/store/embedded/prepare_cluster.ts'
import { runProgram } from '../../server/store/embedded/run_program.ts'
import { withSession } from '../../server/store/session.ts'
import {
  afterwards,
  postmasterPid,
  startedFolder,
  temporaryFolder,
  undoAfterEach,
} from '../store/embedded_support.ts'
import { firstKey } from '../support/first_key.ts'
import { ask, eventually } from '../support/http.ts'
import { spawnServer } from '../support/server_process.ts'

undoAfterEach()

/** Readiness is remembered for a second. The rest is for a slow machine. */
const TOLD_WITHIN_MS = 8_000

let small: string
let dataDir: string
beforeEach(async () => {
  small = join(await temporaryFolder(), 'small')
  dataDir = join(small, 'data')
  await mkdir(small)
})

it('a full disk and a killed database cost no server: writes are 503 meanwhile, and come back by themselves', {
  timeout: 300_000,
}, async ({ skip }) => {
  const options = ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'small', small]
  const mounted = await runProgram('/bin/mount', options)
  if (!mounted.ok) skip(`a small file system cannot be mounted here: ${mounted.output || mounted.how}`)
  afterwards(() => runProgram('/bin/umount', ['-l', small]))
  await startedFolder(dataDir)
  const server = spawnServer({ DATA_DIR: dataDir, BLOCK_INTERVAL: '1s' })
  afterwards(async () => {
    server.kill('SIGTERM')
    await server.ended
  })
  const base = await server.ready
  const port = Number(new URL(base).port)
  const key = await firstKey(dataDir, base)
  const submit = () => ask(port, '/api/json/items', { method: 'POST', key, body: { json: ITEM } })
  const ready = async () => {
    const { status, json } = await ask(port, '/health/ready')
    return { status, ...Object(json()) }
  }
  const first = await submit()
  expect(first.status).toBe(201)

  const filler = join(small, 'filler')
  const fill = async (leave: number) => {
    const { bavail, bsize } = await statfs(small)
    // The service may take a part of it at the same time. Then it is full, too.
    await writeFile(filler, Buffer.alloc(bavail * bsize - leave)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOSPC') throw error
    })
  }
  // While the database lives on, it refuses what needs a new page.
  await fill(0)
  const refusedWrite = await eventually(async () => {
    const answer = await submit()
    return answer.status === 201 ? undefined : answer
  })
  expect([refusedWrite.status, refusedWrite.json()]).toEqual([503, UNAVAILABLE])
  const full = await eventually(async () => {
    const state = await ready()
    return state.status === 503 ? state : undefined
  }, TOLD_WITHIN_MS)
  expect(full).toMatchObject({ ready: false, reason: 'disk_full', database: 'disk_full' })
  expect((await ask(port, '/metrics')).text).toMatch(/^pharos_database_disk_full_total [1-9]/m)
  const lines = server.said().split('\n')
  for (const line of lines.filter((one) => one.includes('"code":"53100"'))) {
    expect(line.length).toBeLessThan(600)
    expect(line).not.toContain('stack')
  }
  expect(lines.filter((line) => line.includes('database.disk_full'))).toHaveLength(1)
  await rm(filler)
  await backAgain()

  await fill(100_000)
  await useUpLog()
  const away = await eventually(async () => {
    const state = await ready()
    return String(state.database_ended).includes('its disk is full') ? state : undefined
  })
  expect(away).toMatchObject({ status: 503, ready: false, database: 'unavailable' })
  const refused = await submit()
  expect([refused.status, refused.json()]).toEqual([503, UNAVAILABLE])

  await rm(filler)
  await backAgain()
  const { data }: { data: { id: string } } = JSON.parse(first.text)
  expect((await ask(port, `/api/json/items/${data.id}`, { key })).status).toBe(200)

  // The database can be back before `/health/ready`, which remembers for a second, has said that it was away.
  const killed = await postmasterPid(dataDir)
  process.kill(killed, 'SIGKILL')
  const answers = new Set<number>()
  await eventually(async () => {
    answers.add((await submit()).status)
    return (await postmasterPid(dataDir).catch(() => killed)) === killed ? undefined : true
  })
  expect([201, 503]).toEqual(expect.arrayContaining([...answers]))
  await backAgain()

  async function backAgain(): Promise<void> {
    await eventually(async () => ((await submit()).status === 201 ? true : undefined), 120_000)
    await eventually(async () => ((await ready()).ready === true ? true : undefined), 120_000)
  }
})

/** Large enough to need a page of its own. */
const ITEM = {
  data: {
    type: 'item',
    attributes: {
      claims: {
        name: 'a file',
        hash: 'ab'.repeat(32),
        hash_type: 'sha256',
        metadata: { note: randomBytes(6_000).toString('hex') },
      },
    },
  },
}

const UNAVAILABLE = expect.objectContaining({
  errors: [expect.objectContaining({ code: 'database_unavailable' })],
})

/** Begins new segments of the log until one finds no room, which ends the database. */
async function useUpLog(): Promise<void> {
  const password = (await readFile(join(dataDir, 'superuser_password'), 'utf8')).trim()
  const url = superuserUrlOf(await readFile(join(dataDir, 'database_url'), 'utf8'), password)
  await withSession(url, async (session) => {
    for (let segment = 0; segment < 100; segment += 1)
      await session.query('SELECT pg_switch_wal(), pg_current_xact_id()')
  }).catch(() => undefined)
}
