// What the embedded tests share: temporary folders, holder processes, and an end to both.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { afterEach, inject } from 'vitest'
import { hasCode } from '../../server/kernel/error_code.ts'
import { openDataFolder } from '../../server/store/embedded/data_folder.ts'
import { isThere } from '../../server/store/embedded/durable_file.ts'
import { startEmbeddedPostgres } from '../../server/store/embedded/postgres_process.ts'
import { runProgram, type SystemUser } from '../../server/store/embedded/run_program.ts'
import { makeMemoryFolder } from '../support/temporary_folder.ts'

/** Keeps compiled code, as for the server. */
const START = resolve(import.meta.dirname, '../../server/start.js')

const undo: (() => Promise<unknown>)[] = []

/**
 * Runs what `afterwards` was given, after each test of the file that calls this. Files share this module in their
 * worker, so a hook of the module itself would belong to the first file alone.
 */
export const undoAfterEach = (): void => afterEach(undoAll)

/** For a file that undoes everything at its end. */
export const undoAll = async (): Promise<void> => {
  for (const step of undo.splice(0).reverse()) await step()
}

/** Runs after the test, last one first. The file must call `undoAfterEach`, or `undoAll` at its end. */
export const afterwards = (step: () => Promise<unknown>): void => {
  undo.push(step)
}

/** A folder every account may enter, as /srv would be. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await makeMemoryFolder('pharos-embedded-')
  afterwards(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))
  return folder
}

/**
 * Puts a data folder there whose database was started before. It is made once in a run, and copied, which takes a tenth
 * of the time. A test of first starts begins with a folder that is not there.
 * @returns the path
 */
export const startedFolder = async (path: string): Promise<string> => {
  const started = join(inject('startedRoom'), 'data')
  if (!(await isThere(started))) await startOnce(started)
  const { ok, how, output } = await runProgram('/bin/cp', ['-a', started, path])
  if (!ok) throw new Error(`${started} was not copied (${how}): ${output}`)
  return path
}

/** Two workers may do this at the same time. The rename of the second one fails, and it takes what the first made. */
const startOnce = async (path: string): Promise<void> => {
  const draft = `${path}.${process.pid}`
  const folder = await openDataFolder(draft)
  const postgres = await startEmbeddedPostgres({ folder, settings: { fsync: 'off' }, log: () => undefined })
  await postgres.stop()
  await folder.release()
  await rename(draft, path).catch((error: unknown) => {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  })
}

/** The pid of a process that does nothing, run by the account; dead but not waited for if a zombie is wanted. */
export const bystander = async (kind: 'alive' | 'zombie', account?: SystemUser): Promise<number> => {
  // exec: sh becomes sleep, which never waits for the child it inherited. A child that ended before would be waited for.
  const child = kind === 'alive' ? 'sleep 60' : 'until grep -q sleep /proc/$PPID/comm; do sleep 0.01; done'
  const script = `sh -c '${child}' & echo $!; exec sleep 60`
  const parent = spawn('/bin/sh', ['-c', script], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
    ...(account && { uid: account.uid, gid: account.gid }),
  })
  afterwards(async () => parent.pid !== undefined && process.kill(-parent.pid, 'SIGKILL'))
  return Number(await new Promise((settle) => parent.stdout.once('data', settle)))
}

export interface HolderProcess {
  readonly pid: number
  /** Sends a command; settles with the next answer that is not a log line. */
  readonly ask: (command: string) => Promise<{ said: string; detail: string }>
  readonly send: (command: string) => void
  readonly logged: string[]
  readonly kill: (signal: NodeJS.Signals) => Promise<void>
}

export const holderProcess = async (folder: string, account?: SystemUser): Promise<HolderProcess> => {
  const child = spawn(process.execPath, [START, 'test/store/embedded_holder.ts', folder], {
    cwd: '/',
    env: { PATH: process.env.PATH, MASTER_KEY: 'a-secret-of-ours' },
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(account && { uid: account.uid, gid: account.gid }),
  })
  const logged: string[] = []
  const answers = answersOf(child, logged)
  const next = async () => {
    const { value, done } = await answers.next()
    if (done) throw new Error('The holder process is gone.')
    return value
  }
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((settle) => child.once('exit', settle))
    child.kill(signal)
    await gone
  }
  afterwards(() => kill('SIGKILL'))
  await next()
  const send = (command: string) => void child.stdin.write(`${command}\n`)
  return {
    pid: child.pid ?? 0,
    logged,
    send,
    kill,
    ask: (command) => {
      send(command)
      return next()
    },
  }
}

/** Keeps the lines of a start, without the one that only a slow start has: a busy machine makes any start slow. */
export const noteIn =
  (lines: string[]) =>
  (line: string): void => {
    if (!line.startsWith('Starting the database (')) lines.push(line)
  }

async function* answersOf(
  child: ChildProcess,
  logged: string[],
): AsyncGenerator<{ said: string; detail: string }> {
  if (!child.stdout) return
  for await (const line of createInterface({ input: child.stdout })) {
    const answer: { said: string; detail: string } = JSON.parse(line)
    if (answer.said === 'log') noteIn(logged)(answer.detail)
    else yield answer
  }
}

/** First column of every row. */
export const query = async (url: string, sql: string): Promise<string[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' })
    return rows.map((row) => String(row[0]))
  } finally {
    await client.end()
  }
}

export const postmasterPid = async (folder: string): Promise<number> =>
  Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
