// Where secrets lie: in the system's own store, by means of its tool, or in files for their owner alone. A secret is a line
// of text. It reaches the tools on standard input.
import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { Complaint, codeOf, wordsOf } from '../../../shared/cli/terminal.ts'
import { configFolder, noneThere, replaceFile } from '../files.ts'

interface SecretStore {
  /** Where the secret lies, in words. */
  readonly placeOf: (id: string) => string
  /** Undefined when there is none. @throws Complaint when the store does not answer */
  readonly read: (id: string) => Promise<string | undefined>
  /** Replaces it. @param label what the system shows to the person @throws Complaint */
  readonly write: (id: string, secret: string, label: string) => Promise<void>
  /** @throws Complaint when the store does not answer */
  readonly remove: (id: string) => Promise<void>
}

const STORES = { 'secret-tool': secretTool, security: keychain, file: secretFiles } as const

export type StoreName = keyof typeof STORES

export const isStoreName = (name: string): name is StoreName => Object.hasOwn(STORES, name)

export const secretStore = (env: NodeJS.ProcessEnv, name: StoreName): SecretStore => STORES[name](env)

export const SYSTEM_STORE: StoreName = process.platform === 'darwin' ? 'security' : 'secret-tool'

const SERVICE = 'pharos'

/** What implements the Secret Service of the desktop: GNOME's keyring, KWallet, KeePassXC. */
function secretTool(env: NodeJS.ProcessEnv): SecretStore {
  const attributes = (id: string) => ['service', SERVICE, 'id', id]
  const run = async (verb: 'lookup' | 'store' | 'clear', words: readonly string[], secret?: string) => {
    const { isDone, out, err } = await runTool(env, ['secret-tool', verb, ...words], secret)
    // The others fail without a word where there is nothing.
    if (!isDone && (verb === 'store' || err !== '')) throw unwilling('secret-tool', err)
    return isDone ? out : ''
  }
  return {
    placeOf: () => 'the keyring of this desktop (secret-tool)',
    read: async (id) => (await run('lookup', attributes(id))) || undefined,
    write: async (id, secret, label) => {
      await run('store', [`--label=${label}`, ...attributes(id)], secret)
    },
    remove: async (id) => {
      await run('clear', attributes(id))
    },
  }
}

/** The keychain of macOS. */
function keychain(env: NodeJS.ProcessEnv): SecretStore {
  const named = (id: string) => ['-s', SERVICE, '-a', id]
  const read = async (id: string) => {
    const { isDone, out, err } = await runTool(env, ['security', 'find-generic-password', ...named(id), '-w'])
    if (isDone) return Buffer.from(out.trim(), 'base64url').toString()
    if (isUnknown(err)) return undefined
    throw unwilling('security', err)
  }
  return {
    placeOf: () => 'the keychain of macOS (security)',
    read,
    write: async (id, secret, label) => {
      // Its commands are read as a shell reads words, and what is in the secret must not end one.
      const encoded = Buffer.from(secret).toString('base64url')
      const order = `add-generic-password -U ${named(id).join(' ')} -l "${label}" -w ${encoded}\n`
      const { err } = await runTool(env, ['security', '-i'], order)
      // Reading commands, it ends well whatever became of them.
      if ((await read(id)) !== secret) throw unwilling('security', err)
    },
    remove: async (id) => {
      const { isDone, err } = await runTool(env, ['security', 'delete-generic-password', ...named(id)])
      if (!isDone && !isUnknown(err)) throw unwilling('security', err)
    },
  }
}

/** The words that `security` has for the error errSecItemNotFound. */
const isUnknown = (err: string): boolean => err.includes('could not be found')

function secretFiles(env: NodeJS.ProcessEnv): SecretStore {
  const fileOf = (id: string): string => join(configFolder(env), 'secrets', `${id}.json`)
  const onDisk = async <T>(id: string, work: (path: string) => Promise<T>): Promise<T> => {
    try {
      return await work(fileOf(id))
    } catch (error) {
      throw unwilling(fileOf(id), wordsOf(error))
    }
  }
  return {
    placeOf: fileOf,
    read: (id) => onDisk(id, (path) => readFile(path, 'utf8').catch(noneThere)),
    write: (id, secret) => onDisk(id, (path) => replaceFile(path, secret)),
    remove: (id) => onDisk(id, (path) => rm(path, { force: true })),
  }
}

const unwilling = (who: string, words: string): Complaint => {
  const said = words.startsWith(who) ? words : `${who}: ${words || 'it says nothing'}`
  return new Complaint(`The store of secrets does not do what it is asked: ${said}`)
}

/** It may ask the person to unlock something. */
const PATIENCE_MS = 30_000
const MOST_BYTES = 65_536

/**
 * Runs a program of the system, with what it is to know on its standard input: arguments can be read by every process.
 * @returns in `err` what it said of the failure, empty when it said nothing
 * @throws Complaint when there is no such program, or it does not end
 */
export const runTool = (
  env: NodeJS.ProcessEnv,
  [program, ...args]: readonly [string, ...string[]],
  input = '',
): Promise<{ readonly isDone: boolean; readonly out: string; readonly err: string }> =>
  new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { env, timeout: PATIENCE_MS, maxBuffer: MOST_BYTES },
      (error, out, err) => {
        if (codeOf(error) === 'ENOENT')
          reject(new Complaint('This system has no store of secrets that this program can use.'))
        else if (error?.killed === true)
          reject(new Complaint(`${program} did not answer within ${PATIENCE_MS / 1_000} seconds.`))
        else resolve({ isDone: error === null, out, err: err.trim() })
      },
    )
    // It may end without reading.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
