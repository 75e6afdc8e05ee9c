// The shell scripts among the examples, with the built command line as `pharos` on the PATH and a real service.
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BUILT_FILE } from '../../../server/client/build.ts'
import { LOOKUP_PLACE_NAMES, LOOKUP_PLACES } from '../../../shared/proof/lookups/lookup.ts'
import { commitBlocks } from '../../domain/proofs/seed_commitment.ts'
import { makeTemporaryFolder } from '../../support/temporary_folder.ts'
import { testApp } from '../../support/test_app.ts'
import { type Ended, EXAMPLES, isHere, runIn } from './example.ts'

const app = testApp({ aggregationIntervalMs: 100 })
let folder = ''
beforeEach(async () => {
  folder = await makeTemporaryFolder('pharos-example-')
  await put('bin/pharos', `#!/bin/sh\nexec "${process.execPath}" "${BUILT_FILE}" "$@"\n`)
  await chmod(join(folder, 'bin/pharos'), 0o755)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function put(path: string, content: string): Promise<void> {
  await mkdir(join(folder, path, '..'), { recursive: true })
  await writeFile(join(folder, path), content)
}

/** Asks nobody outside. */
const NOBODY = Object.fromEntries(
  LOOKUP_PLACE_NAMES.map((place) => [LOOKUP_PLACES[place].verifierSetting, 'http://127.0.0.1:9']),
)

const environment = (): Record<string, string> => ({
  ...NOBODY,
  PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
  HOME: folder,
  XDG_CONFIG_HOME: join(folder, 'config'),
  PHAROS_URL: app.base,
})

const run = (command: string, ...args: readonly string[]): Promise<Ended> =>
  runIn([command, ...args], { folder, env: environment() })

const commit = async (): Promise<void> => {
  await app.finalize()
  await commitBlocks({ em: app.store.em() })
}

describe('the job that stamps a release', { timeout: 240_000 }, () => {
  const stampRelease = () => run('sh', join(EXAMPLES, 'stamp_release.sh'), 'dist')

  it('stamps each artefact once, and says what is accepted, proven, or not what was stamped', async () => {
    await put('dist/one.tar', 'one')
    await put('dist/two words.zip', 'two')
    const first = await stampRelease()
    expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/accepted {2}dist\/one\.tar\n/) })
    expect(first.out).toContain('accepted  dist/two words.zip\n')
    const files = ['one.tar', 'one.tar.pharos', 'two words.zip', 'two words.zip.pharos']
    expect((await readdir(join(folder, 'dist'))).sort()).toEqual(files)
    await put('dist/linux/three.tar', 'three')
    expect((await stampRelease()).out).toContain('accepted  dist/linux/three.tar\n')
    await rm(join(folder, 'dist/linux'), { recursive: true })

    await commit()
    const upgraded = await run('sh', '-c', 'pharos upgrade dist/*.pharos')
    expect(upgraded.code, upgraded.err).toBe(0)
    const again = await stampRelease()
    expect(again, again.err).toMatchObject({
      code: 0,
      out: expect.stringContaining('proven    dist/one.tar\n'),
    })
    expect((await readdir(join(folder, 'dist'))).sort()).toEqual(files)

    await put('dist/one.tar', 'another one')
    expect((await stampRelease()).code).not.toBe(0)
  })

  it('needs to be told where the artefacts are', async () => {
    const { code, err } = await run('sh', join(EXAMPLES, 'stamp_release.sh'))
    expect(code).not.toBe(0)
    expect(err).toContain('name the folder with the artefacts')
  })
})

