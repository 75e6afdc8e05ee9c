// `pharos verify`: reads a bundle, checks it step by step on this computer, asks public services where it may, and
// prints what is proved and what was not checked.
import {
  type ClientCommand,
  type Surroundings,
  textOption,
  textOptions,
  type Values,
} from '../../shared/cli/command.ts'
import { askHttp, isAddress } from '../../shared/cli/get_bytes.ts'
import { Complaint, type ExitCode } from '../../shared/cli/terminal.ts'
import type { EntryType } from '../../shared/evidence/digest_tree.ts'
import { judgeEvidence, shownReport } from '../../shared/evidence/judge_evidence.ts'
import type { GivenProof } from '../../shared/evidence/read_given.ts'
import { verifyEvidence } from '../../shared/evidence/verify_evidence.ts'
import { judgeOts, shownOts, verifyOts } from '../../shared/evidence/verify_ots.ts'
import type { ReadBundle } from '../../shared/proof/bundle/read_bundle.ts'
import { fromHex, hexOrUndefined } from '../../shared/proof/bytes.ts'
import { isHashType } from '../../shared/proof/claims.ts'
import {
  type GetJson,
  httpLookups,
  LOOKUP_PLACE_NAMES,
  LOOKUP_PLACES,
  type LookupAddresses,
  type Lookups,
  lookupAddresses,
} from '../../shared/proof/lookups/lookup.ts'
import type { OtsHash } from '../../shared/proof/opentimestamps/ots_format.ts'
import type { ReadOts } from '../../shared/proof/opentimestamps/read_ots.ts'
import type { NamedKeyring } from '../../shared/proof/verify/keyring.ts'
import { verifyBundle } from '../../shared/proof/verify/verify_bundle.ts'
import { bundleFacts } from '../../shared/verifier/bundle_facts.ts'
import { judgeReport } from '../../shared/verifier/verdict.ts'
import { readGiven } from './given_proof.ts'
import { hashData } from './hash_data.ts'
import { keyringsFor } from './keyring.ts'
import { logTrust, TRUST_OPTIONS } from './log_files.ts'
import { type AnyVerdict, printEvidence, printOts, printReport } from './print_report.ts'

/**
 * The public addresses, unless the environment names mirrors.
 * @throws Complaint for a mirror that is not an address
 */
const mirrorsOr = (env: NodeJS.ProcessEnv): LookupAddresses =>
  lookupAddresses((place) => {
    const { verifierSetting, byDefault } = LOOKUP_PLACES[place]
    return addressOf(env, verifierSetting, byDefault)
  })

