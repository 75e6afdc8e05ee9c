// `pharos verify`: reads proofs of any kind, checks them step by step on this computer, asks public services where it may,
// and prints what is proved and what was not checked.
import {
  type ClientCommand,
  type Surroundings,
  textOption,
  textOptions,
} from '../../../shared/cli/command.ts'
import { askHttp, isAddress } from '../../../shared/cli/get_bytes.ts'
import {
  Complaint,
  type ExitCode,
  plural,
  printable,
  sayDocument,
  tellComplaint,
} from '../../../shared/cli/terminal.ts'
import type { EvidenceTrust } from '../../../shared/evidence/trust.ts'
import {
  type GetJson,
  httpLookups,
  LOOKUP_PLACE_NAMES,
  LOOKUP_PLACES,
  type Lookups,
  lookupAddresses,
} from '../../../shared/proof/lookups/lookup.ts'
import { readGiven } from '../given_proof.ts'
import { KEYRING_OPTION, keyringsFor } from '../keyring.ts'
import { logTrust, TRUST_OPTIONS } from '../log_files.ts'
import { oneByOne, worst } from '../one_by_one.ts'
import { type JudgedProof, judge } from './judge.ts'
import { printReport, VERDICTS } from './print_report.ts'
import { STAMP_OPTIONS, stampTrust } from './stamp_trust.ts'
import { verifyFolder } from './verify_folder.ts'

export const verify: ClientCommand = {
  usage:
    '<proof>… [--file <data> | --expected-hash <hex>] [--keyring <file or address>] [--offline] [--json]',
  meaning: 'verifies proof bundles, evidence files, manifests, .ots files and time stamps on this computer',
  help: `
<proof> is a file, or - for standard input, and there may be many of all kinds. Evidence files, manifests, .ots files and
proof bundles (JSON, CBOR, base64 of CBOR) are told apart by what is in them. A proof whose key no keyring at hand knows is
not valid: the mathematics hold, and whose key it is stays open. An .ots file says only which Merkle root a Bitcoin block
must have, and nobody could be asked for it with --offline. A time stamp (RFC 3161, a token or its response) is valid while its
certificate is to be trusted; with its evidence beside it, in <proof>.pharos, it is preserved when that has ended or was
revoked.

Where it asks, for mirrors, by environment variables:
${LOOKUP_PLACE_NAMES.map((place) => LOOKUP_PLACES[place].verifierSetting).join(', ')}. NO_COLOR switches colours off.`,
  options: {
    file: {
      takes: '<file>',
      meaning: 'hashes this file the way the proof names, and compares. Of one proof alone',
    },
    'expected-hash': { takes: '<hex>', meaning: 'compares this digest' },
    manifest: {
      takes: '<file>',
      meaning:
        'compares the folder that is named in the place of a proof with this manifest, and says which of its files were changed, which are missing, and which are new',
    },
    keyring: KEYRING_OPTION,
    ...TRUST_OPTIONS,
    ...STAMP_OPTIONS,
    'any-key': {
      meaning:
        'counts a proof as valid although nobody at hand knows its key. It then says only that everything fits together, which anybody can bring about with a key of his own; of a receipt not even its signature is checked, and it stays "not yet"',
    },
    offline: {
      meaning:
        'asks nobody. Otherwise the public chains and entropy sources are asked about what the bundle says of them; what does not answer is not checked',
    },
    json: {
      meaning: 'prints the report as JSON, of several proofs a list. Its "passed" knows nothing of --any-key',
    },
  },
  exits: {
    0: 'valid or preserved, all of them',
    1: 'one is not valid, or a time stamp unsupported, or a file is not what its manifest says',
    2: 'one is not readable, or a file that its manifest names, or nobody could be asked about it',
    3: 'not yet: the service accepted it, and its evidence has no bundle so far; or a calendar promised it, and no Bitcoin block attests to it so far',
  },
  run: async (surroundings, sources) => {
    const { terminal, env, values } = surroundings
    const manifest = textOption(values, 'manifest')
    const [source, ...more] = sources
    if (source === undefined || (manifest !== undefined && more.length > 0))
      throw new Complaint(
        manifest === undefined ? 'Name proofs, or - for standard input.' : 'Name the folder of the manifest.',
      )
    checkTogether(surroundings, sources)
    const trust: EvidenceTrust = {
      keyrings: await keyringsFor(surroundings),
      logs: await logTrust(surroundings),
      lookups: values.offline === true ? undefined : publicLookups(env),
      checkTimeStamp: async (token, digest) => {
        // What reads certificates is large, and needed here alone.
        const { carriedStampFindings } = await import('../../../shared/evidence/verify_time_stamp.ts')
        return carriedStampFindings(token, digest, await stampTrust(surroundings))
      },
    }
    if (manifest !== undefined) return verifyFolder(surroundings, manifest, source, trust)
    if (more.length > 0) return verifyMany(surroundings, sources, trust)
    const judged = await judge(surroundings, await readGiven(terminal, source), trust)
    if (values.json === true) sayDocument(terminal, judged.shown)
    else printReport(surroundings, judged, trust.keyrings)
    return judged.code
  },
}

