// The programs that the article on beacons prints, as it prints them: they follow the chain across lost connections.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { streams } from '../../../shared/wire/console_stream.ts'
import { eventually } from '../../support/http.ts'
import { listenForRelay, relay } from '../../support/relay.ts'
import { testApp } from '../../support/test_app.ts'
import { insertBlocks } from '../../surfaces/jsonapi/crowd.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const ARTICLE = readFileSync(join(ROOT, 'server/domain/knowledge/articles/beacons.md'), 'utf8')

const app = testApp()
/** Between the programs and the service. */
let between: Awaited<ReturnType<typeof listenForRelay>>
const sockets = new Set<Socket>()
/** Connections that the programs have opened so far. */
let opened = 0
const children: ChildProcess[] = []
const folder = mkdtempSync(join(tmpdir(), 'pharos-streams-'))
beforeAll(async () => {
  between = await listenForRelay((client) => {
    opened += 1
    relay(client, app.port, sockets)
  })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  for (const socket of sockets) socket.destroy()
  between.server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs the program for this library. Returns what it has said so far. */
function run(library: string, after: string, key = app.owner.key) {
  const code = new RegExp(`\`\`\`js ${library}\\n([\\s\\S]*?)\`\`\``).exec(ARTICLE)?.[1]
  writeFileSync(join(folder, `${library}.mjs`), code ?? expect.fail(`no program for ${library}`))
  const env = {
    ...process.env,
    PHAROS: `http://127.0.0.1:${between.port}`,
    PHAROS_KEY: key,
    NODE_OPTIONS: '',
  }
  const child = spawn(process.execPath, [`${library}.mjs`, after], { cwd: folder, env })
  children.push(child)
  const said = { out: '', err: '', over: false }
  child.once('exit', () => {
    said.over = true
  })
  child.stdout.on('data', (piece: Buffer) => {
    said.out += piece.toString()
  })
  child.stderr.on('data', (piece: Buffer) => {
    said.err += piece.toString()
  })
  return said
}

it('the one for GraphQL that is told no place loses nothing when its connection is cut before the first beacon', async () => {
  const said = run('graphql-ws', '')
  // One to ask for the newest, and one that is the stream.
  await eventually(() => opened === 2 || undefined)
  for (const socket of sockets) socket.destroy()
  await app.finalize(2)
  const made = await app.query<{ id: string }>('SELECT id FROM blocks ORDER BY height DESC LIMIT 2')
  await expect.poll(() => said.out.match(/^\S+/gm)).toEqual(made.map(({ id }) => id).toReversed())
  expect(said.err).toContain('1006')
})

it('each begins where it is told, and misses and repeats nothing while its connection is cut again and again', async () => {
  const chain = async () => {
    const rows = await app.query<{ line: string }>(
      `SELECT id || ' ' || encode(block_hash, 'hex') AS line FROM blocks ORDER BY height`,
    )
    return rows.map(({ line }) => line)
  }
  await insertBlocks(app.query, 299)
  await app.finalize()
  const [genesis = ''] = (await chain())[0]?.split(' ') ?? []
  const said = ['socket.io-client', 'graphql-ws'].map((library) => run(library, genesis))
  const expectFollowed = async () => {
    const expected = (await chain()).slice(1)
    await expect
      .poll(() => said.map(({ out }) => out.trim().split('\n')), { timeout: 60_000 })
      .toEqual([expected, expected])
  }
  await expectFollowed()
  for (let cuts = 0; cuts < 2; cuts += 1) {
    for (const socket of sockets) socket.destroy()
    await app.finalize(3)
    await expectFollowed()
  }
})

it('each says why it was refused', async () => {
  const byIo = run('socket.io-client', '', 'phk_nobody')
  const byGraphql = run('graphql-ws', 'a-place', 'phk_nobody')
  await eventually(() => /status: 401, code: 'unauthorized'/.test(byIo.err) || undefined)
  await eventually(() => /4403[\s\S]*unauthorized: /.test(byGraphql.err) || undefined)
  await eventually(() => byIo.over || undefined)
  const withoutPlace = run('graphql-ws', '', 'phk_nobody')
  await eventually(() => (withoutPlace.over && /"unauthorized"/.test(withoutPlace.err)) || undefined)
})

it('the article names every stream and its events', () => {
  for (const [name, { events }] of Object.entries(streams))
    for (const word of [name, ...events]) expect(ARTICLE).toContain(`\`${word}\``)
})
