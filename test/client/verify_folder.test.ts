// `pharos verify --manifest` where not everything can be read: what cannot be is named, and all the rest is compared.
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownKeyring } from './bundles.ts'
import { contentOf, entryOf, manifestAbout, sha256 } from './folder_evidence.ts'
import { type Desk, openDesk } from './run_pharos.ts'

let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
  await desk.put('keyring.json', ownKeyring)
})
afterEach(async () => {
  await chmod(join(desk.folder, 'photos/private'), 0o755).catch(() => undefined)
  await desk.clear()
})

const put = async (path: string): Promise<void> => {
  const at = join(desk.folder, 'photos', path)
  await mkdir(dirname(at), { recursive: true })
  await writeFile(at, contentOf(path))
}
const COMPARE = [
  ...['verify', '--offline', '--keyring', 'keyring.json', '--manifest', 'photos.pharos', 'photos'],
]

/** As somebody who is not root: that may read everything. */
function asAnybody(args: readonly string[]) {
  const NOBODY = 65_534
  const { status, stdout, stderr } = spawnSync(process.execPath, ['pharos.mjs', ...args], {
    cwd: desk.folder,
    env: { HOME: desk.folder, XDG_CONFIG_HOME: join(desk.folder, 'config') },
    encoding: 'utf8',
    ...(process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}),
  })
  return { code: status, out: stdout, err: stderr }
}

describe('pharos verify --manifest', { timeout: 120_000 }, () => {
  it('goes on behind a file and a folder that may not be read, and ends with 2', async () => {
    await chmod(desk.folder, 0o755)
    const paths = ['a', 'b', 'private/x', 'z']
    for (const path of paths) await put(path)
    await desk.put('photos.pharos', manifestAbout(paths.map(entryOf)))
    await chmod(join(desk.folder, 'photos/a'), 0)
    await chmod(join(desk.folder, 'photos/private'), 0)
    const ran = asAnybody(COMPARE)
    expect([ran.code, ran.out]).toEqual([
      2,
      expect.stringMatching(
        /^ {2}unread {4}a\n.*^2 files unchanged, 0 changed, 0 missing, 0 new, 3 unread$/ms,
      ),
    ])
    expect(ran.err).toMatch(/^pharos: a may not be read by this account\.$/m)
    expect(ran.err).toMatch(/^pharos: private.* may not be read by this account\.$/m)
    expect(ran.err).not.toContain('photos.pharos')
    const shown = JSON.parse(asAnybody([...COMPARE, '--json']).out)
    expect(shown).toMatchObject({ unchanged: 2, unread: expect.arrayContaining(['a', 'private/x']) })
    // What was changed is a no all the same.
    await writeFile(join(desk.folder, 'photos/b'), 'changed')
    expect(asAnybody(COMPARE)).toMatchObject({ code: 1, out: expect.stringContaining('1 changed') })
  })

  it('names a folder that cannot be listed and a name that is no text, and looks for what is new in all others', async () => {
    await chmod(desk.folder, 0o755)
    for (const path of ['a', 'k/known', 'z/known']) await put(path)
    await desk.put('photos.pharos', manifestAbout(['a', 'k/known', 'z/known'].map(entryOf)))
    for (const path of ['k/new', 'private/new', 'z/below/new']) await put(path)
    await writeFile(Buffer.concat([Buffer.from(join(desk.folder, 'photos/l')), Buffer.of(0xff)]), '')
    await chmod(join(desk.folder, 'photos/private'), 0)
    const ran = asAnybody(COMPARE)
    expect([ran.code, ran.out.slice(ran.out.indexOf('  new'))]).toEqual([
      2,
      [
        '  new       k/new',
        '  unread    l\u{fffd}',
        '  unread    private/',
        '  new       z/below/new',
        '3 files unchanged, 0 changed, 0 missing, 2 new, 2 unread\n',
      ].join('\n'),
    ])
    expect(ran.err).toMatch(
      /^pharos: photos\/private\/ may not be read by this account\.\n! What is new in it was not looked for\.$/m,
    )
    expect(ran.err).toMatch(/^pharos: l.* has a name that is no text/m)
    expect(JSON.parse(asAnybody([...COMPARE, '--json']).out)).toMatchObject({
      new: ['k/new', 'z/below/new'],
      unread: ['l\u{fffd}', 'private/'],
    })
    // What was changed is a no all the same.
    await writeFile(join(desk.folder, 'photos/a'), 'changed')
    expect(asAnybody(COMPARE)).toMatchObject({ code: 1, out: expect.stringContaining('2 new, 2 unread') })
  })

  it('goes on behind an entry that is the digest of no file, and misses names that no file could have', async () => {
    const long = 'l'.repeat(256)
    const ots = { path: 'b', entry: { type: 'ots', value: sha256('b') } } as const
    await desk.put(
      'photos.pharos',
      manifestAbout([entryOf('a'), ots, entryOf('c'), entryOf(long), entryOf(`${long}/x`)]),
    )
    for (const path of ['a', 'b', 'c']) await put(path)
    const ran = await desk.pharos(COMPARE)
    expect([ran.code, ran.out]).toEqual([
      1,
      expect.stringContaining('2 files unchanged, 0 changed, 2 missing, 0 new, 1 unread'),
    ])
    expect(ran.err).toContain('b is listed by a ots')
  })
})
