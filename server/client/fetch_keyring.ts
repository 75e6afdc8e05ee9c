// Gets a keyring from a service's address or from a file.
import { readInput } from './files.ts'
import { askHttp, LARGEST_ANSWER_BYTES } from './get_bytes.ts'
import { readKeys } from './keyring_shelf.ts'
import { Complaint } from './terminal.ts'

export interface FoundKeyring {
  /** Host and port, or the file's name. */
  readonly name: string
  readonly document: string
}

export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source)

/**
 * `source` is a file, or the http(s) address of a service or of the keyring document.
 * @throws Complaint when there is no readable keyring
 */
export async function findKeyring(source: string): Promise<FoundKeyring> {
  const found = isAddress(source) ? await fromAddress(urlIn(source)) : await fromFile(source)
  readKeys(found.document, source)
  return found
}

async function fromFile(source: string): Promise<FoundKeyring> {
  const bytes = await readInput(source, LARGEST_ANSWER_BYTES)
  return { name: source === '-' ? 'standard input' : source, document: new TextDecoder().decode(bytes) }
}

function urlIn(source: string): URL {
  if (!URL.canParse(source)) throw new Complaint(`${source} is not an address.`)
  return new URL(source)
}

async function fromAddress(given: URL): Promise<FoundKeyring> {
  const url = given.pathname === '/' ? new URL('/.well-known/keyring.json', given) : given
  requireSafe(url)
  const { status, text } = await askHttp(url)
  if (status !== 200)
    throw new Complaint(`${url} answered ${status}.`, {
      advice: 'Is it the address of a Pharos service, such as https://pharos.example?',
    })
  return { name: url.host, document: text }
}

/**
 * Requires HTTPS, because anyone between here and the service could replace the keys. Plain HTTP is allowed
 * on this machine only.
 */
const requireSafe = (url: URL): void => {
  if (url.protocol === 'https:' || isOwnComputer(url.hostname)) return
  throw new Complaint(`Keys are fetched over https only, and ${url.origin} is not.`, {
    advice: 'Get the file some other way that you trust, and name it with --keyring.',
  })
}

export const isOwnComputer = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
