// `pharos verify`: reads a bundle, checks it step by step on this computer, asks public services where it may, and
// prints what is proved and what was not checked.
import { createHash, getHashes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { BundleRejected } from '../../shared/proof/bundle/bundle_rejected.ts'
import type { ReadBundle } from '../../shared/proof/bundle/read_bundle.ts'
import type { HashType } from '../../shared/proof/claims.ts'
import { type GetJson, httpLookups } from '../../shared/proof/lookups/http_lookups.ts'
import {
  LOOKUP_PLACE_NAMES,
  LOOKUP_PLACES,
  type LookupAddresses,
  lookupAddresses,
} from '../../shared/proof/lookups/lookup_places.ts'
import { OPENSSL_NAMES } from '../../shared/proof/openssl_names.ts'
import type { NamedKeyring } from '../../shared/proof/verify/keyring.ts'
import { verifyBundle } from '../../shared/proof/verify/verify_bundle.ts'
import { bundleFacts } from '../../shared/verifier/bundle_facts.ts'
import { type Digest, startDigest } from '../../shared/verifier/digest.ts'
import {
  LARGEST_BUNDLE_BYTES,
  REJECTION_WORDS,
  readAnyBundle,
} from '../../shared/verifier/read_any_bundle.ts'
import { judgeReport, type Verdict } from '../../shared/verifier/verdict.ts'
import { type ClientCommand, type Surroundings, textOption, textOptions, type Values } from './command.ts'
import { findKeyring, isAddress } from './fetch_keyring.ts'
import { readInput, streamOf, unreadable } from './files.ts'
import { askHttp } from './get_bytes.ts'
import { readKeys, rememberedKeyrings, shelfFolder } from './keyring_shelf.ts'
import { printReport } from './print_report.ts'
import { Complaint, type ExitCode, type Terminal } from './terminal.ts'

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
    const { status, text } = await askHttp(new URL(url))
    return { status, body: status === 200 ? JSON.parse(text) : null }
  } catch (error) {
    if (error instanceof Complaint) return { failure: error.message }
    if (error instanceof SyntaxError) return { failure: `${new URL(url).origin} sent no JSON.` }
    throw error
  }
}

/** Lowercase hex. @throws Complaint when the file cannot be read */
async function hashData({ progress }: Terminal, name: string, type: HashType): Promise<string> {
  const digest = fastDigest(type)
  const total = (await stat(name).catch(() => undefined))?.size ?? 0
  const startedAt = performance.now()
  let done = 0
  let shownAt = startedAt
  try {
    for await (const chunk of await streamOf(name)) {
      const bytes = Buffer.from(chunk)
      digest.update(bytes)
      done += bytes.length
      const now = performance.now()
      if (progress === undefined || now - startedAt < QUIET_MS || now - shownAt < BETWEEN_MS) continue
      progress(`${type} of ${name}: ${share(done, total)}`)
      shownAt = now
    }
  } catch (error) {
    throw unreadable(name, error)
  } finally {
    if (shownAt !== startedAt) progress?.('')
  }
  return digest.hex()
}

const QUIET_MS = 1_000
const BETWEEN_MS = 200

const share = (done: number, total: number): string =>
  total > 0 ? `${Math.floor((100 * Math.min(done, total)) / total)} %` : `${Math.floor(done / 1_048_576)} MiB`

/**
 * Uses OpenSSL when this Node has the function, because it is several times faster. The set of functions
 * differs by build and by policy.
 */
const fastDigest = (type: HashType): Digest => {
  const name = OPENSSL_NAMES[type]
  if (!getHashes().includes(name)) return startDigest(type)
  const hash = createHash(name)
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') }
}

