// `pharos proof`: asks the service for a proof, checks it, and stores it beside the service's keyring. An .ots file
// is written here from the checked bundle, so the service is not trusted with it. The type of what is proved is found
// from its id when the person gave none.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ClientCommand, type Surroundings, textOption, type Values } from '../../shared/cli/command.ts'
import { Complaint, type ExitCode, printable, sayDocument } from '../../shared/cli/terminal.ts'
import type { ReadBundle } from '../../shared/proof/bundle/read_bundle.ts'
import { isUlid } from '../../shared/proof/ids.ts'
import { memberAt, textAt } from '../../shared/proof/json_value.ts'
import {
  type BitcoinNetwork,
  type OtsFile,
  otsFileName,
  otsFileOf,
} from '../../shared/proof/opentimestamps/ots_file.ts'
import { NotExpressible } from '../../shared/proof/opentimestamps/timestamp_path.ts'
import { isProofType, type ProofType, TYPE_CODES } from '../../shared/proof/signed_payload.ts'
import { fileNameOf, type ProofInput } from '../../shared/verifier/read_any_bundle.ts'
import { askService, postTo, SERVICE_OPTIONS, type Service, serviceFrom } from './ask/ask_service.ts'
import { checkFetched, generatedBytes } from './ask/fetched_proof.ts'
import { quoted, writeMade } from './files.ts'
import { readGiven } from './given_proof.ts'
import { rememberKeyring } from './keyring.ts'
import { makeEvidence } from './stamp/make_evidence.ts'

/** What shapes a bundle, and no .ots file. */
const OF_BUNDLES = ['format', 'layout', 'witnesses']

/** @throws Complaint for one of these options, which does not go with another one */
function refuse(names: readonly string[], values: Values, words: string): void {
  const other = names.find((name) => values[name] !== undefined)
  if (other !== undefined) throw new Complaint(`--${other} ${words}`)
}

