// A service's keyring from its address, or a keyring from a file.
import { Complaint } from './complaint.ts'
import { askHttp, LARGEST_ANSWER_BYTES } from './get_json.ts'
import { readKeys } from './keyring_shelf.ts'
import { readInput } from './read_input.ts'

export interface FoundKeyring {
  /** Host and port, or the file's name. */
  readonly name: string
  readonly document: string
}

export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source)

/** `source` is a file, or an http(s) address: of the service, or of the document itself. @throws Complaint */
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

/** Keys that anybody on the way can replace are worth nothing. On this machine there is nobody on the way. */
const requireSafe = (url: URL): void => {
  if (url.protocol === 'https:' || isLoopback(url.hostname)) return
  throw new Complaint(`Keys are fetched over https only, and ${url.origin} is not.`, {
    advice: 'Get the file some other way that you trust, and name it with --keyring.',
  })
}

export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