export const verify: ClientCommand = {
  usage:
    '<bundle> [--file <data> | --expected-hash <hex>] [--keyring <file or address>] [--offline] [--json]',
  meaning: 'verifies a proof bundle on this computer',
  help: `
<bundle> is a file, or - for standard input; JSON, CBOR and base64 of CBOR are told apart by themselves.

  --file <data>           hashes this file the way the bundle names, and compares
  --expected-hash <hex>   compares this digest
  --keyring <source>      whose keys count: a keyring file, or the address of a service. May be repeated.
                          Without it: the keyrings that "pharos keyring list" shows
  --any-key               counts a bundle as valid although nobody at hand knows its key. It then says only that
                          everything fits together, which anybody can bring about with a key of his own
  --offline               asks nobody. Otherwise the public chains and entropy sources are asked about what the
                          bundle says of them; what does not answer is not checked
  --json                  prints the report as JSON. Its "passed" knows nothing of --any-key

Exit code: 0 valid, 1 not valid, 2 not readable or wrongly asked. A bundle whose key no keyring at hand knows is not
valid (1): the mathematics hold, and whose key it is stays open.

Where it asks, for mirrors, by environment variables:
${LOOKUP_PLACE_NAMES.map((place) => LOOKUP_PLACES[place].verifierSetting).join(', ')}. NO_COLOR switches colours off.`,
  options: {
    file: { type: 'string' },
    'expected-hash': { type: 'string' },
    keyring: { type: 'string', multiple: true },
    'any-key': { type: 'boolean' },
    offline: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run: async (surroundings, values, positionals) => {
    const [source, ...more] = positionals
    if (source === undefined || more.length > 0)
      throw new Complaint('Name one bundle, or - for standard input.', {
        advice: `${surroundings.self} verify --help`,
      })
    checkTogether(values, source)
    const read = readBundle(await readInput(source, LARGEST_BUNDLE_BYTES), source)
    const keyrings = await keyringsFor(surroundings, values)
    const expectedHash = await expectedHashOf(surroundings, values, read)
    const lookups =
      values.offline === true ? undefined : httpLookups({ getJson, addresses: mirrorsOr(surroundings.env) })
    const report = await verifyBundle(read, { expectedHash, keyrings, lookups })
    const judgement = judgeReport(read, report, keyrings)
    if (values.json === true) surroundings.terminal.say(JSON.stringify(report, null, 2))
    else printReport(surroundings, { read, report, judgement, keyrings, anyKey: values['any-key'] === true })
    return exitCodeOf(judgement.verdict, values['any-key'] === true)
  },
}

const exitCodeOf = (verdict: Verdict, anyKey: boolean): ExitCode => {
  switch (verdict) {
    case 'valid':
      return 0
    case 'key_open':
      return anyKey ? 0 : 1
    case 'invalid':
      return 1
    default:
      return verdict satisfies never
  }
}

function checkTogether(values: Values, source: string): void {
  if (values.file !== undefined && values['expected-hash'] !== undefined)
    throw new Complaint('--file and --expected-hash answer the same question; give one of them.')
  if (values.file === '-') throw new Complaint('--file takes a file; only the bundle can come from - .')
  if (source === '-' && textOptions(values, 'keyring').includes('-'))
    throw new Complaint('Only one of bundle and keyring can come from standard input.')
  if (values.offline === true && textOptions(values, 'keyring').some(isAddress))
    throw new Complaint('--offline asks nobody, and a --keyring address has to be asked.', {
      advice: 'Remember it while there is a network: pharos keyring add <address>',
    })
}

function readBundle(bytes: Uint8Array, source: string): ReadBundle {
  try {
    return readAnyBundle(bytes)
  } catch (error) {
    if (!(error instanceof BundleRejected)) throw error
    const what = source === '-' ? 'Standard input' : source
    throw new Complaint(`${what} is not a proof bundle (${error.reason}). ${REJECTION_WORDS[error.reason]}`)
  }
}

async function keyringsFor({ env }: Surroundings, values: Values): Promise<NamedKeyring[]> {
  const named = textOptions(values, 'keyring')
  if (named.length === 0)
    return (await rememberedKeyrings(shelfFolder(env))).map(({ name, keys }) => ({ name, keys }))
  return Promise.all(
    named.map(async (source) => {
      const { name, document } = await findKeyring(source)
      return { name, keys: readKeys(document, source) }
    }),
  )
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
