// `pharos upgrade`: asks the service that signed a receipt for its proof, checks that the proof belongs to it, and puts it
// into the file.
import type { ClientCommand } from '../../../shared/cli/command.ts'
import {
  asComplaint,
  Complaint,
  type ExitCode,
  printable,
  sayDocument,
  tellComplaint,
} from '../../../shared/cli/terminal.ts'
import { KEYRING_OPTION, keyringsFor } from '../keyring.ts'
import { logTrust, TRUST_OPTIONS } from '../log_files.ts'
import { worst } from '../one_by_one.ts'
import { type FillOutcome, fillReceipt, type Had, isFilled, waitOf } from './fill_receipt.ts'

export const upgrade: ClientCommand = {
  usage: '<receipt>… [--wait] [--timeout <time>] [--dry-run] [--json] [--keyring <file or address>]',
  meaning: 'puts the proof into receipts, which are evidence files and manifests, once there is one',
  help: `
<receipt> is a file that says "not yet" when it is verified. The service that it names is asked for its proof. Only a
proof that is valid and belongs to this very item is put into the file, which is replaced in whole or stays as it was.
A file that has its proof gets what came later: another public chain, or the proof of the public log.

The address in a receipt is a hint that anybody may have written. What you are signed in with is sent to that very
service and to nobody else: any other is asked without it, by https (http on this computer), and named before.`,
  options: {
    wait: { meaning: 'until every one has its proof' },
    timeout: {
      takes: '<time>',
      meaning: 'waits no longer: 3h, unless it says otherwise. Such as 90 (seconds), 20m, 2h',
    },
    json: { meaning: 'prints a list as JSON' },
    'dry-run': { meaning: 'asks and checks, and changes nothing' },
    keyring: KEYRING_OPTION,
    ...TRUST_OPTIONS,
  },
  exits: {
    0: 'every file has its valid proof',
    1: 'one was refused',
    2: 'one could not be read or asked about',
    3: 'not yet',
    4: 'you are to sign in first',
  },
  run: async (surroundings, files) => {
    const { terminal, values } = surroundings
    if (files.length === 0) throw new Complaint('Name one receipt, or more.')
    const isDry = values['dry-run'] === true
    if (isDry && values.wait === true)
      throw new Complaint('--dry-run changes nothing, so there is nothing to wait for.')
    const wait = waitOf(surroundings)
    const trust = {
      keyrings: await keyringsFor(surroundings),
      logs: await logTrust(surroundings),
    }
    const how = { trust, isDry }
    const isJson = values.json === true
    const outcomes: Outcome[] = []
    const tell = (at: number, outcome: Outcome): void => {
      outcomes[at] = outcome
      if (!isJson && outcome.state !== null)
        terminal.say(`${printable(outcome.file)}  ${WORDS[outcome.state]}${outcome.why ?? ''}`)
    }
    const whole: (Had & { readonly at: number; readonly file: string })[] = []
    for (const [at, file] of files.entries()) {
      const tried = await fillReceipt(surroundings, file, how, wait).catch(asComplaint)
      if (!(tried instanceof Complaint) && tried.kind === 'had') whole.push({ ...tried, at, file })
      else tell(at, outcomeOf(file, tried))
      if (tried instanceof Complaint) tellComplaint(terminal, tried, { about: file })
    }
    // The newest first, because what is older has had more time. A service that once gives no answer to this is left alone:
    // each of these files is valid without it.
    const silent = new Set<string>()
    for (const { at, file, ...had } of whole.toSorted((a, b) => b.acceptedAt - a.acceptedAt)) {
      const again = silent.has(had.service)
        ? had
        : await fillReceipt(surroundings, file, { ...how, isAgain: true }).catch(asComplaint)
      if (again instanceof Complaint) {
        silent.add(had.service)
        terminal.note(printable(`Whether there is more for ${file} was not told. ${again.message}`))
      }
      tell(at, outcomeOf(file, again instanceof Complaint ? had : again))
    }
    if (isJson) sayDocument(terminal, outcomes)
    return worst(outcomes.map(({ exit_code }) => exit_code))
  },
}

/** As JSON shows it. */
interface Outcome {
  readonly file: string
  readonly exit_code: ExitCode
  /** Null when it is not known. */
  readonly state: FillOutcome['kind'] | null
  /** Of a proof that is not there yet. */
  readonly why: string | null
  readonly error: string | null
}

function outcomeOf(file: string, tried: FillOutcome | Complaint): Outcome {
  if (tried instanceof Complaint)
    return { file, exit_code: tried.exitCode, state: null, why: null, error: tried.message }
  const why = tried.kind === 'not_yet' ? tried.why : null
  return { file, exit_code: isFilled(tried) ? 0 : 3, state: tried.kind, why, error: null }
}

/** What follows the name of the file. Behind the last one it says why. */
const WORDS: Readonly<Record<FillOutcome['kind'], string>> = {
  had: 'has its proof already',
  filled: 'has its proof now',
  there: 'its proof is there; nothing was changed',
  not_yet: 'not yet: ',
}
