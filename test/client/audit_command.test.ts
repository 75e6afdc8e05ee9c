// `pharos audit --from` on a folder and behind a plain server of files: what it says, and its exit codes.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { epochPath, SERIES_FOLDERS } from '../../shared/log/copy_files.ts'
import { openAnsweringServer } from '../support/answering_server.ts'
import { type LogFiles, makeLogCopy } from '../support/log_copy.ts'
import { runCommand } from '../support/server_process.ts'
import { type StaticServer, serveFolder } from '../support/static_server.ts'
import { expectMembers } from './frame/json_members.ts'
import { type Desk, openDesk } from './run_pharos.ts'

const copy = makeLogCopy({ size: 300, rotations: [7, 260], epochBlocks: 20 })

const ARTICLE = join(import.meta.dirname, '../../server/domain/knowledge/articles/log-copies.md')
const hasCurl = spawnSync('curl', ['--version']).status === 0

describe('pharos audit --from', () => {
  let desk: Desk
  let server: StaticServer
  const put = async (folder: string, files: LogFiles) => {
    for (const [path, bytes] of files) {
      await mkdir(dirname(join(desk.folder, folder, path)), { recursive: true })
      await writeFile(join(desk.folder, folder, path), bytes)
    }
  }
  const audit = (from: string, ...more: readonly string[]) => desk.pharos(['audit', '--from', from, ...more])

  beforeAll(async () => {
    desk = await openDesk()
    await put('copy', copy.files)
    await desk.put('policy', copy.policyFile)
    await desk.put('earlier', copy.checkpoint(100))
    server = await serveFolder(join(desk.folder, 'copy'))
  })
  afterAll(async () => {
    await server.close()
    await desk.clear()
  })

  it('passes for a sound folder, with a key or with a policy', async () => {
    const byKey = await audit('copy', '--key', copy.verifierKey, '--since', 'earlier')
    expect(byKey).toMatchObject({ code: 0, out: expect.stringContaining('The copy is sound.') })
    expect(byKey.out).toContain('300 blocks')
    expect(byKey.out).toContain('epochs/bitcoin: 14 epochs checked, 13 of them confirmed, up to height 260')
    const byPolicy = await audit('copy', '--policy', 'policy')
    expect(byPolicy).toMatchObject({ code: 0, out: expect.stringContaining('cosigned by first, second') })
  })

  it('passes behind a plain server of files', async () => {
    const ran = await audit(server.address, '--policy', 'policy', '--json')
    expect(ran.code).toBe(0)
    const outcome = JSON.parse(ran.out)
    expect(outcome).toMatchObject({ passed: true, size: 300, blocks: 300, keys: 3, findings: [] })
    expectMembers('audit', outcome)
  })

  it.skipIf(!hasCurl)('passes for what the program of the article has mirrored', async () => {
    const [, program = ''] = /```sh\n(# Mirrors a log .+?)```/s.exec(await readFile(ARTICLE, 'utf8')) ?? []
    const env = { PATH: process.env.PATH, LOG: server.address }
    await promisify(execFile)('bash', ['-c', program], { cwd: desk.folder, env })
    expect((await audit('mirror', '--policy', 'policy', '--require-epochs')).code).toBe(0)
  })

  it.skipIf(!hasCurl)(
    'the program of the article asks for every folder of epochs, and ends with 1 where a file cannot be had',
    async () => {
      const log = await openAnsweringServer()
      for (const [path, bytes] of copy.files) log.answers.set(`/${path}`, Buffer.from(bytes))
      for (const folder of SERIES_FOLDERS) log.answers.set(`/${epochPath(folder, 0)}`, '{}')
      const [, program = ''] = /```sh\n(# Mirrors a log .+?)```/s.exec(await readFile(ARTICLE, 'utf8')) ?? []
      const cwd = join(desk.folder, 'mirrors')
      await mkdir(cwd)
      const env = { PATH: process.env.PATH, LOG: log.address }
      const mirror = () => promisify(execFile)('bash', ['-c', program], { cwd, env })
      await mirror()
      for (const folder of SERIES_FOLDERS)
        expect(await readFile(join(cwd, 'mirror', epochPath(folder, 0)), 'utf8')).toBe('{}')
      const broken: RequestListener = (_, response) => {
        response.writeHead(200, { 'content-length': 9 }).write('{')
        setImmediate(() => response.destroy())
      }
      for (const [path, answer] of [
        ['/keyring.json', { status: 404 }],
        ['/tile/0/000', { status: 404 }],
        ['/epochs/bitcoin/1.json', { status: 429 }],
        ['/epochs/bitcoin/1.json', broken],
      ] as const) {
        const before = log.answers.get(path) ?? ''
        log.answers.set(path, answer)
        await expect(mirror()).rejects.toMatchObject({
          code: 1,
          stderr: expect.stringContaining(path.slice(1)),
        })
        log.answers.set(path, before)
      }
      await log.close()
    },
  )

  it('names keys of blocks after the checkpoint, and does not call a copy with them plainly sound', async () => {
    const later = makeLogCopy({ size: 400, rotations: [7, 260, 350] }).files.get('keyring.json')
    await put('later', new Map([...copy.files, ['keyring.json', later ?? new Uint8Array()] as const]))
    const ran = await audit('later', '--key', copy.verifierKey)
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('sound but for these keys') })
    expect(ran.out).toContain('1 key from height 350 on is not covered by this checkpoint')
    expect(ran.out).not.toContain('The copy is sound.')
    expect(JSON.parse((await audit('later', '--key', copy.verifierKey, '--json')).out)).toMatchObject({
      passed: true,
      keys: 3,
      keys_not_covered: [{ key_id: expect.stringMatching(/^[0-9a-f]{8}$/), introduced_at_height: 350 }],
    })
    // A log that goes on shows such a keyring while it is read. Nothing of the copy is missing.
    expect(await audit('later', '--key', copy.verifierKey, '--require-epochs')).toMatchObject(ran)
  })

  it('says no while nobody says whose log it is, unless that is wanted', async () => {
    expect(await audit('copy')).toMatchObject({
      code: 1,
      out: expect.stringContaining('whose log it is stays open'),
    })
    expect(JSON.parse((await audit('copy', '--json')).out)).toMatchObject({ passed: false, findings: [] })
    expect((await audit('copy', '--any-key')).code).toBe(0)
  })

  it('says when keyring or epochs are missing, and finds fault with that where they are required', async () => {
    const bare = new Map([...copy.files].filter(([path]) => !path.endsWith('.json')))
    await put('bare', bare)
    const ran = await audit('bare', '--key', copy.verifierKey)
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('sound as far as it goes') })
    expect(ran.out).not.toContain('The copy is sound.')
    for (const said of ['no keyring.json', 'no epochs']) expect(ran.err).toContain(said)
    const required = await audit('bare', '--key', copy.verifierKey, '--require-epochs')
    expect(required).toMatchObject({ code: 1, out: expect.stringContaining('The copy is NOT sound.') })
    for (const file of ['keyring.json', 'epochs/'])
      expect(required.out).toContain(`✗ ${file}: the file should be`)
    const whole = await audit('copy', '--key', copy.verifierKey, '--require-epochs')
    expect(whole).toMatchObject({
      code: 0,
      out: expect.stringContaining('no epoch covers the last 19 blocks'),
    })
  })

  it('names the file that is damaged', async () => {
    const file = 'tile/0/000'
    const damaged = (copy.files.get(file) ?? new Uint8Array()).slice()
    damaged[40] = (damaged[40] ?? 0) ^ 4
    await put('damaged', new Map([...copy.files, [file, damaged] as const]))
    const ran = await audit('damaged', '--key', copy.verifierKey)
    expect(ran).toMatchObject({ code: 1, out: expect.stringContaining('✗ tile/0/000: hash 1 should be') })
  })

  it('reads no device and waits at no pipe that stands in place of a file', async () => {
    await mkdir(join(desk.folder, 'strange/device'), { recursive: true })
    await mkdir(join(desk.folder, 'strange/pipe'))
    await symlink('/dev/zero', join(desk.folder, 'strange/device/checkpoint'))
    execFileSync('mkfifo', [join(desk.folder, 'strange/pipe/checkpoint')])
    for (const kind of ['device', 'pipe'])
      expect(await audit(`strange/${kind}`)).toMatchObject({
        code: 1,
        err: expect.stringContaining('checkpoint is not a regular file'),
      })
  })

  it('finds that a copy does not continue what was seen before', async () => {
    const other = makeLogCopy({ size: 200, rotations: [7], forkAt: 90 })
    await desk.put('elsewhere', other.checkpoint(200))
    const ran = await audit('copy', '--key', copy.verifierKey, '--since', 'elsewhere')
    expect(ran).toMatchObject({ code: 1, out: expect.stringContaining('the root at size 200') })
  })

  it('waits where a server asks for it, and follows no redirect', async () => {
    const busy = await openAnsweringServer()
    for (const [path, bytes] of copy.files) busy.answers.set(`/${path}`, Buffer.from(bytes))
    let asked = 0
    busy.answers.set('/checkpoint', (_, response) => {
      asked += 1
      if (asked === 1) response.writeHead(429, { 'retry-after': '0' }).end()
      else if (asked === 2) response.writeHead(503).end()
      else response.end(Buffer.from(copy.files.get('checkpoint') ?? []))
    })
    expect((await audit(busy.address, '--key', copy.verifierKey)).code).toBe(0)
    busy.answers.set('/checkpoint', (_, response) =>
      response.writeHead(302, { location: `${server.address}/checkpoint` }).end(),
    )
    expect(await audit(busy.address)).toMatchObject({
      code: 2,
      err: expect.stringContaining('Redirects are not followed'),
    })
    await busy.close()
  })

  it('says that it waits for a log whose budget is small, and goes on until it is done', async () => {
    const busy = await openAnsweringServer()
    let left = 0
    const refill = setInterval(() => {
      left = 9
    }, 1_000)
    for (const [path, bytes] of copy.files)
      busy.answers.set(`/${path}`, (_, response) => {
        left -= 1
        if (left >= 0) response.end(Buffer.from(bytes))
        else response.writeHead(429, { 'retry-after': '1' }).end()
      })
    const ran = await audit(busy.address, '--key', copy.verifierKey)
    clearInterval(refill)
    await busy.close()
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('The copy is sound.') })
    const said = ran.err.split('\n').filter((line) => line !== '')
    expect(said[0]).toBe(`! ${new URL(busy.address).host} asks for a pause: it goes on in 1 s.`)
    // Once a pause, however many files wait for it.
    expect(said.length).toBeLessThanOrEqual(busy.asked.length / 9)
  })

  it('is a command for operators too, who need no database for it', async () => {
    const words = ['audit', '--from', join(desk.folder, 'copy'), '--key', copy.verifierKey]
    expect(await runCommand(words, { DATA_DIR: join(desk.folder, 'nothing') })).toEqual({
      code: 0,
      said: expect.stringContaining('The copy is sound.'),
    })
  })

  it('ends with 2 for what is no copy, no key and no policy', async () => {
    expect((await audit('nowhere')).code).toBe(2)
    expect((await audit('copy', '--key', 'nonsense')).code).toBe(2)
    expect((await audit('copy', '--policy', 'earlier')).code).toBe(2)
    expect(await desk.pharos(['audit'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('npm run pharos -- audit'),
    })
  })
})
