// The checks of signatures that the article prints, as it prints them: they take what we sign, and nothing else.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  makeEndpointKey,
  messageSigner,
  secretOf,
} from '../../../server/domain/webhooks/endpoints/signing_keys.ts'
import { makeTemporaryFolder } from '../../support/temporary_folder.ts'

const ARTICLE = new URL('../../../server/domain/knowledge/articles/webhook-receivers.md', import.meta.url)

let folder = ''
beforeAll(async () => {
  folder = await makeTemporaryFolder('pharos-signature-')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const [own, former, foreign] = ['v1', 'v1', 'v1'].map(() => makeEndpointKey('v1'))
if (own === undefined || former === undefined || foreign === undefined) throw new Error('No keys.')
const secret = secretOf(own) ?? ''
const BODY = '{"type":"item.created","data":{"tags":["ü"]}}'
const MESSAGE = `msg_${'0'.repeat(26)}`

/** @param age seconds */
const signed = (keys: readonly (typeof own)[], age = 0, id = MESSAGE): Record<string, string> => {
  const [, time = '', , signature = ''] = messageSigner(keys)({
    id,
    at: new Date(Date.now() - age * 1_000),
    payload: BODY,
  })
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature }
}

/** Headers, body, and whether they are to be taken. */
const CASES: readonly (readonly [Record<string, string>, string, boolean])[] = [
  [signed([own]), BODY, true],
  [signed([former, own]), BODY, true],
  [signed([makeEndpointKey('v1a'), own]), BODY, true],
  [signed([own], 240), BODY, true],
  [signed([own], 86_400), BODY, false],
  [signed([own], -86_400), BODY, false],
  [signed([foreign]), BODY, false],
  [signed([makeEndpointKey('v1a')]), BODY, false],
  [signed([own]), `${BODY} `, false],
  [{ ...signed([own]), 'webhook-id': `msg_${'1'.repeat(26)}` }, BODY, false],
  [{ ...signed([own]), 'webhook-timestamp': 'now' }, BODY, false],
  [{ ...signed([own]), 'webhook-signature': '' }, BODY, false],
  [{ ...signed([own]), 'webhook-signature': 'v1,' }, BODY, false],
  [{}, BODY, false],
]

/** Reads cases from standard input, and prints which are taken. */
const JS = `
import { isSigned } from './check.mjs'
const parts = []
for await (const part of process.stdin) parts.push(part)
const { secret, cases } = JSON.parse(Buffer.concat(parts))
console.log(JSON.stringify(cases.map(([headers, body]) => isSigned(secret, headers, Buffer.from(body)))))`
const PY = `
import json
import sys
from check import is_signed
given = json.load(sys.stdin)
print(json.dumps([is_signed(given["secret"], headers, body.encode()) for headers, body in given["cases"]]))`

const PRINTED = [
  { fence: 'js', file: 'check.mjs', main: 'main.mjs', text: JS, command: process.execPath },
  { fence: 'py', file: 'check.py', main: 'main.py', text: PY, command: 'python3' },
] as const

const isInstalled = (command: string): boolean => {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

it.each(PRINTED)(
  'the check in $fence takes what is signed, and nothing else',
  ({ fence, file, main, text, command }) => {
    const code = new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(ARTICLE, 'utf8'))?.[1]
    if (code === undefined) return expect.fail(`the article has no check in ${fence}`)
    if (!isInstalled(command)) {
      console.warn(`LEFT OUT: the check of signatures in ${fence}, because there is no ${command}.`)
      return
    }
    writeFileSync(join(folder, file), code)
    writeFileSync(join(folder, main), text)
    const input = JSON.stringify({ secret, cases: CASES.map(([headers, body]) => [headers, body]) })
    const env = { ...process.env, NODE_OPTIONS: '', PYTHONIOENCODING: 'utf-8' }
    const said = execFileSync(command, [main], { cwd: folder, env, input, encoding: 'utf8' })
    expect(JSON.parse(said)).toEqual(CASES.map(([, , isTaken]) => isTaken))
  },
)
