// `pharos watch`: a monitor of a public log. It remembers the last checkpoint, asks for the consistency proof at each
// new one, and ends when the log has shown two histories.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientCommand, type Surroundings, textOption, type Values } from '../../shared/cli/command.ts'
import {
  asComplaint,
  Complaint,
  type ExitCode,
  plural,
  printable,
  sayRow,
} from '../../shared/cli/terminal.ts'
import { openCheckpoint, type SignedCheckpoint } from '../../shared/log/checkpoint.ts'
import { isSignedBy } from '../../shared/log/signed_note.ts'
import { readVerifierKey, type VerifierKey, writeVerifierKey } from '../../shared/log/verifier_key.ts'
import { rethrown, utf8 } from '../../shared/proof/bytes.ts'
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
  run: async (surroundings, [address, ...more]) => {
    const { values } = surroundings
    if (address === undefined || more.length > 0) throw new Complaint('Name one log.')
    const url = logAddress(address)
    const monitor: Monitor = {
      surroundings,
      key: await keyOfLog(surroundings, url),
      read: logFiles(surroundings, url.href).read,
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
      const words = printable(asComplaint(error).message)
      troubles += 1
      monitor.surroundings.terminal.note(`! ${new Date().toISOString()} ${words}`)
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
  const { terminal } = surroundings
  const { held, seen } = (await stateOf(monitor)) ?? {}
  const { text, checkpoint: now } = await shownCheckpoint(read)
  const key = given ?? (held === undefined ? await namedKey(read, now.origin) : readVerifierKey(held.key))
  if (key === undefined)
    throw new Complaint('The log names no key of its own in its policy.', {
      advice: 'Say whose log it is with --key.',
    })
  const state: Watched = { key: writeVerifierKey(key), checkpoint: text, seenAt: new Date().toISOString() }
  if (held === undefined || seen === undefined) {
    if (now.origin !== key.name || !isSignedBy(now.note, key))
      throw new StrangeAnswer(`The checkpoint has no valid signature of ${key.name}.`)
    await writeState(path, state)
    const believed = given === undefined ? `; its key is believed from now on: ${state.key}` : ''
    return told('first', `seen for the first time${believed}`)
  }
  if (now.origin !== seen.origin)
    return told('renamed', `The log ${seen.origin} goes under another name now: ${now.origin}`)
  switch (await compared(read, key, { seen, now })) {
    case 'same':
      return told('same', `as they were seen ${held.seenAt}`)
    case 'grown':
      await writeState(path, state)
      return told('grown', `consistent with the ${seen.size} seen ${held.seenAt}`)
    case 'older':
      return told('older', `of the same history as the ${seen.size} seen ${held.seenAt}`)
    case 'open':
      throw new StrangeAnswer(
        `The log shows ${plural(now.size, 'block')} and no proof that they belong to the ${seen.size} seen ${held.seenAt}.`,
      )
    case 'split':
      return told(
        'split',
        `SPLIT: the log ${seen.origin} has shown two histories. Its own signature is under both`,
      )
  }

  /** Both checkpoints are in each row, and in the words of a loud outcome, because they are the evidence. */
  function told(outcome: Outcome, words: string): ExitCode {
    const { say, note, paint } = terminal
    const isLoud = outcome === 'split' || outcome === 'renamed'
    if (isJson)
      sayRow(terminal, {
        outcome,
        at: state.seenAt,
        origin: now.origin,
        key: state.key,
        // Who said whose log it is: the person or a profile, the state, or the log itself.
        key_source: given !== undefined ? 'named' : held === undefined ? 'log' : 'remembered',
        size: now.size,
        checkpoint: state.checkpoint,
        seen: held === undefined ? null : { at: held.seenAt, size: seen?.size, checkpoint: held.checkpoint },
      })
    else if (held === undefined || !isLoud)
      say(`${state.seenAt} ${printable(now.origin)}: ${plural(now.size, 'block')}, ${words}`)
    else {
      say(paint.red(`${printable(words)}.`))
      for (const { seenAt, checkpoint } of [held, state]) {
        say(`--- seen ${seenAt}`)
        say(checkpoint.split('\n').map(printable).join('\n'))
      }
    }
    if (!isLoud) return 0
    note(`Keep both. Once you have understood them, remove ${path} to begin anew with what is shown now.`)
    return 1
  }
}

/** What a look found. The last two are the loud ones. */
type Outcome = 'first' | 'same' | 'grown' | 'older' | 'split' | 'renamed'

/** Signed by the key that is remembered: otherwise nothing may be concluded from it. */
const heldCheckpoint = (path: string, { key, checkpoint }: Watched): SignedCheckpoint =>
  rethrown(
    () => openCheckpoint(utf8(checkpoint), readVerifierKey(key)),
    RangeError,
    () => new Complaint(`${path} is not the state of a monitor.`),
  )

function everyMs(values: Values): number {
  const text = textOption(values, 'every') ?? '60'
  if (!/^\d{1,5}$/.test(text) || Number(text) === 0)
    throw new Complaint('--every takes seconds, from 1 to 99999.')
  return Number(text) * 1_000
}
