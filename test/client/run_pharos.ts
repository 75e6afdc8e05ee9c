// The built command line, run as people run it: a copy of the one file, alone in a folder, with nothing installed beside it.
import { spawn } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BUILT_FILE } from '../../server/client/build.ts'
import { programOf } from '../../server/client/commands.ts'
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

/** @param built another build of the same sources */
export async function openDesk(built = BUILT_FILE): Promise<Desk> {
  const folder = await mkdtemp(join(tmpdir(), 'pharos-verifier-'))
  await copyFile(built, join(folder, 'pharos.mjs'))
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
          // Nothing of the tester's own keyrings and settings.
          env: {
            PATH: process.env.PATH ?? '',
            HOME: folder,
            XDG_CONFIG_HOME: join(folder, 'config'),
            ...env,
          },
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
