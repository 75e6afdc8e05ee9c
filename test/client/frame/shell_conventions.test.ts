// What every command has in common, as a shell meets it: which stream says what, -q, colours, interrupts, binary answers.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quoted } from '../../../server/client/files.ts'
import { Complaint, openTerminal, quieted, sayDocument, sayRow } from '../../../shared/cli/terminal.ts'
import { openAnsweringServer } from '../../support/answering_server.ts'
import { freePort } from '../../support/free_port.ts'
import { vectorBundle, vectorKeyring } from '../bundles.ts'
import { type Desk, openDesk } from '../run_pharos.ts'

/** Imported before a program, it writes down each connection that the program begins. */
const NOTES_CONNECTIONS = `
  import { appendFileSync } from 'node:fs'
  import { Socket } from 'node:net'
  const { connect } = Socket.prototype
  Socket.prototype.connect = function (...args) {
    appendFileSync('connections', 'one ')
    return connect.apply(this, args)
  }`

describe('a command', () => {
  let desk: Desk
  beforeAll(async () => {
    desk = await openDesk()
  })
  afterAll(() => desk.clear())

  it('puts its answer on standard output, and what is wrong on standard error', async () => {
    const help = await desk.pharos(['help'])
    expect(help).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^Usage: node pharos\.mjs /) })
    const wrong = await desk.pharos(['verify', 'missing'])
    expect(wrong).toEqual({
      code: 2,
      out: '',
      err: 'pharos: There is no file missing.\nnode pharos.mjs verify --help\n',
    })
  })

  it('with -q says nothing at all, and ends with the same code', async () => {
    for (const args of [
      ['verify', 'missing', '-q'],
      ['keyring', 'remove', 'missing', '--quiet'],
      ['verify', '--no-such-option', '-q'],
      ['no-such-command', '-q'],
    ]) {
      const loud = await desk.pharos(args.slice(0, -1))
      expect(loud.err).not.toBe('')
      expect(await desk.pharos(args)).toEqual({ code: loud.code, out: '', err: '' })
    }
    for (const args of [
      ['config', 'path'],
      ['keyring', 'list', '--json'],
      ['profile', 'ls'],
    ])
      expect(await desk.pharos([...args, '-q'])).toEqual({ code: 0, out: '', err: '' })
    // It would wait for somebody who does not know where to go.
    expect(await desk.pharos(['login', '-q', '--insecure-storage'])).toMatchObject({ code: 2 })
  })

  it('that needs to ask nobody asks nobody: nothing counts its users or looks for a newer one', async () => {
    await desk.put('item.json', vectorBundle('item').json)
    await desk.put('keyring.json', vectorKeyring)
    await desk.put('notes.mjs', NOTES_CONNECTIONS)
    const connections = async (args: readonly string[], env: Record<string, string> = {}) => {
      await desk.put('connections', '')
      const { code } = await desk.pharos(args, {
        env: { ...env, NODE_OPTIONS: '--import ./notes.mjs' },
      })
      return { code, made: await readFile(join(desk.folder, 'connections'), 'utf8') }
    }
    const nobody = { PHAROS_URL: `http://127.0.0.1:${await freePort()}`, PHAROS_API_KEY: 'phk_x' }
    expect(await connections(['whoami'], nobody)).toMatchObject({
      code: 2,
      made: expect.stringMatching(/one/),
    })
    for (const args of [
      ['help'],
      ['--version'],
      ['completion', 'bash'],
      ['config', 'path'],
      ['profile', 'ls'],
      ['keyring', 'list'],
      ['info', 'item.json'],
      ['verify', '--offline', '--keyring', 'keyring.json', 'item.json'],
    ])
      expect(await connections(args, nobody), args.join(' ')).toMatchObject({ code: 0, made: '' })
  })

  it('prints its own name in a way that a shell reads as it is', async () => {
    await mkdir(join(desk.folder, 'my dir'))
    await copyFile(join(desk.folder, 'pharos.mjs'), join(desk.folder, 'my dir', 'pharos.mjs'))
    const { stdout } = spawnSync(process.execPath, ['my dir/pharos.mjs', 'help'], {
      cwd: desk.folder,
      encoding: 'utf8',
    })
    expect(stdout).toMatch(/^Usage: node 'my dir\/pharos\.mjs' /)
    expect(['a.txt', '-x.txt', '- x', "it's"].map(quoted)).toEqual([
      ...['a.txt', './-x.txt', "'./- x'", "'it'\\''s'"],
    ])
  })

  it('that is for operators says where it is', async () => {
    const { code, err } = await desk.pharos(['user', 'list'])
    expect(code).toBe(2)
    expect(err).toContain('npm run pharos -- user list')
  })

  it('ends with 130 when it is interrupted', async () => {
    const silent = await openAnsweringServer()
    // Never answers, so that the monitor is in the middle of something for as long as the test wants.
    const asked = new Promise<void>((reached) => silent.answers.set('/log/checkpoint', () => reached()))
    const child = spawn(process.execPath, ['pharos.mjs', 'watch', `${silent.address}/log`], {
      cwd: desk.folder,
      env: { PATH: process.env.PATH, HOME: desk.folder },
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    try {
      await asked
      child.kill('SIGINT')
      expect(await ended).toEqual([130, null])
    } finally {
      child.kill('SIGKILL')
      await silent.close()
    }
  })
})

