// One process at a time holds a data folder; the death of its holder frees it, however many want it then.
import { chmod, open as openFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDataFolder } from '../../server/store/embedded/data_folder.ts'
import { identifyProcess, isRunning } from '../../server/store/embedded/folder_lock.ts'
import { runProgram } from '../../server/store/embedded/run_program.ts'
import {
  afterwards,
  bystander,
  type HolderProcess,
  holderProcess,
  temporaryFolder,
  undoAfterEach,
} from './embedded_support.ts'

undoAfterEach()

const newFolder = async (): Promise<string> => join(await temporaryFolder(), '.data')

/** A folder whose holder was killed, and the lock it left behind. */
const abandonedFolder = async () => {
  const path = await newFolder()
  const holder = await holderProcess(path)
  expect(await holder.ask('open')).toEqual({ said: 'opened', detail: '' })
  await holder.kill('SIGKILL')
  const file = join(path, 'lock/holder')
  const left: Record<string, unknown> = JSON.parse(await readFile(file, 'utf8'))
  return { path, file, left }
}

const open = async (path: string) => {
  const folder = await openDataFolder(path)
  afterwards(folder.release)
  return folder
}

describe('the lock on the data folder', () => {
  it('is private, and refuses a second start at once, naming the holder', async () => {
    const path = await newFolder()
    const folder = await open(path)
    expect((await stat(path)).mode & 0o777).toBe(0o700)
    await expect(openDataFolder(path)).rejects.toThrow(
      new RegExp(
        `^The data folder ${path} is in use by process ${process.pid} \\(started 20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ\\)\\. ` +
          'Stop it, or set DATA_DIR to another folder\\.$',
      ),
    )
    await folder.announce('http://localhost:4000')
    const second = await holderProcess(path)
    const { said, detail } = await second.ask('open')
    expect(said).toBe('refused')
    expect(detail).toContain(`in use by process ${process.pid} (http://localhost:4000, started 20`)
    // For operator commands, which make links to the server that runs.
    await expect(openDataFolder(path)).rejects.toMatchObject({ address: 'http://localhost:4000' })

    await folder.release()
    await folder.release()
    await folder.announce('http://localhost:4000')
    expect(await second.ask('open')).toEqual({ said: 'opened', detail: '' })
  })

  it('on a full disk still names a holder, and without one says which disk needs room', async ({ skip }) => {
    const small = await temporaryFolder()
    const mounted = await runProgram('/bin/mount', ['-t', 'tmpfs', '-o', 'size=64k', 'small', small])
    if (!mounted.ok) skip(`mounting a small file system needs more rights: ${mounted.output || mounted.how}`)
    afterwards(() => runProgram('/bin/umount', ['-l', small]))
    const path = join(small, '.data')
    const folder = await openDataFolder(path)
    const fill = (name: string) =>
      expect(writeFile(join(small, name), Buffer.alloc(65_536))).rejects.toThrow('ENOSPC')
    await fill('filler')
    await expect(openDataFolder(path)).rejects.toThrow(`in use by process ${process.pid}`)
    await folder.release()
    await fill('what the lock took')
    await expect(openDataFolder(path)).rejects.toThrow(
      `The disk of the data folder ${path} is full (ENOSPC: no space left on device, write). Make room there.`,
    )
  })

  it('does not survive kill -9 of its holder', async () => {
    const { path } = await abandonedFolder()
    await open(path)
    expect(await readdir(join(path, 'lock'))).toEqual(['holder'])
  })

  it('does not survive a reboot that gave the pid to another process', async () => {
    const { path, file, left } = await abandonedFolder()
    await writeFile(file, JSON.stringify({ ...left, pid: process.pid }))
    await open(path)
  })

  it('does not survive as a zombie that nobody waited for', async () => {
    const pid = await bystander('zombie')
    const zombie = await identifyProcess(pid)
    await expect.poll(() => isRunning(zombie)).toBe(false)
    expect(process.kill(pid, 0)).toBe(true)
  })

  it('does not survive the loss of its content', async () => {
    const { path, file } = await abandonedFolder()
    await writeFile(file, '')
    await open(path)
  })

  it('passes on through a successor that was killed before it was done', async () => {
    const { path, file, left } = await abandonedFolder()
    const successor = { ...left, id: 'b'.repeat(32) }
    await writeFile(join(path, `lock/after.${left.id}`), JSON.stringify(successor))
    await writeFile(join(path, 'lock/draft.of-somebody'), '{"half')
    const folder = await open(path)
    expect(await readdir(join(path, 'lock'))).toEqual(['holder'])
    await folder.release()

    // The same while the successor lives: it is the holder, although the first file still names the dead one.
    const living = await holderProcess(path)
    await living.ask('open')
    await writeFile(join(path, `lock/after.${left.id}`), await readFile(file))
    await writeFile(file, JSON.stringify(left))
    await expect(openDataFolder(path)).rejects.toThrow(`in use by process ${living.pid}`)
  })

  it('is held by who has it, and not by a claim that came too late', async () => {
    const { path, file, left } = await abandonedFolder()
    const late = { ...left, id: 'b'.repeat(32), ...(await identifyProcess(await bystander('alive'))) }
    await writeFile(join(path, `lock/after.${left.id}`), JSON.stringify(late))
    const holder = { ...left, id: 'c'.repeat(32), ...(await identifyProcess(process.pid)) }
    const next = join(path, 'lock/draft.of-the-holder')
    await writeFile(next, JSON.stringify(holder))

    // A pipe, so that the lock changes hands exactly while its first holder is read.
    await rm(file)
    expect(await runProgram('/usr/bin/mkfifo', [file])).toMatchObject({ ok: true })
    const refused = expect(openDataFolder(path)).rejects.toThrow(`in use by process ${process.pid} `)
    const pipe = await openFile(file, 'w')
    await rename(next, file)
    await pipe.writeFile(JSON.stringify(left))
    await pipe.close()
    await refused
  })

  it('left by a killed holder goes to exactly one of several starters, round after round', async () => {
    const { path } = await abandonedFolder()
    const rivals: HolderProcess[] = await Promise.all([
      holderProcess(path),
      holderProcess(path),
      holderProcess(path),
    ])
    for (let round = 0; round < 6; round++) {
      const answers = await Promise.all(rivals.map((rival) => rival.ask('open')))
      expect(answers.map(({ said }) => said).sort()).toEqual(['opened', 'refused', 'refused'])
      const winner = answers.findIndex(({ said }) => said === 'opened')
      for (const { said, detail } of answers) {
        if (said === 'refused') expect(detail).toContain(`in use by process ${rivals[winner]?.pid} `)
      }
      await rivals[winner]?.kill('SIGKILL')
      rivals[winner] = await holderProcess(path)
    }
  })
})

describe('a secret in the data folder', () => {
  it('is made once, kept, and readable by nobody else', async () => {
    const path = await newFolder()
    const folder = await open(path)
    let made = 0
    const make = () => `secret-${++made}`
    expect(
      await Promise.all([folder.readSecret('MASTER_KEY', make), folder.readSecret('MASTER_KEY', make)]),
    ).toEqual(['secret-1', 'secret-1'])
    const file = join(path, 'MASTER_KEY')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await folder.release()

    await chmod(file, 0o644)
    expect(await (await open(path)).readSecret('MASTER_KEY', make)).toBe('secret-1')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readdir(path)).sort()).toEqual(['MASTER_KEY', 'lock'])
  })

  it('that was emptied is never replaced by a new one', async () => {
    const path = await newFolder()
    const folder = await open(path)
    await writeFile(join(path, 'MASTER_KEY'), '\n')
    await expect(folder.readSecret('MASTER_KEY', () => 'new')).rejects.toThrow('is empty')
  })
})
