// Files of a command: reads one, or standard input for `-`, up to a ceiling; writes what a command made, or remembers.
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Complaint, codeOf, wordsOf } from '../../shared/cli/terminal.ts'

/** @throws Complaint when it cannot be read or is larger than `most` bytes */
export async function readNamed(name: string, most: number): Promise<Uint8Array> {
  const stream = name === '-' ? process.stdin : await streamOf(name)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk)
      size += bytes.length
      if (size > most) throw new Complaint(`${shownName(name)} is larger than ${most / 1024} KiB.`)
      chunks.push(bytes)
    }
  } catch (error) {
    throw unreadable(name, error)
  }
  return Buffer.concat(chunks)
}

/**
 * A stream over an existing regular file.
 * @throws Complaint otherwise
 */
export async function streamOf(name: string): Promise<NodeJS.ReadableStream> {
  try {
    return (await open(name)).createReadStream({ highWaterMark: 1_048_576 })
  } catch (error) {
    throw unreadable(name, error)
  }
}

export const unreadable = (name: string, error: unknown): Complaint => {
  if (error instanceof Complaint) return error
  const shown = shownName(name)
  switch (codeOf(error)) {
    case 'ENOENT':
      return new Complaint(`There is no file ${shown}.`)
    case 'EISDIR':
      return new Complaint(`${shown} is a folder, not a file.`)
    case 'EACCES':
      return new Complaint(`${shown} may not be read by this account.`)
    default:
      return new Complaint(`${shown} could not be read: ${wordsOf(error)}`)
  }
}

const shownName = (name: string): string => (name === '-' ? 'Standard input' : name)

/** @throws Complaint */
export async function writeMade(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  } catch (error) {
    throw new Complaint(`${basename(path)} could not be written: ${wordsOf(error)}`)
  }
}

/** What is remembered from one command to the next. */
export const configFolder = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'pharos')

/**
 * The file is there in whole: as it was, or as it is to be.
 * @param mode by default it is for its owner alone
 */
export async function replaceFile(
  path: string,
  content: string | AsyncIterable<Uint8Array>,
  mode = 0o600,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const fresh = `${path}.${process.pid}.new`
  try {
    await writeFile(fresh, content, { mode, flush: true })
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}

/** For a shell. */
export const quoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