const addressOf = (env: NodeJS.ProcessEnv, name: string, usual: string): string => {
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

export const verify: ClientCommand = {
  usage: '<proof> [--file <data> | --expected-hash <hex>] [--keyring <file or address>] [--offline] [--json]',
  meaning: 'verifies a proof bundle, an evidence file, a manifest or an .ots file on this computer',
  help: `
<proof> is a file, or - for standard input. Evidence files, manifests, .ots files and proof bundles (JSON, CBOR, base64
of CBOR) are told apart by what is in them.

  --file <data>           hashes this file the way the proof names, and compares
  --expected-hash <hex>   compares this digest
  --keyring <source>      whose keys count: a keyring file, or the address of a service. May be repeated.
                          Without it: the keyrings that "pharos keyring list" shows
  --any-key               counts a proof as valid although nobody at hand knows its key. It then says only that
                          everything fits together, which anybody can bring about with a key of his own; of a
                          receipt not even its signature is checked, and it stays "not yet"
  --offline               asks nobody. Otherwise the public chains and entropy sources are asked about what the
                          bundle says of them; what does not answer is not checked
  --json                  prints the report as JSON. Its "passed" knows nothing of --any-key

Exit code: 0 valid, 1 not valid, 2 not readable or wrongly asked, 3 not yet: the service accepted it, and there is no
bundle in the evidence so far, or a calendar promised it, and no Bitcoin block attests to it so far. An .ots file says
only which Merkle root a Bitcoin block must have: when nobody could be asked for it, this ends with 2. A proof whose key no keyring at hand knows is not valid (1): the mathematics hold, and whose key it is stays open.

Where it asks, for mirrors, by environment variables:
${LOOKUP_PLACE_NAMES.map((place) => LOOKUP_PLACES[place].verifierSetting).join(', ')}. NO_COLOR switches colours off.`,
  options: {
    file: { type: 'string' },
    'expected-hash': { type: 'string' },
    keyring: { type: 'string', multiple: true },
    ...TRUST_OPTIONS,
    'any-key': { type: 'boolean' },
    offline: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run: async (surroundings, values, positionals) => {
    const [source, ...more] = positionals
    if (source === undefined || more.length > 0)
      throw new Complaint('Name one proof, or - for standard input.', {
        advice: `${surroundings.self} verify --help`,
      })
    checkTogether(surroundings, values, source)
    const given = await readGiven(surroundings.terminal, source)
    const keyrings = await keyringsFor(surroundings, values)
    const lookups =
      values.offline === true ? undefined : httpLookups({ getJson, addresses: mirrorsOr(surroundings.env) })
    if (given.kind === 'evidence')
      return verifyGivenEvidence(surroundings, values, { given, keyrings, lookups })
    if (given.kind === 'ots') return verifyGivenOts(surroundings, values, { read: given.read, lookups })
    const { read } = given
    const expectedHash = await expectedHashOf(surroundings, values, read)
    const report = await verifyBundle(read, { expectedHash, keyrings, lookups })
    const judgement = judgeReport(read, report, keyrings)
    const counted = countedAs(values, judgement.verdict, 'valid')
    if (values.json === true) surroundings.terminal.say(JSON.stringify(report, null, 2))
    else printReport(surroundings, { read, report, judgement, keyrings, counted })
    return EXIT_CODES[counted]
  },
}

async function verifyGivenEvidence(
  surroundings: Surroundings,
  values: Values,
  {
    given: { evidence, manifest },
    ...sources
  }: {
    readonly given: Extract<GivenProof, { kind: 'evidence' }>
    readonly keyrings: readonly NamedKeyring[]
    readonly lookups: Lookups | undefined
  },
): Promise<ExitCode> {
  const entries = manifest && manifest.tree.size - 1
  if (entries !== undefined && (values.file !== undefined || values['expected-hash'] !== undefined))
    throw new Complaint('A manifest is about many files: there is no single one to compare with.', {
      advice: 'Verify it without --file and --expected-hash.',
    })
  const fileDigest = await fileDigestOf(surroundings, values, evidence.digest.type)
  const logs = await logTrust(values)
  const report = await verifyEvidence(evidence, { ...sources, logs }, fileDigest)
  const judgement = judgeEvidence(evidence, report, sources.keyrings)
  const counted = countedAs(values, report.verdict, report.bundle === undefined ? 'not_yet' : 'valid')
  if (values.json === true) surroundings.terminal.say(JSON.stringify(shownReport(evidence, report), null, 2))
  else
    printEvidence(surroundings, { evidence, entries, report, judgement, keyrings: sources.keyrings, counted })
  return EXIT_CODES[counted]
}

async function verifyGivenOts(
  surroundings: Surroundings,
  values: Values,
  { read, lookups }: { readonly read: ReadOts; readonly lookups: Lookups | undefined },
): Promise<ExitCode> {
  const fileDigest = await fileDigestOf(surroundings, values, read.hashType)
  const report = await verifyOts(read, { lookups }, fileDigest)
  if (values.json === true) surroundings.terminal.say(JSON.stringify(shownOts(read, report), null, 2))
  else printOts(surroundings, { read, report, judgement: judgeOts(read, report) })
  return EXIT_CODES[report.verdict]
}

const EXIT_CODES: Readonly<Record<AnyVerdict, ExitCode>> = {
  valid: 0,
  not_yet: 3,
  not_asked: 2,
  key_open: 1,
  invalid: 1,
  not_valid: 1,
}

/** @param known the verdict if the key were a known one: a receipt is without a proof by any key */
const countedAs = (values: Values, verdict: AnyVerdict, known: 'valid' | 'not_yet'): AnyVerdict =>
  verdict === 'key_open' && values['any-key'] === true ? known : verdict

function checkTogether({ self }: Surroundings, values: Values, source: string): void {
  if (values.file !== undefined && values['expected-hash'] !== undefined)
    throw new Complaint('--file and --expected-hash answer the same question; give one of them.')
  if (values.file === '-') throw new Complaint('--file takes a file; only the proof can come from - .')
  if (source === '-' && textOptions(values, 'keyring').includes('-'))
    throw new Complaint('Only one of proof and keyring can come from standard input.')
  if (values.offline === true && textOptions(values, 'keyring').some(isAddress))
    throw new Complaint('--offline asks nobody, and a --keyring address has to be asked.', {
      advice: `Remember it while there is a network: ${self} keyring add <address>`,
    })
}

async function expectedHashOf(
  { terminal }: Surroundings,
  values: Values,
  read: ReadBundle,
): Promise<string | undefined> {
  const file = textOption(values, 'file')
  if (file === undefined) return textOption(values, 'expected-hash')
  const { claimedHash } = bundleFacts(read)
  if (claimedHash === undefined)
    throw new Complaint(
      read.type === 'item'
        ? 'This item names no digest of a file, or one by a function unknown here: there is nothing to compare with.'
        : `A proof about ${read.type} has no file to compare with.`,
      { advice: 'Verify it without --file.' },
    )
  return hashData(terminal, file, claimedHash.type)
}

/** @param type of the digest in the proof */
async function fileDigestOf(
  { terminal }: Surroundings,
  values: Values,
  type: EntryType | OtsHash,
): Promise<Uint8Array | undefined> {
  const file = textOption(values, 'file')
  const expected = textOption(values, 'expected-hash')
  if (file === undefined && expected === undefined) return undefined
  // What is no hex is the digest of no file.
  if (file === undefined) return hexOrUndefined((expected ?? '').trim().toLowerCase()) ?? new Uint8Array()
  if (!isHashType(type))
    throw new Complaint(`This is about a digest of type ${type}, which no file can be compared with here.`, {
      advice: 'Verify it without --file.',
    })
  return fromHex(await hashData(terminal, file, type))
}
