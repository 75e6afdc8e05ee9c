// `pharos login`: signs in through the browser of this computer, or with an API key from standard input, and keeps what comes
// of it for later commands.
import { spawn } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { type ClientCommand, type Surroundings, timeOption } from '../../../shared/cli/command.ts'
import { Complaint, printable, sayRow } from '../../../shared/cli/terminal.ts'
import { SERVICE_OPTIONS } from '../ask/ask_service.ts'
import { readNamed } from '../files.ts'
import { choose, withOrigin } from './choice.ts'
import { placeWords } from './credential.ts'
import { openLoopback } from './loopback.ts'
import { depart } from './oauth_requests.ts'
import { isKeyText, type Secret } from './secret.ts'
import { keepSignIn, profileFor, storeFor } from './sign_in.ts'

/** A service holds a sign-in that is under way for half an hour. */
const MOST_MS = 1_800_000
const USUAL_MS = 300_000

export const login: ClientCommand = {
  usage: '[--url <service>] [--profile <name>] [--with-key] [--insecure-storage] [--timeout <time>]',
  meaning: 'signs in at a service, for later commands',
  help: `
Opens the sign-in pages of the service in the browser of this computer. What you allow there can be seen and taken back
in the console, under allowed applications. Where standard output is no terminal, one line of JSON says where to go:
{"url", "next_step", "expires_in"}, the last one in seconds.

The secret goes to the store of the system: the keychain of macOS, or the keyring of the desktop by means of secret-tool.
It belongs to the profile: with several services, each sign-in has a name of its own. PHAROS_API_KEY in the environment
goes before every sign-in.`,
  options: {
    url: SERVICE_OPTIONS.url,
    'with-key': { meaning: 'reads an API key from standard input instead, and tries it' },
    'insecure-storage': {
      meaning:
        'keeps the secret in a file that only your account may read, for a system without a store of secrets that can be used',
    },
    timeout: {
      takes: '<time>',
      meaning: 'how long the browser is waited for, such as 90 (seconds) or 2m: 5m',
    },
  },
  exits: { 0: 'signed in', 2: 'it could not be tried, or not be kept', 4: 'not signed in' },
  run: async (surroundings, words) => {
    const { env, terminal, self, values } = surroundings
    if (words.length > 0)
      throw new Complaint('A sign-in takes no words.', {
        advice: `${self} login --url <service> ; a key comes from standard input, with --with-key`,
      })
    if (values.quiet === true && values['with-key'] !== true && process.stdout.isTTY !== true)
      throw new Complaint('With -q nobody is told where to sign in.')
    const choice = withOrigin(await choose(surroundings))
    const { origin } = choice
    const name = profileFor(surroundings, choice, origin)
    const place = await storeFor(surroundings)
    const finish = async (secret: Secret): Promise<void> => {
      const { words: person } = await keepSignIn(surroundings, { name, place, secret })
      terminal.note(`Signed in at ${origin} as ${printable(person)} (profile ${name}).`)
      terminal.note(`The secret lies in ${placeWords(env, place)}.`)
      if (env.PHAROS_API_KEY) terminal.note('! PHAROS_API_KEY is in the environment, and goes before it.')
    }
    if (values['with-key'] === true)
      await finish({ origin, kind: 'api_key', key: await givenKey(surroundings) })
    else await throughBrowser(surroundings, origin, finish)
    return 0
  },
}

/** @throws Complaint when nobody signs in in time, or the person does not agree */
async function throughBrowser(
  surroundings: Surroundings,
  origin: string,
  finish: (secret: Secret) => Promise<void>,
): Promise<void> {
  const milliseconds = Math.min(timeOption(surroundings.values, 'timeout') ?? USUAL_MS, MOST_MS)
  const seconds = Math.ceil(milliseconds / 1_000)
  const loopback = await openLoopback()
  try {
    const departure = await depart(origin, loopback.address)
    sendTo(surroundings, departure.url, seconds)
    const hasCome = await loopback.visit(departure.state, milliseconds, async (brought) => {
      await finish({ origin, kind: 'sign_in', tokens: await departure.arrive(brought) })
    })
    if (!hasCome)
      throw new Complaint(`Nobody signed in at ${origin} within ${seconds} seconds. Nothing was kept.`, {
        exitCode: 4,
        advice: `Begin again: ${surroundings.self} login --url ${origin}`,
      })
  } finally {
    loopback.close()
  }
}

/** Tells a person, or a program, where to go. */
function sendTo({ terminal, env }: Surroundings, url: URL, seconds: number): void {
  if (process.stdout.isTTY !== true) {
    const step =
      'Open the url in a browser of this computer, sign in and allow. This command waits, and ends then.'
    sayRow(terminal, { url: url.href, next_step: step, expires_in: seconds })
    return
  }
  const isOpened = openPage(env, url)
  terminal.note(
    `${isOpened ? 'If your browser does not open it, open' : 'Open'} this page on this computer, and sign in:`,
  )
  terminal.say(url.href)
}

const MOST_KEY_BYTES = 4_096

/** @throws Complaint when standard input holds no key */
async function givenKey({ self }: Surroundings): Promise<string> {
  const text = process.stdin.isTTY
    ? await typedUnseen('API key: ')
    : new TextDecoder().decode(await readNamed('-', MOST_KEY_BYTES))
  const key = text.trim()
  if (isKeyText(key)) return key
  throw new Complaint('Standard input holds no API key.', {
    advice: `Such as: ${self} login --with-key < key.txt`,
  })
}

async function typedUnseen(prompt: string): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const line = createInterface({ input: process.stdin, output: unseen, terminal: true })
  // The terminal hands the key on instead of interrupting.
  line.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  process.stderr.write(prompt)
  try {
    return await line.question('')
  } finally {
    line.close()
    process.stderr.write('\n')
  }
}

/** Opens it in the person’s browser. Returns false where no browser is known. Whether it shows the page nobody tells. */
function openPage(env: NodeJS.ProcessEnv, { href }: URL): boolean {
  const order = browserOf(env)
  if (order === undefined) return false
  const [program, ...words] = order
  const child = spawn(program, [...words, href], { env, stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
  return true
}

function browserOf(env: NodeJS.ProcessEnv): readonly [string, ...string[]] | undefined {
  if (env.BROWSER) return [env.BROWSER]
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}
