// `pharos proof`: asks the service for a proof, checks it, and stores it next to the service's keyring.
import { dirname, join } from 'node:path'
import { ENTROPY_NAMES } from '../../shared/proof/entropy_names.ts'
import { isJsonObject, memberOf } from '../../shared/proof/json_value.ts'
import { bundleBytes, fileNameOf, type ProofRequest } from '../../shared/verifier/bundle_file.ts'
import { askService, type Service, serviceFrom } from './ask_service.ts'
import { checkFetched } from './check_fetched.ts'
import { type Command, type Surroundings, textOption } from './command.ts'
import { Complaint, type ExitCode } from './complaint.ts'
import { rememberKeyring, shelfFolder } from './keyring_shelf.ts'
import { checkOtsOptions, storeOts } from './proof_as_ots.ts'
import { proofRequest } from './proof_request.ts'
import { printable } from './terminal.ts'
import { quoted, writeMade } from './write_file.ts'

export const proof: Command = {
  usage:
    '<id> [--type <type>] [--format json|cbor] [--witnesses <names>|none] [--ots] [-o <file>] [--url <service>]',
  meaning: 'fetches a proof from a service, with the keyring to check it by when the service is gone',
  help: `
<id> is an item's id, a block's or an observation's id, or the hash of a beacon.

  --type <type>        item, block, beacon, ${ENTROPY_NAMES.join(', ')}; found out when left out
  --format <format>    json (default) or cbor
  --witnesses <names>  the names to carry, with commas between, or none; all of them when left out
  --layout <layout>    published or compact (for older clients); the service's own default when left out
  --ots                the proof of an item as an .ots file, for the ordinary OpenTimestamps client. It discloses the
                       whole claims, and a bundle says more: it has signatures, witnesses and keys
  -o, --out <file>     where to put it; - is standard output, and then nothing else is stored
  --url <service>      default: PHAROS_URL, else http://localhost:4000
  --key <key>          API key; better in PHAROS_API_KEY, since a command line can be seen by others
  --tenant <team id>   acts in this team

The proof is verified before it is stored. The service's keyring is stored beside it, to hand on together with it, and
remembered on this computer, so that "verify" knows it. A proof can be made once the block stands on a public chain;
until then the service says so and this command exits with 1.`,
  options: {
    type: { type: 'string' },
    format: { type: 'string' },
    witnesses: { type: 'string' },
    layout: { type: 'string' },
    ots: { type: 'boolean' },
    out: { type: 'string', short: 'o' },
    url: { type: 'string' },
    key: { type: 'string' },
    tenant: { type: 'string' },
  },
  run: async (surroundings, values, [id, ...more]) => {
    if (id === undefined || more.length > 0)
      throw new Complaint('Name one id.', { advice: `${surroundings.self} proof --help` })
    const service = serviceFrom(surroundings, values)
    const out = textOption(values, 'out')
    if (values.ots === true) {
      checkOtsOptions(values)
      return fetchOts(surroundings, service, { id: id.toUpperCase(), out })
    }
    const request = await proofRequest(service, id, values)
    const bytes = bundleBytes(await generated(service, request))
    if (out === '-') {
      process.stdout.write(bytes)
      return 0
    }
    return store(surroundings, service, { path: out ?? fileNameOf(request), bytes })
  },
}

async function generated(service: Service, request: ProofRequest) {
  const answer = await askService(service, '/api/json/proof/generate', { data: { ...request } })
  const result = isJsonObject(answer) ? memberOf(answer, 'result') : undefined
  if (result === undefined)
    throw new Complaint(`${service.url.origin} answered with something else than a proof.`)
  return result
}

/** The smallest bundle has all that an .ots file is made of. */
async function fetchOts(
  surroundings: Surroundings,
  service: Service,
  { id, out }: { readonly id: string; readonly out: string | undefined },
): Promise<ExitCode> {
  const request: ProofRequest = { id, type: 'item', format: 'json', layout: 'published', witnesses: [] }
  const checked = await checkFetched(service, bundleBytes(await generated(service, request)))
  return storeOts(surroundings, checked, { id, out })
}

async function store(
  { terminal, env, self }: Surroundings,
  service: Service,
  { path, bytes }: { path: string; bytes: Uint8Array },
): Promise<ExitCode> {
  const { keyring, reservations } = await checkFetched(service, bytes)
  const keyringPath = join(dirname(path), `pharos-keyring-${keyring.name.replace(/[^\w.-]+/g, '-')}.json`)
  await writeMade(path, bytes)
  await writeMade(keyringPath, new TextEncoder().encode(keyring.document))
  terminal.say(`${printable(path)}  the proof; it verifies`)
  terminal.say(`${printable(keyringPath)}  the keys of ${keyring.name}, to hand on with it`)
  for (const reservation of reservations) terminal.note(`! ${printable(reservation)}`)
  await rememberKeyring(shelfFolder(env), keyring.name, keyring.document)
  terminal.note(
    `The keys of ${keyring.name} are remembered on this computer too. To check it, with or without the service:`,
  )
  terminal.note(`  ${self} verify ${quoted(path)}`)
  return 0
}