/** A line for each, and below it what it says of itself. One that cannot be read keeps none of the others from it. */
async function verifyMany(
  surroundings: Surroundings,
  sources: readonly string[],
  trust: EvidenceTrust,
): Promise<ExitCode> {
  const { terminal, values } = surroundings
  const codes = await oneByOne(
    surroundings,
    sources,
    async (source) => {
      const judged = await judge(surroundings, await readGiven(terminal, source), trust)
      if (values.json !== true) printShortly(surroundings, source, judged)
      return { code: judged.code, shown: { report: judged.shown } }
    },
    (complaint) => tellComplaint(terminal, complaint),
  )
  const good = codes.filter((code) => code === 0).length
  terminal.note(`${good} of ${plural(codes.length, 'proof')} ${good === 1 ? 'is' : 'are'} valid.`)
  return worst(codes)
}

function printShortly(
  { terminal: { say, paint } }: Surroundings,
  source: string,
  { counted, headline, sentence, reservations }: JudgedProof,
): void {
  const { colour, mark } = VERDICTS[counted]
  say(`${paint[colour](mark)} ${paint.bold(printable(source))}  ${headline}`)
  say(`    ${printable(sentence)}`)
  for (const reservation of reservations) say(`    ${paint.yellow('!')} ${printable(reservation)}`)
}

function checkTogether({ self, values }: Surroundings, sources: readonly string[]): void {
  const compared = ['file', 'expected-hash'].filter((name) => values[name] !== undefined)
  if (compared.length > 1)
    throw new Complaint('--file and --expected-hash answer the same question; give one of them.')
  if (compared.length > 0 && (sources.length > 1 || values.manifest !== undefined))
    throw new Complaint(`--${compared[0]} is about one proof alone.`)
  if (values.file === '-') throw new Complaint('--file takes a file; only the proof can come from - .')
  const fromInput = [...sources, ...textOptions(values, 'keyring')].filter((source) => source === '-')
  if (fromInput.length > 1)
    throw new Complaint('Only one of all proofs and keyrings can come from standard input.')
  if (values.offline === true && textOptions(values, 'keyring').some(isAddress))
    throw new Complaint('--offline asks nobody, and a --keyring address has to be asked.', {
      advice: `Remember it while there is a network: ${self} keyring add <address>`,
    })
}

/** The usual services, or mirrors that the environment names. @throws Complaint for a mirror that is not an address */
const publicLookups = (env: NodeJS.ProcessEnv): Lookups =>
  httpLookups({
    getJson,
    addresses: lookupAddresses((place) => {
      const { verifierSetting, byDefault } = LOOKUP_PLACES[place]
      return addressOf(env, verifierSetting, byDefault)
    }),
  })

function addressOf(env: NodeJS.ProcessEnv, name: string, usual: string): string {
  const given = env[name] ?? ''
  if (given === '') return usual
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new Complaint(`${name} is not an http(s) address.`)
  return given.replace(/\/+$/, '')
}

/** Never throws. A source that does not answer is a finding of the report, not an error. */
const getJson: GetJson = async (url) => {
  try {
    const { status, bytes } = await askHttp(new URL(url))
    return { status, body: status === 200 ? JSON.parse(new TextDecoder().decode(bytes)) : null }
  } catch (error) {
    if (error instanceof Complaint) return { failure: error.message }
    if (error instanceof SyntaxError) return { failure: `${new URL(url).origin} sent no JSON.` }
    throw error
  }
}
