// `pharos proof`: asks the service for a proof, checks it, and stores it next to the service's keyring.
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ENTROPY_NAMES } from '../../shared/proof/entropy_names.ts'
import { isJsonObject, memberOf } from '../../shared/proof/json_value.ts'
import { verifyBundle } from '../../shared/proof/verify/verify_bundle.ts'
import { bundleBytes, fileNameOf, type ProofRequest } from '../../shared/verifier/bundle_file.ts'
import { readAnyBundle } from '../../shared/verifier/read_any_bundle.ts'
import { judge } from '../../shared/verifier/verdict.ts'
import { askService, type Service, serviceFrom } from './ask_service.ts'
import { type Command, type Surroundings, textOption } from './command.ts'
import { Complaint, type ExitCode, wordsOf } from './complaint.ts'
import { findKeyring } from './fetch_keyring.ts'
import { readKeys, rememberKeyring, shelfFolder } from './keyring_shelf.ts'
import { proofRequest } from './proof_request.ts'
import { printable } from './terminal.ts'

export const proof: Command = {
  usage: '<id> [--type <type>] [--format json|cbor] [--witnesses <names>|none] [-o <file>] [--url <service>]',
  meaning: 'fetches a proof from a service, with the keyring to check it by when the service is gone',
  help: `
<id> is an item's id, a block's or an observation's id, or the hash of a beacon.

  --type <type>        item, block, beacon, ${ENTROPY_NAMES.join(', ')}; found out when left out
  --format <format>    json (default) or cbor
  --witnesses <names>  the names to carry, with commas between, or none; all of them when left out
  --layout <layout>    published or compact (for older clients); the service's own default when left out
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
    out: { type: 'string', short: 'o' },
    url: { type: 'string' },
    key: { type: 'string' },
    tenant: { type: 'string' },
  },
  run: async (surroundings, values, [id, ...more]) => {
    if (id === undefined || more.length > 0)
      throw new Complaint('Name one id.', { advice: `${surroundings.self} proof --help` })
    const service = serviceFrom(surroundings, values)
    const request = await proofRequest(service, id, values)
    const bytes = bundleBytes(await generated(service, request))
    const out = textOption(values, 'out')
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

async function store(
  surroundings: Surroundings,
  { url }: Service,
  { path, bytes }: { path: string; bytes: Uint8Array },
): Promise<ExitCode> {
  const { terminal, env, self } = surroundings
  const found = await findKeyring(url.origin)
  const keyring = { name: found.name, keys: readKeys(found.document, found.name) }
  const read = readAnyBundle(bytes)
  const judgement = judge(read, await verifyBundle(read, { keyrings: [keyring] }), [keyring])
  if (judgement.verdict !== 'valid')
    throw new Complaint(`${url.origin} sent a proof that does not verify. ${judgement.sentence}`, {
      exitCode: 1,
    })
  const keyringPath = join(dirname(path), `pharos-keyring-${found.name.replace(/[^\w.-]+/g, '-')}.json`)
  await write(path, bytes)
  await write(keyringPath, new TextEncoder().encode(found.document))
  terminal.say(`${printable(path)}  the proof; it verifies`)
  terminal.say(`${printable(keyringPath)}  the keys of ${found.name}, to hand on with it`)
  for (const reservation of judgement.reservations) terminal.note(`! ${printable(reservation)}`)
  await rememberKeyring(shelfFolder(env), found.name, found.document)
  terminal.note(
    `The keys of ${found.name} are remembered on this computer too. To check it, with or without the service:`,
  )
  terminal.note(`  ${self} verify ${quoted(path)}`)
  return 0
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  } catch (error) {
    throw new Complaint(`${basename(path)} could not be written: ${wordsOf(error)}`)
  }
}

const quoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