/** The smallest bundle has all that an .ots file is made of. */
async function storeOts({ terminal, values }: Surroundings, service: Service, id: string): Promise<ExitCode> {
  const request: ProofInput = { id, type: 'item', format: 'json', layout: 'published', witnesses: [] }
  const { read } = await checkFetched(service, await generatedBytes(service, request))
  const { network, bytes } = expressed(read)
  const path = textOption(values, 'out') ?? otsFileName(id, network)
  if (path === '-') {
    terminal.write(bytes)
    return 0
  }
  await writeMade(path, bytes)
  if (values.json === true) {
    sayDocument(terminal, { kind: 'ots', file: path, network })
    return 0
  }
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

function expressed(read: ReadBundle): OtsFile {
  try {
    return otsFileOf(read)
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

export const proof: ClientCommand = {
  usage: '<id or evidence> [--ots] [--evidence] [-o <file>] [--json]',
  meaning: 'fetches a proof from a service, with the keyring to check it by when the service is gone',
  help: `
<id> is an item's id, a block's or an observation's id, or the hash of a beacon. Of an evidence file or a manifest it is
the item that this is about.

The proof is verified before it is stored. The service's keyring is stored beside it, to hand on together with it, and
remembered on this computer, so that "verify" knows it. A proof can be made once the block stands on a public chain.`,
  options: {
    type: { takes: Object.keys(TYPE_CODES).join('|'), meaning: 'what the id is of; found out when left out' },
    format: { takes: 'json|cbor', meaning: 'of the bundle: json, unless it says otherwise' },
    witnesses: {
      takes: '<names>',
      meaning: 'the names to carry, with commas between, or none; all of them when left out',
    },
    layout: {
      takes: 'published|compact',
      meaning: "compact is for older clients; the service's own default when left out",
    },
    ots: {
      meaning:
        'the proof of an item as an .ots file, for the ordinary OpenTimestamps client. It discloses the whole claims, and a bundle says more: it has signatures, witnesses and keys',
    },
    evidence: {
      meaning:
        'an evidence file of an item; or, with a manifest and the path of one of its files, of that file, without asking anybody',
    },
    out: {
      short: 'o',
      takes: '<file>',
      meaning: 'where to put it; - is standard output, and then nothing else is stored',
    },
    json: { meaning: 'prints as JSON what was stored, and where' },
    ...SERVICE_OPTIONS,
  },
  exits: {
    0: 'it is stored',
    1: 'the service said no: there is none, or none yet',
    3: 'evidence is stored, and no proof is in it yet',
    4: 'you are to sign in first',
  },
  run: async (surroundings, words) => {
    const { values } = surroundings
    if (values.json === true && values.out === '-')
      throw new Complaint('--json says where it was stored, and -o - stores nothing.')
    if (values.evidence === true) {
      refuse(['ots', 'type', ...OF_BUNDLES], values, 'says nothing of evidence, which --evidence writes.')
      return makeEvidence(surroundings, words)
    }
    const [given, ...more] = words
    if (given === undefined || more.length > 0) throw new Complaint('Name one id.')
    if (values.ots === true) {
      refuse(OF_BUNDLES, values, 'is about bundles, and --ots writes none.')
      if (values.type !== undefined && values.type !== 'item')
        throw new Complaint('--ots is for items: an .ots file begins with the digest of a file.')
    }
    const { type, ...shape } = shapeOf(values)
    const id = await idOf(surroundings, given)
    const service = await serviceFrom(surroundings)
    if (values.ots === true) return storeOts(surroundings, service, id.toUpperCase())
    return storeBundle(surroundings, service, { ...(await subjectOf(service, id, type)), ...shape })
  },
}

/** The item of an evidence file. What names no file is an id itself. @throws Complaint for a file without an item */
async function idOf({ terminal, values }: Surroundings, given: string): Promise<string> {
  if (!existsSync(given)) {
    if (/^[0-9a-z-]{26,64}$/i.test(given)) return given
    throw new Complaint(`There is no file ${given}, and no id looks like that.`)
  }
  const read = await readGiven(terminal, given)
  if (read.kind !== 'evidence') throw new Complaint(`${given} names no item whose proof could be asked for.`)
  const { item, trees } = read.evidence
  if (values.ots === true && trees.length > 0)
    throw new Complaint(
      'An .ots file begins with the digest of a file, and the item of this is about a tree.',
      {
        exitCode: 1,
        advice:
          'The evidence itself is the proof. Without --ots the proof of the item can be had as a bundle.',
      },
    )
  return item.id
}

async function storeBundle(
  surroundings: Surroundings,
  service: Service,
  request: ProofInput,
): Promise<ExitCode> {
  const { terminal, self, values } = surroundings
  const path = textOption(values, 'out') ?? fileNameOf(request)
  const bytes = await generatedBytes(service, request)
  if (path === '-') {
    terminal.write(bytes)
    return 0
  }
  const { keyring, reservations } = await checkFetched(service, bytes)
  const keyringPath = join(dirname(path), `pharos-keyring-${keyring.name.replace(/[^\w.-]+/g, '-')}.json`)
  await writeMade(path, bytes)
  await writeMade(keyringPath, new TextEncoder().encode(keyring.document))
  // It may say no, and then nothing is told as done.
  await rememberKeyring(surroundings, keyring.name, keyring.document)
  if (values.json === true) {
    sayDocument(terminal, {
      kind: 'bundle',
      file: path,
      keyring: { file: keyringPath, name: keyring.name },
      reservations,
    })
    return 0
  }
  terminal.say(`${printable(path)}  the proof; it verifies`)
  terminal.say(`${printable(keyringPath)}  the keys of ${keyring.name}, to hand on with it`)
  for (const reservation of reservations) terminal.note(`! ${printable(reservation)}`)
  terminal.note(
    `The keys of ${keyring.name} are remembered on this computer too. To check it, with or without the service:`,
  )
  terminal.note(`  ${self} verify ${quoted(path)}`)
  return 0
}

/** @throws Complaint for what is no choice of an option */
const shapeOf = (values: Values) => ({
  type: typeOf(textOption(values, 'type')),
  format: chosen(values, 'format', ['json', 'cbor']),
  layout: chosen(values, 'layout', ['published', 'compact']),
  witnesses: witnessesOf(textOption(values, 'witnesses')),
})

/**
 * Asks the service when the id alone does not show the type.
 * @throws Complaint when the type cannot be found
 */
async function subjectOf(service: Service, given: string, type: ProofType | undefined) {
  if (/^[0-9a-f]{64}$/i.test(given)) {
    const beacon = await askService(service, `/api/json/beacons/by-hash/${given.toLowerCase()}`)
    return { id: textAt(beacon, 'id') ?? given, type: type ?? ('beacon' as const) }
  }
  if (type !== undefined) return { id: given, type }
  const upper = given.toUpperCase()
  if (isUlid(upper)) return { id: upper, type: 'item' as const }
  return resolved(service, given)
}

/** Asks the service, because a UUID may belong to a block or to an observation. */
async function resolved(service: Service, given: string) {
  const answer = await postTo(service, '/api/json/utilities/resolve-id', { data: { id: given } }, true)
  const result = memberAt(answer, 'result')
  const matches = memberAt(result, 'matches')
  const types = (Array.isArray(matches) ? matches : []).map((match) => textAt(match, 'proof_type'))
  const type = typeOf(types.find((name) => name !== undefined))
  if (type === undefined)
    throw new Complaint(`${given} is nothing that this service can prove to you.`, {
      exitCode: 1,
      advice: 'Is the id complete, and of this service?',
    })
  return { id: given.toLowerCase(), type }
}

const typeOf = (name: string | undefined): ProofType | undefined => {
  if (name === undefined || isProofType(name)) return name
  throw new Complaint(`--type is one of ${Object.keys(TYPE_CODES).join(', ')}.`)
}

const witnessesOf = (list: string | undefined): readonly string[] | undefined => {
  if (list === undefined || list === 'all') return undefined
  const names = (list === 'none' ? '' : list).split(',').map((name) => name.trim())
  return names.filter((name) => name !== '')
}

function chosen<Choice extends string>(
  values: Values,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const given = textOption(values, name)
  const choice = choices.find((one) => one === given)
  if (given !== undefined && choice === undefined)
    throw new Complaint(`--${name} is ${choices.join(' or ')}.`)
  return choice
}
