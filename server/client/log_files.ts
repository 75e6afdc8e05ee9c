// A public log as the command line sees it: its files, in a folder or at an address; whose checkpoints count, by the verifier
// keys and the policy of the command line; and one look of a monitor: the checkpoint, and the proof that it continues the
// one that was seen before.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogTrust } from '../../shared/audit/audit_copy.ts'
import { COPY_CEILINGS, type CopyReader, readTileFile } from '../../shared/audit/copy_reader.ts'
import { type Surroundings, textOption, textOptions } from '../../shared/cli/command.ts'
import { type BytesAnswer, isAddress, NoAnswer, shownBytes } from '../../shared/cli/get_bytes.ts'
import { Complaint, caught, codeOf } from '../../shared/cli/terminal.ts'
import { readSignedCheckpoint, type SignedCheckpoint } from '../../shared/log/checkpoint.ts'
import { POLICY_CEILINGS, readPolicy } from '../../shared/log/log_policy.ts'
import { isSignedBy, MOST_PROOF_HASHES, readHashLines } from '../../shared/log/signed_note.ts'
import type { TileReader } from '../../shared/log/tiles.ts'
import { type Comparison, compareCheckpoints, consistencyProof } from '../../shared/log/tree_proofs.ts'
import { readVerifierKey, SIGNATURE_TYPES, type VerifierKey } from '../../shared/log/verifier_key.ts'
import { readOrUndefined, rethrown } from '../../shared/proof/bytes.ts'
import { answerFrom, ownService, type Service } from './ask/ask_service.ts'
import { readNamed, unreadable } from './files.ts'
import { ownLogKeys } from './sign_in/profiles.ts'

export type LogFiles = ReturnType<typeof logFiles>

/**
 * `ahead` is how many files may be read at once.
 * @param from a folder, or the http(s) address that stands before `/checkpoint`
 */
export const logFiles = (surroundings: Surroundings, from: string) =>
  isAddress(from)
    ? { read: filesAt(surroundings, logAddress(from)), ahead: 4 }
    : { read: filesIn(from), ahead: 2 }

/** The address with a slash at its end. @throws Complaint */
export function logAddress(text: string): URL {
  if (!URL.canParse(text) || !isAddress(text)) throw new Complaint(`${text} is not an address.`)
  const url = new URL(text)
  if (url.search !== '' || url.hash !== '')
    throw new Complaint(`${text} is not the address of a log: it has a query.`)
  return new URL(`${url.href.replace(/\/+$/, '')}/`)
}

/** Whoever made the copy may have put a pipe or a device in place of a file. Opening a pipe would wait for its writer. */
const AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK

function filesIn(folder: string): CopyReader {
  return async (path, most) => {
    const name = join(folder, path)
    try {
      const file = await open(name, AT_ONCE)
      try {
        const found = await file.stat()
        if (!found.isFile() && !found.isDirectory())
          throw new Complaint(`${name} is not a regular file.`, { exitCode: 1 })
        const { size } = found
        if (size > most) throw new Complaint(`${name} has more than ${shownBytes(most)}.`, { exitCode: 1 })
        return await file.readFile()
      } finally {
        await file.close()
      }
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
      throw unreadable(name, error)
    }
  }
}

const TIMEOUT_MS = 30_000
const LONGEST_WAIT_SECONDS = 60
/** A log that asks for patience may do so for some ten minutes. One that does not answer is tried for a few seconds. */
const MOST_WAITS = 20
const MOST_TRIES = 4

function filesAt(surroundings: Surroundings, base: URL): CopyReader {
  let service: Service | undefined
  const pause = pauses(surroundings, base)
  return async (path, most) => {
    const url = new URL(path, base)
    service ??= (await ownService(surroundings, base)) ?? { url: base }
    for (let waits = 0, tries = 1; ; ) {
      const question = {
        headers: { accept: '*/*' },
        ceilings: { bytes: most, milliseconds: TIMEOUT_MS },
      }
      const answer = await answerFrom(service, url.href, question).catch(caught(NoAnswer))
      if (answer instanceof NoAnswer || answer.status >= 500) {
        if (tries === MOST_TRIES)
          throw answer instanceof NoAnswer ? answer : new Complaint(`${url} answered ${answer.status}.`)
        await sleep(2 ** tries * 250)
        tries += 1
      } else if (answer.status === 429 && waits < MOST_WAITS) {
        waits += 1
        await pause(Math.min(answer.retryAfterSeconds ?? 1, LONGEST_WAIT_SECONDS))
      } else return bodyOf(answer, url)
    }
  }
}

/** Waits, and says so once however many files wait for the same. */
function pauses({ terminal }: Surroundings, { host }: URL): (seconds: number) => Promise<void> {
  let toldUntil = 0
  return async (seconds) => {
    if (performance.now() >= toldUntil) {
      toldUntil = performance.now() + seconds * 1_000
      const line = `! ${host} asks for a pause: it goes on in ${seconds} s.`
      if (terminal.progress === undefined) terminal.note(line)
      else terminal.progress(line)
    }
    await sleep(seconds * 1_000)
    terminal.progress?.('')
  }
}

/** Undefined when there is no such file. @throws Complaint for every other status that is not 200 */
function bodyOf({ status, bytes }: BytesAnswer, url: URL): Uint8Array | undefined {
  if (status === 200) return bytes
  if (status === 404 || status === 410) return undefined
  throw new Complaint(`${url} answered ${status}.`, {
    exitCode: status === 401 ? 4 : 2,
    advice: adviceFor(status),
  })
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403)
    return 'This log is not public. Sign in at its service, or name it with its key in the environment: PHAROS_URL and PHAROS_API_KEY.'
  if (status >= 300 && status < 400) return 'Redirects are not followed: name the address itself.'
  return 'It must be the address that stands before /checkpoint, such as https://pharos.example/log'
}

