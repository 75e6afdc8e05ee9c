// The built command line, run as people run it: a copy of the one file, alone in a folder, with nothing installed beside it.
import { spawn } from 'node:child_process'
import { chmod, copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { BUILT_FILE } from '../../server/client/build.ts'
import { programOf } from '../../server/client/commands.ts'
import { kept } from '../../server/kernel/lru.ts'
import { exitsOf } from '../../shared/cli/help_text.ts'
import { commandIn, tableOf } from '../../shared/cli/program.ts'

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Desk {
  readonly folder: string
  /** Puts a file on the desk and answers its name. */
  readonly put: (name: string, content: string | Uint8Array) => Promise<string>
  readonly pharos: (args: readonly string[], more?: RunOptions) => Promise<Ran>
  readonly clear: () => Promise<void>
}

export interface RunOptions {
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  /** The program that runs it. Otherwise the Node of the tests. */
  readonly node?: string | undefined
  /** Closes its standard output before it writes anything. */
  readonly isDeaf?: boolean
  /** Kills it when it is aborted. */
  readonly killed?: AbortSignal
  /** Gets what it writes to standard output, while it runs. */
  readonly heard?: (text: string) => void
}

/** @throws Error for an exit code that the help of the command does not tell of: scripts rely on it */
function withToldCode(args: readonly string[], ran: Ran): Ran {
  const { name, command } = commandIn(tableOf(programOf('pharos')), args) ?? {}
  if (command?.exits === undefined || ran.code === null) return ran
  if (exitsOf(command).some(([code]) => Number(code) === ran.code)) return ran
  throw new Error(`The help of ${name} tells of no exit code ${ran.code}: ${ran.err}`)
}

const copies = new Map<string, Promise<string>>()

/** One copy for all desks of a worker, in a folder of its own: Node knows what it has compiled by where the file lies. */
const copyOf = (built: string): Promise<string> =>
  kept(copies, built, async () => {
    const alone = await mkdtemp(join(inject('commandRoom'), 'alone-'))
    // Some tests run it by another account.
    await chmod(alone, 0o755)
    const copy = join(alone, 'pharos.mjs')
    await copyFile(built, copy)
    return copy
  })

/**
 * What the command line finds in its environment: nothing of the tester's own keyrings and settings. Compiling it takes
 * more of a run than what it does, so Node keeps that.
 */
export const surroundings = (folder: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: folder,
  XDG_CONFIG_HOME: join(folder, 'config'),
  NODE_COMPILE_CACHE: join(inject('commandRoom'), 'compiled'),
})

/** @param built another build of the same sources */
export async function openDesk(built = BUILT_FILE): Promise<Desk> {
  const folder = await mkdtemp(join(tmpdir(), 'pharos-verifier-'))
  await symlink(await copyOf(built), join(folder, 'pharos.mjs'))
  return {
    folder,
    put: async (name, content) => {
      await writeFile(join(folder, name), content)
      return name
    },
    pharos: (args, { input, env = {}, node = process.execPath, isDeaf = false, killed, heard } = {}) =>
      new Promise<Ran>((resolve, reject) => {
        const child = spawn(node, ['pharos.mjs', ...args], {
          cwd: folder,
          env: { ...surroundings(folder), ...env },
        })
        const out: Buffer[] = []
        const err: Buffer[] = []
        if (isDeaf) child.stdout.destroy()
        killed?.addEventListener('abort', () => child.kill('SIGKILL'), { once: true })
        child.stdout.on('data', (chunk: Buffer) => {
          out.push(chunk)
          heard?.(chunk.toString())
        })
        child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
        child.on('error', reject)
        child.on('close', (code) =>
          resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }),
        )
        // It may end without reading.
        child.stdin.on('error', () => undefined)
        child.stdin.end(input ?? '')
      }).then((ran) => withToldCode(args, ran)),
    clear: () => rm(folder, { recursive: true, force: true }),
  }
}
