// `pharos keyring`, and the keyrings that it is about: got from a service's address or from a file, and stored on this
// computer, one file per service, so that a proof can be checked after its service is gone.
import { type ClientCommand, type Surroundings, textOption, textOptions } from '../../shared/cli/command.ts'
import { askHttp, isAddress, isOwnComputer, LARGEST_ANSWER_BYTES } from '../../shared/cli/get_bytes.ts'
import { Complaint, type ExitCode, plural, printable, sayDocument } from '../../shared/cli/terminal.ts'
import { rethrown } from '../../shared/proof/bytes.ts'
import {
  type KeyringKey,
  KeyringRejected,
  type NamedKeyring,
  readKeyring,
} from '../../shared/proof/verify/keyring.ts'
import { quoted, readNamed } from './files.ts'
import { Shelf } from './shelf.ts'
import { findRoot, forgetRoots, rememberRoot } from './verify/stamp_trust.ts'

export const KEYRING_COMMANDS: Readonly<Record<string, ClientCommand>> = {
  'keyring add': {
    usage: '<file or address> [--name <name>]',
    meaning: 'remembers whose keys are good, so that proofs can be verified without their service',
    help: `
Every service publishes the keys it ever signed with, at /.well-known/keyring.json. A proof says which key signed
it; only a keyring says whose key that is. What is remembered here is used by every later "verify". It is got from
the address of the service (https://pharos.example), or from a file. From an address the root of its time-stamp authority
is remembered too, where it has one.

It is kept in $XDG_CONFIG_HOME/pharos/keyrings (~/.config/pharos/keyrings). "proof" remembers the keyring of the
service it asks.`,
    options: {
      name: { takes: '<name>', meaning: "the name to remember it under, instead of the service's host" },
    },
    exits: { 0: 'remembered', 1: 'the service does not know a key any more that it had' },
    run: (surroundings, [source, ...more]) => add(surroundings, only('a file or an address', source, more)),
  },
  'keyring list': {
    usage: '[--json]',
    meaning: 'shows whose keys are remembered',
    help: 'Shows the services whose keys are remembered, with the ids of these keys and the file that they are in.',
    options: { json: { meaning: 'prints a list as JSON' } },
    exits: { 0: 'shown' },
    run: list,
  },
  'keyring remove': {
    usage: '<name>',
    meaning: 'forgets the keys of one service',
    help: 'Forgets the keys of one service. "keyring list" shows the names.',
    options: {},
    exits: { 0: 'forgotten', 1: 'there is none of this name' },
    run: (surroundings, [name, ...more]) => remove(surroundings, only('a name', name, more)),
  },
}

async function add(surroundings: Surroundings, source: string): Promise<ExitCode> {
  const { terminal, values } = surroundings
  const found = await findKeyring(source)
  const known = textOption(values, 'name') ?? found.name
  // Asked for first, so that either both are remembered or neither.
  const root = isAddress(source) ? await findRoot(urlIn(source).origin) : undefined
  const path = await rememberKeyring(surroundings, known, found.document)
  terminal.say(
    `Remembered ${plural(found.keys.length, 'key')} of ${printable(known)}: ${found.keys.map(({ key_id }) => key_id).join(', ')}`,
  )
  if (root !== undefined) {
    const sha256 = await rememberRoot(surroundings, known, root)
    terminal.say(`Remembered the root of its time-stamp authority: SHA-256 ${sha256}`)
  }
  terminal.note(path)
  return 0
}

async function list(surroundings: Surroundings): Promise<ExitCode> {
  const { terminal, self, values } = surroundings
  const shelf = await rememberedKeyrings(surroundings)
  if (values.json === true) {
    const shown = shelf.map(({ name, keys, path, rememberedAt }) => ({
      name,
      key_ids: keys.map(({ key_id }) => key_id),
      file: path,
      since: rememberedAt.toISOString(),
    }))
    sayDocument(terminal, shown)
    return 0
  }
  for (const { name, keys, rememberedAt } of shelf)
    terminal.say(
      `${printable(name)}  ${keys.map(({ key_id }) => key_id).join(', ')}  (since ${rememberedAt.toISOString().slice(0, 10)})`,
    )
  if (shelf.length === 0)
    terminal.note(`No keyring is remembered. ${self} keyring add https://your.service makes a start.`)
  return 0
}