describe('the hook that stamps tags', { timeout: 240_000 }, () => {
  it('stamps every file of each new tag, and leaves other references alone', async () => {
    if (!isHere('git', 'stamp_tag.sh')) return
    const git = async (...args: string[]): Promise<void> => {
      const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
      const { code, err } = await run('git', '-C', join(folder, 'clone'), ...who, ...args)
      expect(code, err).toBe(0)
    }
    await put('clone/src/main.c', 'int main;')
    await put('clone/README', 'Read me.')
    // Both say what is in an archive, and nothing of a checkout.
    await put('clone/.gitattributes', 'VERSION export-subst\ntests export-ignore\n')
    await put('clone/VERSION', '$Format:%H$\n')
    await put('clone/tests/one', 'one')
    await git('init', '--quiet')
    const hook = join(folder, 'clone/.git/hooks/reference-transaction')
    await mkdir(join(hook, '..'), { recursive: true })
    await copyFile(join(EXAMPLES, 'stamp_tag.sh'), hook)
    await chmod(hook, 0o755)
    await git('add', '.')
    await git('commit', '--quiet', '-m', 'first')
    const stamps = join(folder, 'clone/.git/pharos')
    expect(await readdir(stamps).catch(() => [])).toEqual([])
    await git('tag', 'v1.0')
    await git('tag', '-a', 'release/1.1', '-m', 'with words')
    expect((await readdir(stamps, { recursive: true })).sort()).toEqual([
      'release',
      'release/1.1.pharos',
      'v1.0.pharos',
    ])
    expect(await readFile(join(stamps, 'release/1.1.pharos'), 'utf8')).toContain('"src/main.c"')

    await git('worktree', 'add', '--quiet', '--detach', '../checkout', 'v1.0')
    await rm(join(folder, 'checkout/.git'))
    const check = () =>
      run('pharos', 'verify', '--offline', '--manifest', join(stamps, 'v1.0.pharos'), 'checkout')
    expect((await check()).code).toBe(3)
    await put('checkout/README', 'Read me twice.')
    expect(await check()).toMatchObject({ code: 1, out: expect.stringContaining('README') })

    await rm(join(stamps, 'v1.0.pharos'))
    await git('tag', '-f', 'v1.0', 'v1.0')
    await put('checkout/README', 'Read me.')
    expect((await check()).code).toBe(3)
    await git('tag', '-d', 'v1.0')
  })
})

describe('the crontab', { timeout: 240_000 }, () => {
  /** The commands of the lines, as cron gives them to the shell: it takes the backslash from a percent sign. */
  const commands = async (): Promise<string[]> =>
    (await readFile(join(EXAMPLES, 'backup.cron'), 'utf8'))
      .split('\n')
      .filter((line) => /^[\d*]/.test(line))
      .map((line) => line.replace(/^(\S+ ){5}/, '').replaceAll('\\%', '%'))

  it('stamps the backup of a night, puts the proofs in, and says which backup has changed', async () => {
    const [stamp = '', upgrade = '', check = ''] = await commands()
    const cron = (command: string) =>
      runIn(['/bin/sh', '-c', command], {
        folder,
        env: { ...environment(), BACKUPS: join(folder, 'backups'), STAMPS: join(folder, 'stamps') },
      })
    const day = new Date()
    for (const one of [day, new Date(day.getTime() + 86_400_000)])
      await put(`backups/${localDay(one)}/database.dump`, 'everything')
    expect((await cron(stamp)).code).toBe(0)
    const [manifest = ''] = await readdir(join(folder, 'stamps'))
    expect(manifest).toMatch(/^\d{4}-\d\d-\d\d\.pharos$/)
    expect(await cron(upgrade)).toEqual({ code: 0, out: '', err: '' })
    expect((await cron(check)).code).toBe(0)
    await commit()
    expect((await cron(upgrade)).code).toBe(0)
    const whole = await cron(check)
    expect(whole.code, whole.out).toBe(0)
    expect(whole.out).not.toContain('CHANGED')
    await put(`backups/${manifest.replace('.pharos', '')}/database.dump`, 'something')
    expect((await cron(check)).out).toContain(`CHANGED: ${join(folder, 'stamps', manifest)}`)
    expect(await cron(upgrade)).toMatchObject({ code: 0, out: '' })
    await put('stamps/2020-01-01.pharos', 'no manifest')
    expect(await cron(upgrade)).toMatchObject({
      out: expect.stringMatching(/^NOT UPGRADED: [\s\S]*2020-01-01\.pharos/),
    })
    await put('backups/2020-01-01/database.dump', 'something')
    expect((await cron(check)).out).toContain(`NOT CHECKED: ${join(folder, 'stamps/2020-01-01.pharos')}`)
  })
})

/** As `date +%F` says it. */
const localDay = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
