// `pharos upgrade`: asks the service that signed a receipt for its proof, checks that the proof belongs to it, and puts it
// into the file.
import type { ClientCommand, Surroundings } from '../../../shared/cli/command.ts'
import { Complaint, type ExitCode, printable, tellComplaint } from '../../../shared/cli/terminal.ts'
import { worst } from '../exit_codes.ts'
import { KEYRING_OPTION, keyringsFor } from '../keyring.ts'
import { logTrust, TRUST_OPTIONS } from '../log_files.ts'
import { pauseAfter } from '../service/patience.ts'
import { fillReceipt, type How, isThere, type Tried, type Wait } from './fill_receipt.ts'
import { waitOf } from './waiting.ts'

export const upgrade: ClientCommand = {
  usage: '<receipt>… [--wait] [--timeout <time>] [--dry-run] [--keyring <file or address>]',
  meaning: 'puts the proof into receipts, which are evidence files and manifests, once there is one',
  help: `
<receipt> is a file that says "not yet" when it is verified. The service that it names is asked for its proof. Only a
proof that is valid and belongs to this very item is put into the file, which is replaced in whole or stays as it was.

The address in a receipt is a hint that anybody may have written. What you are signed in with is sent to that very
service and to nobody else: any other is asked without it, by https (http on this computer), and named before.`,
  options: {
    wait: { type: 'boolean', meaning: 'until every one has its proof' },
    timeout: {
      type: 'string',
      takes: '<time>',
      meaning: 'waits no longer: 3h, unless it says otherwise. Such as 90 (seconds), 20m, 2h',
    },
    'dry-run': { type: 'boolean', meaning: 'asks and checks, and changes nothing' },
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
  run: async (surroundings, values, files) => {
    if (files.length === 0)
      throw new Complaint('Name one receipt, or more.', { advice: `${surroundings.self} upgrade --help` })
    const isDry = values['dry-run'] === true
    if (isDry && values.wait === true)
      throw new Complaint('--dry-run changes nothing, so there is nothing to wait for.')
    const wait = waitOf(values)
    const trust = {
      keyrings: await keyringsFor(surroundings, values),
      logs: await logTrust(surroundings, values),
    }
    const codes: ExitCode[] = []
    for (const file of files) codes.push(await upgradeOrTell(surroundings, file, { trust, isDry }, wait))
    return worst(codes)
  },
}

/** One file that cannot be upgraded keeps none of the others from it. */
async function upgradeOrTell(
  surroundings: Surroundings,
  file: string,
  how: How,
  wait: Wait | undefined,
): Promise<ExitCode> {
  const { terminal } = surroundings
  try {
    const tried = await fillReceipt(surroundings, file, how, wait)
    terminal.say(`${printable(file)}  ${wordsFor(tried)}`)
    return isThere(tried) ? 0 : 3
  } catch (error) {
    if (!(error instanceof Complaint)) throw error
    tellComplaint(terminal, error, `${file}: `)
    return pauseAfter(error, 0) === undefined ? error.exitCode : 2
  }
}

function wordsFor(tried: Tried): string {
  switch (tried.kind) {
    case 'had':
      return 'has its proof already'
    case 'filled':
      return 'has its proof now'
    case 'there':
      return 'its proof is there; nothing was changed'
    case 'not_yet':
      return `not yet: ${tried.why}`
    default:
      return tried satisfies never
  }
}