async function remove(surroundings: Surroundings, name: string): Promise<ExitCode> {
  const { terminal } = surroundings
  const isForgotten = await shelfOf(surroundings).remove(name)
  await forgetRoots(surroundings, name)
  if (!isForgotten) throw new Complaint(`No keyring is remembered under the name ${name}.`, { exitCode: 1 })
  terminal.say(`Forgot the keyring of ${name}.`)
  return 0
}

/** @throws Complaint unless there is exactly one */
function only(what: string, given: string | undefined, more: readonly string[]): string {
  if (given === undefined || given === '' || more.length > 0)
    throw new Complaint(`Name ${what}, and one only.`)
  return given
}

/**
 * Named by host and port, or by the file's name.
 * @param source a file, or the http(s) address of a service or of the keyring document
 * @throws Complaint when there is no readable keyring
 */
export async function findKeyring(source: string) {
  const { name, bytes } = isAddress(source)
    ? await fromAddress(urlIn(source))
    : {
        name: source === '-' ? 'standard input' : source,
        bytes: await readNamed(source, LARGEST_ANSWER_BYTES),
      }
  const document = new TextDecoder().decode(bytes)
  return { name, keys: readKeys(document, source), document }
}

function urlIn(source: string): URL {
  if (!URL.canParse(source)) throw new Complaint(`${source} is not an address.`)
  return new URL(source)
}

/**
 * Requires HTTPS, because anyone between here and the service could replace the keys. Plain HTTP is allowed
 * on this machine only.
 */
async function fromAddress(given: URL) {
  const url = given.pathname === '/' ? new URL('/.well-known/keyring.json', given) : given
  if (url.protocol !== 'https:' && !isOwnComputer(url.hostname))
    throw new Complaint(`Keys are fetched over https only, and ${url.origin} is not.`, {
      advice: 'Get the file some other way that you trust, and name it with --keyring.',
    })
  const { status, bytes } = await askHttp(url)
  if (status !== 200)
    throw new Complaint(`${url} answered ${status}.`, {
      advice: 'Is it the address of a Pharos service, such as https://pharos.example?',
    })
  return { name: url.host, bytes }
}

/** Of every command that has to know whose keys are good. */
export const KEYRING_OPTION = {
  multiple: true,
  takes: '<file or address>',
  meaning:
    'whose keys count: a keyring file, or the address of a service. May be repeated. Without it: the keyrings that "keyring list" shows',
} as const

/**
 * Those that `--keyring` names, or else those that are remembered.
 * @throws Complaint
 */
export async function keyringsFor(surroundings: Surroundings): Promise<NamedKeyring[]> {
  const named = textOptions(surroundings.values, 'keyring')
  if (named.length === 0) return rememberedKeyrings(surroundings)
  return Promise.all(named.map(findKeyring))
}

const shelfOf = ({ env }: Surroundings): Shelf => new Shelf(env, 'keyrings', 'keyrings', '.json')

/** @throws Complaint for a file that is not a keyring, because skipping it would look like an unknown key */
const rememberedKeyrings = async (surroundings: Surroundings) =>
  (await shelfOf(surroundings).all()).map(({ bytes, ...kept }) => ({
    ...kept,
    keys: readKeys(bytes, kept.path),
  }))

/**
 * Stores the document under the name. A service only ever adds keys. A missing or changed key means another
 * service, or a replaced one, and a person must decide.
 * @throws Complaint in that case
 */
export async function rememberKeyring(
  surroundings: Surroundings,
  name: string,
  document: string,
): Promise<string> {
  const keys = readKeys(document, `The keyring of ${name}`)
  const isKept = ({ key_id, public_key }: KeyringKey): boolean =>
    keys.some((key) => key.key_id === key_id && key.public_key === public_key)
  return shelfOf(surroundings).put(name, (held, path) => {
    const lost = held && readKeys(held, path).find((key) => !isKept(key))
    if (lost === undefined) return document
    throw new Complaint(`${name} does not know its own key ${lost.key_id} any more.`, {
      exitCode: 1,
      advice: `A service never drops a key: this may be another service at the same address. If you know that it was replaced, forget the old one first: ${surroundings.self} keyring remove ${quoted(name)}`,
    })
  })
}

/** @throws Complaint */
const readKeys = (document: string | Uint8Array, what: string): readonly KeyringKey[] =>
  rethrown(
    () => readKeyring(document),
    KeyringRejected,
    ({ message }) =>
      new Complaint(`${what} is not a keyring: ${message}.`, {
        advice: 'A keyring is the document a service publishes at /.well-known/keyring.json.',
      }),
  )
