// The programs that the console shows for checking a signature, and the lines that check one delivery, run as they are
// shown, against what a receiver really got: they take that, and nothing else.
import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  checkLine,
  LANGUAGES,
  type Language,
  programOf,
  signedContent,
} from '../../console-web/src/webhooks/signature_check.ts'
import { rotateSecret } from '../../server/domain/webhooks/endpoints/change_signing.ts'
import {
  makeEndpointKey,
  messageSigner,
  publicKeysOf,
  type Signing,
  secretOf,
  standingPublicKeys,
} from '../../server/domain/webhooks/endpoints/signing_keys.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import { openTestWebhooks, type TestWebhooks } from '../support/webhooks.ts'

let webhooks: TestWebhooks
let receiver: Receiver
let folder = ''
beforeAll(async () => {
  webhooks = await openTestWebhooks()
  folder = await makeTemporaryFolder('pharos-signature-check-')
  symlinkSync(resolve(import.meta.dirname, '..', '..', 'node_modules'), join(folder, 'node_modules'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await webhooks.close()
})
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(async () => {
  await receiver.close()
  await webhooks.query('DELETE FROM webhook_endpoints')
  await webhooks.query('DELETE FROM webhook_deliveries')
})

interface Request {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An endpoint that signs, what its owner was told of it, and the request of an event. */
async function delivered(signing: Exclude<Signing, 'none'>) {
  const { id, signingSecret, publicKeys } = await webhooks.endpoint({
    url: receiver.url(),
    events: ['item.created'],
    signing,
  })
  await webhooks.ledger.submit({ tags: ["it's $HOME", '"ü"'] })
  await webhooks.fanOutAll()
  await webhooks.deliverDue()
  const heard = receiver.heard.at(-1) ?? expect.fail('nothing arrived')
  const headers = Object.fromEntries(
    Object.entries(heard.headers).map(([name, value]) => [name, String(value)]),
  )
  const checked = checkedBy(signing, standingPublicKeys(publicKeys))
  return { id, request: { headers, body: heard.body }, checked, secret: signingSecret ?? '' }
}

/** By what the console checks: an endpoint, as far as that is told of it. */
type Checked = Parameters<typeof checkLine>[1]

const checkedBy = (signing: Signing, publicKeys: readonly string[]): Checked => ({ signing, publicKeys })

/** What is not to be taken, though it looks like what arrived. */
const forged = ({ headers, body }: Request, own: readonly string[]): Readonly<Record<string, Request>> => ({
  'another body': { headers, body: `${body} ` },
  'another id': { headers: { ...headers, 'webhook-id': `msg_${'0'.repeat(26)}` }, body },
  'another time': {
    headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) },
    body,
  },
  'another key': { headers: { ...headers, ...signedBy(own, new Date(), body) }, body },
  'no signature': { headers: { ...headers, 'webhook-signature': 'v1, v1a, v2,* *' }, body },
})

const signedBy = (own: readonly string[], at: Date, payload: string) => {
  const [, timestamp = '', , signature = ''] = messageSigner(
    own.map((scheme) => makeEndpointKey(scheme === 'v1' ? 'v1' : 'v1a')),
  )({ id: MESSAGE, at, payload })
  return { 'webhook-id': MESSAGE, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}
const MESSAGE = `msg_${'1'.repeat(26)}`

/** What each language needs, and how a program that is shown is asked whether it takes each of some requests. */
const RUN: Readonly<
  Record<
    Language,
    {
      readonly needs: (checked: Checked) => readonly [string, ...string[]]
      readonly takes: (program: string, requests: readonly Request[], env: NodeJS.ProcessEnv) => boolean[]
    }
  >
> = {
  node: {
    needs: () => [process.execPath, '--version'],
    takes: (program, requests, env) => {
      writeFileSync(join(folder, 'check.mjs'), program)
      return asked([process.execPath, '--input-type=module', '-e', ASK_NODE], requests, env)
    },
  },
  python: {
    needs: ({ signing }) => ['python3', '-c', signing === 'v1' ? 'pass' : 'import cryptography'],
    takes: (program, requests, env) => {
      writeFileSync(join(folder, 'check.py'), program)
      return asked(['python3', '-c', ASK_PYTHON], requests, env)
    },
  },
  shell: {
    needs: () => ['openssl', 'version'],
    takes: (program, requests, env) =>
      requests.map(({ headers, body }) => {
        const ID = headers['webhook-id']
        const { 'webhook-timestamp': TIMESTAMP, 'webhook-signature': SIGNATURE } = headers
        const { status } = spawnSync('sh', ['-c', program], {
          cwd: folder,
          env: { ...env, ID, TIMESTAMP, SIGNATURE },
          input: body,
        })
        return status === 0
      }),
  },
}

const ASK_NODE = `
const { signedEvent } = await import(process.cwd() + '/check.mjs')
const { text } = await import('node:stream/consumers')
const takes = ({ headers, body }) => {
  try {
    return JSON.stringify(signedEvent(headers, body)) === JSON.stringify(JSON.parse(body))
  } catch {
    return false
  }
}
console.log(JSON.stringify(JSON.parse(await text(process.stdin)).map(takes)))`

const ASK_PYTHON = `
import json, sys
from check import signed_event
def takes(headers, body):
    try:
        return signed_event(headers, body.encode()) == json.loads(body)
    except Exception:
        return False
print(json.dumps([takes(**one) for one in json.load(sys.stdin)]))`

const asked = (
  [command = '', ...words]: readonly string[],
  requests: readonly Request[],
  env: NodeJS.ProcessEnv,
): boolean[] => {
  const input = JSON.stringify(requests)
  return JSON.parse(execFileSync(command, words, { cwd: folder, env, input, encoding: 'utf8' }))
}

const isThere = ([command, ...words]: readonly [string, ...string[]]): boolean =>
  spawnSync(command, words, { stdio: 'ignore' }).status === 0

const languages = ['node', 'python', 'shell'] as const satisfies readonly Language[]

describe.each(['v1', 'v1a'] as const)('with %s', (signing) => {
  it.each(languages)('the program in %s takes what arrived, and nothing else', async (language) => {
    const { request, checked, secret } = await delivered(signing)
    const { needs, takes } = RUN[language]
    const [command] = needs(checked)
    if (!isThere(needs(checked)))
      return console.warn(`LEFT OUT: ${LANGUAGES[language]} with ${signing}, because of ${command}.`)
    const others = forged(request, [signing])
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      PYTHONIOENCODING: 'utf-8',
      PYTHONDONTWRITEBYTECODE: '1',
      WEBHOOK_SECRET: secret,
    }
    const [taken, ...rest] = takes(programOf(language, checked), [request, ...Object.values(others)], env)
    expect({ taken, ...Object.fromEntries(Object.keys(others).map((name, at) => [name, rest[at]])) }).toEqual(
      {
        taken: true,
        ...Object.fromEntries(Object.keys(others).map((name) => [name, false])),
      },
    )
  })

  const lineOf = (
    of: string,
    checked: Checked,
    { headers: { 'webhook-signature': signature } }: Request,
    keys: NodeJS.ProcessEnv,
  ): string =>
    execFileSync('sh', ['-c', checkLine(of, checked)], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: '', WEBHOOK_SIGNATURE: signature, ...keys },
      encoding: 'utf8',
    })

  const contentOf = async ({ headers, body }: Request): Promise<string> => {
    const [delivery] = await webhooks.deliveries()
    const [attempt] = delivery?.attemptLog ?? []
    const content = signedContent(delivery?.messageId ?? '', attempt?.at ?? null, delivery?.payload ?? '')
    expect(content).toBe(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
    return content
  }

  it('the line takes what was signed, byte for byte, and nothing else', async () => {
    const { request, checked, secret } = await delivered(signing)
    const content = await contentOf(request)
    expect(lineOf(content, checked, request, { WEBHOOK_SECRET: secret })).toBe('true\n')
    expect(lineOf(`${content} `, checked, request, { WEBHOOK_SECRET: secret })).toBe('false\n')
    const other = { headers: signedBy([signing], new Date(), request.body), body: request.body }
    expect(lineOf(content, checked, other, { WEBHOOK_SECRET: secret })).toBe('false\n')
  })

  it('the line takes what was signed before the key was changed, also when that key is gone', async () => {
    const { id, request, checked: first, secret } = await delivered(signing)
    const content = await contentOf(request)
    const { userId, masterKey, store } = webhooks.ledger
    const rotated = async (overlap: number): Promise<Checked> => {
      const { publicKeys } = await rotateSecret({ em: store.em(), masterKey }, { id, userId, overlap })
      return checkedBy(signing, publicKeys)
    }
    // What the receiver had then.
    const WEBHOOK_SECRET = secret
    const [WEBHOOK_PUBLIC_KEY = ''] = first.publicKeys
    expect(lineOf(content, await rotated(3_600), request, { WEBHOOK_SECRET })).toBe('true\n')
    const later = await rotated(0)
    expect(lineOf(content, later, request, { WEBHOOK_SECRET, WEBHOOK_PUBLIC_KEY })).toBe('true\n')
    expect(lineOf(content, later, request, { WEBHOOK_SECRET: secretOf(makeEndpointKey('v1')) })).toBe(
      'false\n',
    )
  })
})

it.each([
  ['ago', -400_000],
  ['ahead', 400_000],
])('no program takes what was signed more than five minutes %s', async (_, ms) => {
  const body = '{"type":"item.created"}'
  const at = new Date(Date.now() + ms)
  for (const signing of ['v1', 'v1a'] as const) {
    const key = makeEndpointKey(signing)
    const [, timestamp = '', , signature = ''] = messageSigner([key])({ id: MESSAGE, at, payload: body })
    const request = {
      headers: { 'webhook-id': MESSAGE, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
      body,
    }
    const checked = checkedBy(
      signing,
      publicKeysOf([key]).map((one) => one.key),
    )
    const env = { ...process.env, NODE_OPTIONS: '', WEBHOOK_SECRET: secretOf(key) ?? '' }
    for (const language of languages) {
      const { needs, takes } = RUN[language]
      if (isThere(needs(checked)))
        expect(takes(programOf(language, checked), [request], env), `${language} ${signing}`).toEqual([false])
    }
  }
})
