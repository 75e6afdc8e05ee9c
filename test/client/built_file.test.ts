// The committed command line is made from the sources beside it, needs nothing but Node, and installs as a package.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BUILT_FILE, BUILT_FOLDER, builtFiles, READABLE_FILE } from '../../server/client/build.ts'

const run = promisify(execFile)

describe('the built command line', { timeout: 120_000 }, () => {
  it('is what the sources make: run `node server/start.js server/client/build.ts` when this fails', async () => {
    const made = await builtFiles()
    expect((await readdir(BUILT_FOLDER)).sort()).toEqual(Object.keys(made).sort())
    const others = await Promise.all(
      Object.entries(made).map(async ([name, text]) =>
        text === (await readFile(join(BUILT_FOLDER, name), 'utf8')) ? [] : [name],
      ),
    )
    expect(others.flat()).toEqual([])
  })

  it('has at most 900 KB', async () => {
    expect((await stat(BUILT_FILE)).size).toBeLessThanOrEqual(900_000)
  })

  it('keeps the licence of every package that is in it', async () => {
    const readable = await readFile(READABLE_FILE, 'utf8')
    const folders = new Set(readable.match(/node_modules\/(?:@[\w-]+\/)?[\w-]+(?=\/)/g))
    expect(folders.size).toBeGreaterThan(1)
    for (const folder of folders) {
      const name = (await readdir(folder)).find((file) => /^license/i.test(file)) ?? 'no licence'
      const license = (await readFile(join(folder, name), 'utf8')).trim()
      for (const file of [readable, await readFile(BUILT_FILE, 'utf8')]) expect(file).toContain(license)
    }
  })

  it.each([BUILT_FILE, READABLE_FILE])(
    'may be run, and imports only what every Node has: %s',
    async (file) => {
      expect((await stat(file)).mode & 0o111).toBe(0o111)
      const text = await readFile(file, 'utf8')
      expect(text.startsWith('#!/usr/bin/env node\n')).toBe(true)
      const imported = [...text.matchAll(/(?:^|;)import\b[^'"]*["']([^"']+)/gm)].map(([, name]) => name)
      expect(imported.length).toBeGreaterThan(0)
      expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual([])
      expect(text).not.toMatch(/\brequire\(|\bimport\((?!["'`]node:)/)
      // With it comes all that fetch is made of, which is a third of a start.
      expect(imported).not.toContain('node:http')
    },
  )
})

it('is what npx runs in a checkout', { timeout: 60_000 }, async () => {
  const env = { PATH: process.env.PATH ?? '', HOME: tmpdir(), npm_config_offline: 'true' }
  // npx takes --help for itself, unless a command stands before it.
  const { stdout } = await run('npx', ['--no', 'pharos', 'help'], {
    cwd: join(BUILT_FOLDER, '..', '..', '..'),
    env,
  })
  expect(stdout).toMatch(/^Usage: npx --no pharos <command>/)
})

describe('its package', { timeout: 120_000 }, () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pharos-package-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('is installed into an empty folder without a network, and runs there as pharos', async () => {
    const { PATH = '' } = process.env
    const env = { PATH, HOME: folder, npm_config_offline: 'true' }
    await run('npm', ['pack', BUILT_FOLDER, '--pack-destination', folder], { cwd: folder, env })
    const [packed = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
    await run('npm', ['install', '--prefix', folder, join(folder, packed)], { cwd: folder, env })
    expect(await readdir(join(folder, 'node_modules'))).toEqual(expect.arrayContaining(['pharos']))
    const installed = join(folder, 'node_modules', 'pharos')
    expect((await readdir(installed)).sort()).toEqual([
      'LICENSE',
      'package.json',
      'pharos.mjs',
      'pharos.readable.mjs',
    ])
    const { stdout } = await run(join(folder, 'node_modules', '.bin', 'pharos'), ['--help'], {
      cwd: folder,
      env,
    })
    expect(stdout).toMatch(/^Usage: pharos <command>/)
  })
})
