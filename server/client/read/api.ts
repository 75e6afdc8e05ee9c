// `pharos api`: any request of the service, with the credential of the command line. The answer is printed as it came.
import { type ClientCommand, textOption, textOptions, type Values } from '../../../shared/cli/command.ts'
import type { HttpQuestion } from '../../../shared/cli/get_bytes.ts'
import { Complaint, type ExitCode, type Terminal } from '../../../shared/cli/terminal.ts'
import {
  answerFrom,
  askBytes,
  readAnswer,
  SERVICE_OPTIONS,
  type Service,
  ServiceRefused,
  serviceFrom,
} from '../ask/ask_service.ts'
import { askAgain } from '../ask/patience.ts'
import { readNamed } from '../files.ts'
import { bodyOfFields, pairOf } from './api_fields.ts'
import { jsonLine, nextOf } from './rows.ts'

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]

export const api: ClientCommand = {
  usage: 'GET|POST|PATCH|DELETE <path> [--field <name=value>]… [--paginate]',
  meaning: 'sends any request to the service, and prints its answer',
  help: `
<path> is a path of the service: /log/checkpoint, or below /api/json without a slash: items, beacons/latest.

Fields are parameters of the address of GET and DELETE, and otherwise members of the JSON that is sent:

  api GET items --field 'filter[state]=committed' --field 'page[limit]=5'
  api POST utilities/hash --field 'data[text]=hello'
  api PATCH items/01MB… --field 'data[type]=item' --field 'data[id]=01MB…' --field 'data[attributes][tags][]=paid'

true, false, null and whole numbers are sent as such, @file as the text of a file, and @- as that of standard input.

With --paginate the pages that follow come too, a line each, and the service is waited for when it asks for a pause.
An answer that is a no is printed as well.`,
  options: {
    field: { short: 'F', multiple: true, takes: '<name=value>', meaning: 'as said above' },
    'raw-field': {
      short: 'f',
      multiple: true,
      takes: '<name=value>',
      meaning: 'the same, and the value is sent as the text that it is',
    },
    input: { takes: '<file>', meaning: 'the body; - is standard input. Fields go into the address then' },
    header: { short: 'H', multiple: true, takes: '<name: value>', meaning: 'a header of the request' },
    paginate: { meaning: 'all pages of a list' },
    ...SERVICE_OPTIONS,
  },
  exits: { 0: 'it was answered with a yes', 1: 'the service said no', 4: 'sign in first' },
  run: async (surroundings, [named = '', path, ...more]) => {
    const { values } = surroundings
    const method = METHODS.find((one) => one === named.toUpperCase())
    if (method === undefined || path === undefined || more.length > 0)
      throw new Complaint('Name a method and a path.')
    const paginates = values.paginate === true
    if (paginates && method !== 'GET') throw new Complaint('--paginate is for GET.')
    const service = await serviceFrom(surroundings)
    const request = await requestOf(values, method, addressOf(service, path))
    // The answer is what -q leaves out, though it comes as bytes.
    const write = values.quiet === true ? () => undefined : surroundings.terminal.write
    const terminal = { ...surroundings.terminal, write }
    return paginates ? printPages(terminal, service, request) : print(terminal, service, request)
  },
}

type Request = Awaited<ReturnType<typeof requestOf>>

/** @throws Complaint for an address of somebody else, who must not get the credential */
function addressOf({ url }: Service, path: string): URL {
  const rooted = path.startsWith('/') ? path : `/api/json/${path}`
  const address = !URL.canParse(path) && URL.canParse(rooted, url) ? new URL(rooted, url) : undefined
  if (address?.origin !== url.origin) throw new Complaint(`${path} is no path of ${url.origin}.`)
  return address
}

const CEILINGS = { bytes: 67_108_864, milliseconds: 60_000 }
const LARGEST_INPUT_BYTES = 16_777_216

async function requestOf(values: Values, method: Method, { pathname, search }: URL) {
  const input = textOption(values, 'input')
  if (input !== undefined && method === 'GET')
    throw new Complaint('GET sends no body, so --input has no place there.')
  const [fields, raw] = [textOptions(values, 'field'), textOptions(values, 'raw-field')]
  const isInAddress = input !== undefined || method === 'GET' || method === 'DELETE'
  const query = new URLSearchParams(search)
  if (isInAddress) for (const pair of [...fields, ...raw].map(pairOf)) query.append(...pair)
  const body =
    input !== undefined
      ? new Uint8Array(await readNamed(input, LARGEST_INPUT_BYTES))
      : isInAddress || fields.length + raw.length === 0
        ? undefined
        : jsonLine(await bodyOfFields({ fields, raw }))
  const question: HttpQuestion = {
    method,
    ceilings: CEILINGS,
    headers: { accept: '*/*', ...(body === undefined ? {} : typeOf(pathname)), ...headersOf(values) },
    ...(body === undefined ? {} : { body }),
  }
  return { path: query.size === 0 ? pathname : `${pathname}?${query}`, question }
}

const typeOf = (pathname: string): Record<string, string> => ({
  'content-type': pathname.startsWith('/api/json/') ? 'application/vnd.api+json' : 'application/json',
})

/** @throws Complaint for what is no header, and for a credential, which is never a word of a command */
function headersOf(values: Values): Record<string, string> {
  const named = textOptions(values, 'header').map((text) => {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*([\t\x20-\x7e]*)$/.exec(text) ?? []
    if (name === '')
      throw new Complaint(`${text} is no header.`, { advice: 'Such as --header "Accept: text/plain"' })
    if (name.toLowerCase() === 'authorization')
      throw new Complaint('A credential is no word of a command: whoever lists the processes would read it.')
    return [name.toLowerCase(), value] as const
  })
  return Object.fromEntries(named)
}

async function print({ write }: Terminal, service: Service, { path, question }: Request): Promise<ExitCode> {
  const answer = await answerFrom(service, path, question)
  const { status, bytes } = answer
  write(process.stdout.isTTY ? lineOf(bytes) : bytes)
  if (status < 200 || status > 299) throw new ServiceRefused(answer, service)
  return 0
}

async function printPages(
  terminal: Terminal,
  service: Service,
  { path, question }: Request,
): Promise<ExitCode> {
  for (let next: string | undefined = path; next !== undefined; ) {
    const asked: string = next
    const ask = () => askBytes(service, asked, question)
    const bytes = asked === path ? await ask() : await askAgain(terminal, ask)
    terminal.write(lineOf(bytes))
    next = nextOf(readAnswer(bytes, service.url))
  }
  return 0
}

const LINE_END = 0x0a

/** With an end of line, unless there is one, or nothing at all. */
const lineOf = (bytes: Uint8Array): Uint8Array =>
  bytes.length === 0 || bytes.at(-1) === LINE_END ? bytes : Buffer.concat([bytes, Buffer.of(LINE_END)])
