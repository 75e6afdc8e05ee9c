// `pharos proof --ots`: the proof of an item as an .ots file for the ordinary OpenTimestamps client. It is written
// here, from a bundle that was checked here, so the service is not trusted with it.
import { NotExpressible } from '../../shared/proof/opentimestamps/not_expressible.ts'
import {
  type BitcoinNetwork,
  type OtsFile,
  otsFileName,
  otsFileOf,
} from '../../shared/proof/opentimestamps/ots_file.ts'
import type { CheckedProof } from './check_fetched.ts'
import type { Surroundings, Values } from './command.ts'
import { Complaint, type ExitCode } from './complaint.ts'
import { printable } from './terminal.ts'
import { quoted, writeMade } from './write_file.ts'

/** What shapes a bundle, and no .ots file. */
const OF_BUNDLES = ['format', 'layout', 'witnesses']

/** @throws Complaint for options that do not go together */
export function checkOtsOptions(values: Values): void {
  const other = OF_BUNDLES.find((name) => values[name] !== undefined)
  if (other !== undefined) throw new Complaint(`--${other} is about bundles, and --ots writes none.`)
  if (values.type !== undefined && values.type !== 'item')
    throw new Complaint('--ots is for items: an .ots file begins with the digest of a file.')
}

/** @param out `-` for standard output; the usual name when undefined */
export async function storeOts(
  { terminal }: Surroundings,
  { read }: CheckedProof,
  { id, out }: { readonly id: string; readonly out: string | undefined },
): Promise<ExitCode> {
  const { network, bytes } = expressed(() => otsFileOf(read))
  if (out === '-') {
    process.stdout.write(bytes)
    return 0
  }
  const path = out ?? otsFileName(id, network)
  await writeMade(path, bytes)
  terminal.say(`${printable(path)}  the proof for the OpenTimestamps client; its bundle verifies`)
  terminal.note(
    '! It discloses the whole claims of the item. Signatures, witnesses and keys are in the bundle alone.',
  )
  if (network !== 'mainnet')
    terminal.note(`! It attests to Bitcoin's ${network}, which proves nothing to outsiders.`)
  terminal.note('To check it with the file that the item is about, and a Bitcoin node:')
  terminal.note(`  ots ${OPTION[network]}verify -f <file> ${quoted(path)}`)
  return 0
}

const OPTION: Readonly<Record<BitcoinNetwork, string>> = {
  mainnet: '',
  testnet: '--btc-testnet ',
  regtest: '--btc-regtest --bitcoin-node <address> ',
}

function expressed(express: () => OtsFile): OtsFile {
  try {
    return express()
  } catch (error) {
    if (error instanceof NotExpressible)
      throw new Complaint(`There is no .ots file of this item (${error.reason}): ${error.message}`, {
        exitCode: 1,
        advice: 'Without --ots its proof can be had as a bundle.',
      })
    // A service of another kind may send entries that are signed but lead nowhere.
    if (error instanceof RangeError)
      throw new Complaint(`The proof has no way to a Bitcoin block: ${error.message}.`, { exitCode: 1 })
    throw error
  }
}
