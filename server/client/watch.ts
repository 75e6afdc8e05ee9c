// `pharos watch`: a monitor of a public log. It remembers the last checkpoint, asks for the consistency proof at each
// new one, and ends when the log has shown two histories.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientCommand, type Surroundings, textOption, type Values } from '../../shared/cli/command.ts'
import { Complaint, type ExitCode, plural, printable, sayRow } from '../../shared/cli/terminal.ts'
import { openCheckpoint, type SignedCheckpoint } from '../../shared/log/checkpoint.ts'
import { isSignedBy } from '../../shared/log/signed_note.ts'
import { readVerifierKey, type VerifierKey, writeVerifierKey } from '../../shared/log/verifier_key.ts'
import { memberAt, textAt } from '../../shared/proof/json_value.ts'
import { configFolder, readKept, writeKept } from './files.ts'
import {
  compared,
  keyOfLog,
  type LogFiles,
  logAddress,
  logFiles,
  namedKey,
  StrangeAnswer,
  shownCheckpoint,
} from './log_files.ts'

interface Watched {
  /** The verifier key of the log. */
  readonly key: string
  /** The note, as it was shown. */
  readonly checkpoint: string
  /** ISO 8601. */
  readonly seenAt: string
}

const stateFile = (env: NodeJS.ProcessEnv, log: URL): string =>
  join(configFolder(env), 'logs', `${encodeURIComponent(`${log.host}${log.pathname}`)}.json`)

/** Undefined before the first run. @throws Complaint when the file is something else */
const readState = (path: string): Promise<Watched | undefined> =>
  readKept(
    path,
    (value) => {
      const [key, checkpoint, seenAt] = ['key', 'checkpoint', 'seen_at'].map((name) => textAt(value, name))
      return memberAt(value, 'version') === 1 && key && checkpoint && seenAt
        ? { key, checkpoint, seenAt }
        : undefined
    },
    new Complaint(`${path} is not the state of a monitor.`, {
      advice: 'What it saw is lost with it, so it is not replaced. Move it away to begin anew.',
    }),
  )

const writeState = (path: string, { key, checkpoint, seenAt }: Watched): Promise<void> =>
  writeKept(path, `${JSON.stringify({ version: 1, key, checkpoint, seen_at: seenAt }, null, 2)}\n`)

export const watch: ClientCommand = {
  usage: '<address> [--key <verifier key>] [--state <file>] [--every <seconds>] [--once] [--json]',
  meaning: 'watches a public log, and ends when it has shown two histories',
  help: `
<address> is what stands before /checkpoint: https://pharos.example/log, or a copy of it on any web server.

Each new checkpoint must be signed by the key of the log and continue the one before: the log proves it, or its tiles
do. A log that does not answer, or answers with something else, is asked again, later and later.

When the log has shown two histories, both checkpoints are printed, and they are the evidence.
What you are signed in with is sent only where the address is at that very service: see "login".`,
  options: {
    key: {
      multiple: true,
      takes: '<verifier key>',
      meaning:
        'whose log it is. Without it: that of your profile of this service, or else the key that the log names in its policy is believed once, and remembered',
    },
    state: {
      takes: '<file>',
      meaning: 'where the last checkpoint is remembered (~/.config/pharos/logs/<address>.json)',
    },
    every: { takes: '<seconds>', meaning: 'time between two looks: 60' },
    once: { meaning: 'looks once, and ends' },
    json: {
      meaning:
        'prints a line of JSON for each look. "key_source" is named, remembered, or log: believed from now on, because nobody named one',
    },
  },
  exits: {
    0: 'all is well',
    1: 'the log has shown two histories, or goes under another name',
    2: 'wrongly asked, or --once found no answer',
    4: '--once found a log that asks for a credential',
  },
  run: async (surroundings, values, [address, ...more]) => {
    if (address === undefined || more.length > 0)
      throw new Complaint('Name one log.', { advice: `${surroundings.self} watch --help` })
    const url = logAddress(address)
    const monitor: Monitor = {
      surroundings,
      key: await keyOfLog(surroundings, values, url),
      read: logFiles(surroundings, values, url.href).read,
      path: textOption(values, 'state') ?? stateFile(surroundings.env, url),
      isJson: values.json === true,
    }
    if (values.once === true) return look(monitor)
    const pauseMs = everyMs(values)
    await stateOf(monitor)
    return keepLooking(monitor, pauseMs)
  },
}

interface Monitor {
  readonly surroundings: Surroundings
  readonly key: VerifierKey | undefined
  readonly read: LogFiles['read']
  readonly path: string
  readonly isJson: boolean
}

const LONGEST_PAUSE_MS = 600_000

/** Ends only with a split: a monitor that gives up because of a bad night is none. */
async function keepLooking(monitor: Monitor, pauseMs: number): Promise<ExitCode> {
  for (let troubles = 0; ; ) {
    try {
      const code = await look(monitor)
      if (code !== 0) return code
      troubles = 0
    } catch (error) {
      if (!(error instanceof Complaint)) throw error
      troubles += 1
      monitor.surroundings.terminal.note(`! ${new Date().toISOString()} ${printable(error.message)}`)
    }
    await sleep(Math.min(pauseMs * 2 ** Math.min(troubles, 10), Math.max(pauseMs, LONGEST_PAUSE_MS)))
  }
}