describe('what is printed', () => {
  /** A stream that says of itself whether it is a terminal, and keeps what is written. */
  const stream = (isTTY: boolean) => {
    const written: (string | Uint8Array)[] = []
    return { isTTY, written, write: (chunk: string | Uint8Array) => void written.push(chunk) }
  }
  const CBOR = Buffer.from('d9d9f7a0', 'hex')

  it('as bytes goes to a file or a pipe as it is, and to a terminal only where it is text', () => {
    const pipe = stream(false)
    openTerminal(pipe, stream(true), {}).write(CBOR)
    expect(pipe.written).toEqual([CBOR])
    const screen = stream(true)
    const { write } = openTerminal(screen, stream(true), {})
    for (const binary of [CBOR, Buffer.from('clear\x1b[2Jed')]) expect(() => write(binary)).toThrow(Complaint)
    const text = Buffer.from('{\n\t"name": "Größe"\r\n}\n')
    write(text)
    expect(screen.written).toEqual([text])
  })

  it('has colours and progress on a terminal alone, and no colours with NO_COLOR or on a dumb one', () => {
    const on = (isTTY: boolean, env: NodeJS.ProcessEnv) => openTerminal(stream(isTTY), stream(isTTY), env)
    expect(on(true, {}).paint.red('no')).toBe('\x1b[31mno\x1b[0m')
    expect(on(true, {}).progress).toBeDefined()
    expect(on(true, { NO_COLOR: '1' }).progress).toBeDefined()
    for (const plain of [on(false, {}), on(true, { NO_COLOR: '1' }), on(true, { TERM: 'dumb' })])
      expect(plain.paint.red('no')).toBe('no')
    for (const still of [on(false, {}), on(true, { TERM: 'dumb' })]) expect(still.progress).toBeUndefined()
  })

  it('begins where a line of progress stood, and names of others steer nothing in it', () => {
    const screen = stream(true)
    const { say, note, progress } = openTerminal(screen, screen, {})
    progress?.('1200 entries of \x1b[2J')
    say('changed')
    say('missing')
    progress?.('1300 entries')
    note('left out')
    expect(screen.written.join('')).toBe(
      '\r\x1b[2K1200 entries of \u{fffd}[2J\r\x1b[2Kchanged\nmissing\n\r\x1b[2K1300 entries\r\x1b[2Kleft out\n',
    )
  })

  it('as JSON steers no terminal, and reads as what it was', () => {
    const named = { 'photos/\x9b2J\u202e': ['\x7f', 'Größe\n'] }
    for (const sayJson of [sayDocument, sayRow]) {
      const out = stream(false)
      sayJson(openTerminal(out, stream(false), {}), named)
      const text = out.written.join('')
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
      expect(JSON.parse(text)).toEqual(named)
    }
  })

  it('is nothing with -q but the bytes that -o - asks for', () => {
    const [out, err] = [stream(false), stream(true)]
    const { say, note, progress, write } = quieted(openTerminal(out, err, {}))
    say('valid')
    note('by the way')
    expect(progress).toBeUndefined()
    write(CBOR)
    expect([out.written, err.written]).toEqual([[CBOR], []])
  })
})