export const TRUST_OPTIONS = {
  key: {
    multiple: true,
    takes: '<verifier key>',
    meaning:
      'whose log it is, as its operator\'s "log key" prints it: name+id+key. May be repeated. Without it and --policy: the logs of your profiles',
  },
  policy: {
    takes: '<file>',
    meaning: 'logs and witnesses in the form of tlog-policy: the checkpoint must meet its quorum',
  },
} as const

/**
 * The logs that are named, or else those of the person's own services.
 * @throws Complaint for a key or a policy that cannot be read
 */
export async function logTrust({ env, values }: Surroundings): Promise<LogTrust> {
  const keys = textOptions(values, 'key').map(logKey)
  const file = textOption(values, 'policy')
  if (file === undefined) {
    const own = keys.length > 0 ? [] : await ownLogKeys(env)
    return { keys: [...keys, ...own.map(({ key }) => logKey(key))], policy: undefined }
  }
  const bytes = await readNamed(file, POLICY_CEILINGS.bytes)
  const unread = ({ message }: RangeError) =>
    new Complaint(`${file} is not a policy that can be read here: ${message}.`)
  return { keys, policy: rethrown(() => readPolicy(bytes), RangeError, unread) }
}

/**
 * The key of the log at this address: the one that is named, or that of a profile of the same service.
 * @throws Complaint for several keys, and for one that cannot be read
 */
export async function keyOfLog(
  { env, values }: Surroundings,
  { origin }: URL,
): Promise<VerifierKey | undefined> {
  const [named, another] = textOptions(values, 'key')
  if (another !== undefined) throw new Complaint('A log has one key.')
  const key = named ?? (await ownLogKeys(env)).find((own) => own.origin === origin)?.key
  return key === undefined ? undefined : logKey(key)
}

function logKey(text: string): VerifierKey {
  const key = readOrUndefined(() => readVerifierKey(text))
  if (key?.type === SIGNATURE_TYPES.ed25519) return key
  throw new Complaint(`${text} is not the verifier key of a log.`, {
    advice:
      'Its operator prints it: npm run -s pharos -- log key. It stands in a policy too, after the word log.',
  })
}

/** What the log showed is not what a log shows. A later look may find better. */
export class StrangeAnswer extends Complaint {}

/** @throws StrangeAnswer when there is none */
export async function shownCheckpoint(read: LogFiles['read']) {
  const bytes = await read('checkpoint', COPY_CEILINGS.checkpoint)
  if (bytes === undefined) throw new StrangeAnswer('The log shows no checkpoint.')
  return strict('The log shows no checkpoint', () => ({
    text: new TextDecoder().decode(bytes),
    checkpoint: readSignedCheckpoint(bytes),
  }))
}

/** The key that the log itself names for an origin, in its policy. */
export async function namedKey(read: LogFiles['read'], origin: string): Promise<VerifierKey | undefined> {
  const bytes = await read('policy', POLICY_CEILINGS.bytes)
  if (bytes === undefined) return undefined
  return strict('The policy of the log cannot be read', () =>
    readPolicy(bytes)
      .logs.map(({ key }) => key)
      .find(({ name }) => name === origin),
  )
}

/** Both checkpoints must be signed by the key. @throws StrangeAnswer when the new one is not */
export async function compared(
  read: LogFiles['read'],
  key: VerifierKey,
  { seen, now }: { readonly seen: SignedCheckpoint; readonly now: SignedCheckpoint },
): Promise<Comparison> {
  if (!isSignedBy(now.note, key))
    throw new StrangeAnswer(`The checkpoint has no valid signature of ${key.name}.`)
  const byTiles = (oldSize: number, newSize: number) => tileProof(read, oldSize, newSize)
  const found = await compareCheckpoints(
    seen,
    now,
    async (oldSize, newSize) => (await givenProof(read, oldSize, newSize)) ?? byTiles(oldSize, newSize),
  )
  if (found !== 'split' || seen.size === now.size) return found
  // A proof may be spoiled on its way. Tiles that prove it are as good.
  const again = await compareCheckpoints(seen, now, byTiles)
  return again === 'open' ? found : again
}

const PROOF_BYTES = 45 * MOST_PROOF_HASHES

/** A plain copy of a log gives none. */
async function givenProof(
  read: LogFiles['read'],
  oldSize: number,
  newSize: number,
): Promise<Uint8Array[] | undefined> {
  const bytes = await read(`consistency/${oldSize}/${newSize}`, PROOF_BYTES)
  if (bytes === undefined) return undefined
  return strict('The consistency proof cannot be read', () =>
    readHashLines(new TextDecoder().decode(bytes).split('\n').slice(0, -1)),
  )
}

/** The same proof, made of tiles. Undefined when the log has too few of them. */
async function tileProof(
  read: LogFiles['read'],
  oldSize: number,
  newSize: number,
): Promise<Uint8Array[] | undefined> {
  let isMissing = false
  const tiles: TileReader = (places) =>
    Promise.all(
      places.map(async (place) => {
        const { bytes } = await readTileFile(read, place)
        if (bytes === undefined) isMissing = true
        return bytes ?? new Uint8Array()
      }),
    )
  try {
    return await consistencyProof(tiles, oldSize, newSize)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    if (isMissing) return undefined
    throw new StrangeAnswer(`The tiles of the log cannot be read: ${error.message}.`)
  }
}

const strict = <T>(what: string, read: () => T): T =>
  rethrown(read, RangeError, ({ message }) => new StrangeAnswer(`${what}: ${message}.`))