/** Undefined before the first run. @throws Complaint for a state that no later look could go on from */
async function stateOf({ path, key }: Monitor) {
  const held = await readState(path)
  if (held === undefined) return undefined
  const seen = heldCheckpoint(path, held)
  if (key !== undefined && writeVerifierKey(key) !== held.key)
    throw new Complaint(`${path} remembers another key: ${held.key}.`, {
      advice: 'Name another --state for another log.',
    })
  return { held, seen }
}

async function look(monitor: Monitor): Promise<ExitCode> {
  const { surroundings, key: given, read, path, isJson } = monitor
  const { held, seen } = (await stateOf(monitor)) ?? {}
  const { text, checkpoint: now } = await shownCheckpoint(read)
  const key = given ?? (held === undefined ? await namedKey(read, now.origin) : readVerifierKey(held.key))
  if (key === undefined)
    throw new Complaint('The log names no key of its own in its policy.', {
      advice: 'Say whose log it is with --key.',
    })
  const state: Watched = { key: writeVerifierKey(key), checkpoint: text, seenAt: new Date().toISOString() }
  const keySource = given !== undefined ? 'named' : sourceOf(held)
  const tell = (outcome: Outcome, words: string, size?: number): ExitCode =>
    (isJson ? tellRow : tellWords)({ surroundings, path, outcome, words, now, size, state, held, keySource })
  if (held === undefined || seen === undefined) {
    if (now.origin !== key.name || !isSignedBy(now.note, key))
      throw new StrangeAnswer(`The checkpoint has no valid signature of ${key.name}.`)
    await writeState(path, state)
    return tell(
      'first',
      `seen for the first time${given === undefined ? `; its key is believed from now on: ${state.key}` : ''}`,
    )
  }
  if (now.origin !== seen.origin)
    return tell('renamed', `The log ${seen.origin} goes under another name now: ${now.origin}`, seen.size)
  switch (await compared(read, key, { seen, now })) {
    case 'same':
      return tell('same', `as they were seen ${held.seenAt}`, seen.size)
    case 'grown':
      await writeState(path, state)
      return tell('grown', `consistent with the ${seen.size} seen ${held.seenAt}`, seen.size)
    case 'older':
      return tell('older', `of the same history as the ${seen.size} seen ${held.seenAt}`, seen.size)
    case 'open':
      throw new StrangeAnswer(
        `The log shows ${plural(now.size, 'block')} and no proof that they belong to the ${seen.size} seen ${held.seenAt}.`,
      )
    case 'split':
      return tell(
        'split',
        `SPLIT: the log ${seen.origin} has shown two histories. Its own signature is under both`,
        seen.size,
      )
  }
}

/** What a look found. The last two are the loud ones. */
type Outcome = 'first' | 'same' | 'grown' | 'older' | 'split' | 'renamed'

interface Told {
  readonly surroundings: Surroundings
  /** Of the state. */
  readonly path: string
  readonly outcome: Outcome
  readonly words: string
  readonly now: SignedCheckpoint
  /** What was shown now. */
  readonly state: Watched
  /** What was remembered, and how many blocks that had. Undefined at the first look. */
  readonly held: Watched | undefined
  readonly size: number | undefined
  readonly keySource: KeySource
}

/** Who said whose log it is: the person or a profile, the state, or the log itself. */
type KeySource = 'named' | 'remembered' | 'log'

const sourceOf = (held: Watched | undefined): KeySource => (held === undefined ? 'log' : 'remembered')

const isLoud = (outcome: Outcome): boolean => outcome === 'split' || outcome === 'renamed'

function tellWords({ surroundings, path, outcome, words, now, state, held }: Told): ExitCode {
  const { say, note, paint } = surroundings.terminal
  if (held === undefined || !isLoud(outcome)) {
    say(`${state.seenAt} ${printable(now.origin)}: ${plural(now.size, 'block')}, ${words}`)
    return 0
  }
  say(paint.red(`${printable(words)}.`))
  for (const { seenAt, checkpoint } of [held, state]) {
    say(`--- seen ${seenAt}`)
    say(checkpoint.split('\n').map(printable).join('\n'))
  }
  note(keepBoth(path))
  return 1
}

/** Both checkpoints are in each row, because they are the evidence. */
function tellRow(told: Told): ExitCode {
  const { surroundings, path, outcome, now, size, state, held } = told
  const { terminal } = surroundings
  sayRow(terminal, {
    outcome,
    at: state.seenAt,
    origin: now.origin,
    key: state.key,
    key_source: told.keySource,
    size: now.size,
    checkpoint: state.checkpoint,
    seen: held === undefined ? null : { at: held.seenAt, size, checkpoint: held.checkpoint },
  })
  if (!isLoud(outcome)) return 0
  terminal.note(keepBoth(path))
  return 1
}

const keepBoth = (path: string): string =>
  `Keep both. Once you have understood them, remove ${path} to begin anew with what is shown now.`

/** Signed by the key that is remembered: otherwise nothing may be concluded from it. */
function heldCheckpoint(path: string, { key, checkpoint }: Watched): SignedCheckpoint {
  try {
    return openCheckpoint(new TextEncoder().encode(checkpoint), readVerifierKey(key))
  } catch (error) {
    if (error instanceof RangeError) throw new Complaint(`${path} is not the state of a monitor.`)
    throw error
  }
}

function everyMs(values: Values): number {
  const text = textOption(values, 'every') ?? '60'
  if (!/^\d{1,5}$/.test(text) || Number(text) === 0)
    throw new Complaint('--every takes seconds, from 1 to 99999.')
  return Number(text) * 1_000
}
