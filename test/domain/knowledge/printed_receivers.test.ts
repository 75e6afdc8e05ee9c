// The receivers that the article prints, as it prints them: they take real deliveries, once each, and nobody else's.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { redeliver } from '../../../server/domain/webhooks/deliveries/redeliver.ts'
import { sendRetries } from '../../../server/jobs/retry_webhooks.ts'
import { freePort } from '../../support/free_port.ts'
import { buildGo, GO_BUILD_MS } from '../../support/go_program.ts'
import { openReceiver, type Receiver } from '../../support/receiver.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'

const ARTICLE = new URL('../../../server/domain/knowledge/articles/webhook-receivers.md', import.meta.url)

interface Printed {
  readonly fence: string
  readonly file: string
  /** Undefined where the machine has no such language. */
  readonly command: readonly [string, ...string[]] | undefined
}

const installed = (name: string, ...version: string[]): boolean => {
  try {
    execFileSync(name, version, { stdio: 'ignore' })
    return true
  } catch {
    console.warn(`LEFT OUT: the receiver that the article prints, because there is no ${name}.`)
    return false
  }
}

const PRINTED: readonly Printed[] = [
  { fence: 'ts', file: 'receiver.ts', command: [process.execPath, 'receiver.ts'] },
  {
    fence: 'python',
    file: 'receiver.py',
    command: installed('python3', '--version') ? ['python3', 'receiver.py'] : undefined,
  },
  {
    fence: 'go',
    file: 'receiver.go',
    // Built and then run: a signal to `go run` does not reach what it runs.
    command: installed('go', 'version') ? ['./receiver'] : undefined,
  },
]

let webhooks: TestWebhooks
/** Ends TLS before the one under test, as the article says that something does. */
let gate: Receiver
let folder = ''
let child: ChildProcess | undefined
beforeAll(async () => {
  webhooks = await openTestWebhooks()
  gate = await openReceiver()
})
afterAll(async () => {
  await gate.close()
  await webhooks.close()
})
afterEach(async () => {
  if (child !== undefined && child.exitCode === null) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  child = undefined
  rmSync(folder, { recursive: true, force: true })
})

const post = (port: number, headers: Record<string, string>, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const length = String(Buffer.byteLength(body))
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/hook',
        headers: { ...headers, 'content-length': length },
      },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    request.on('error', reject)
    request.end(body)
  })

const SECRET = 'a secret of the test'

it.each(PRINTED)(
  'the receiver in $fence checks the secret, keeps each message once, and answers',
  {
    timeout: GO_BUILD_MS,
  },
  async ({ fence, file, command }) => {
    const code = new RegExp(`\`\`\`${fence}\\n([\\s\\S]*?)\`\`\``).exec(readFileSync(ARTICLE, 'utf8'))?.[1]
    expect(code).toBeDefined()
    if (command === undefined) return
    folder = mkdtempSync(join(tmpdir(), 'pharos-receiver-'))
    writeFileSync(join(folder, file), code ?? '')
    if (fence === 'go') await buildGo(join(folder, file), join(folder, 'receiver'))
    const port = await freePort()
    const [name, ...args] = command
    const env = { ...process.env, PHAROS_SECRET: SECRET, PORT: String(port), NODE_OPTIONS: '' }
    child = spawn(name, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
    let said = ''
    child.stdout?.on('data', (piece: Buffer) => {
      said += piece.toString()
    })
    const id = `msg_${'0'.repeat(26)}`
    const authorization = `Bearer ${SECRET}`
    const event = JSON.stringify({ type: 'item.created', timestamp: 1, data: { id: 'by hand' } })
    const status = (headers: Record<string, string>) => post(port, headers, event).catch(() => 0)
    await expect.poll(() => status({ authorization: 'Bearer wrong' }), { timeout: 60_000 }).toBe(401)
    expect(await status({})).toBe(401)
    expect(await status({ authorization, 'webhook-id': '../../outside' })).toBe(400)
    // Whoever still sends when it hangs up may not come to read the answer.
    for (const headers of [{}, { authorization, 'webhook-id': id }])
      expect([413, 'cut']).toContain(await post(port, headers, 'x'.repeat(1_048_577)).catch(() => 'cut'))
    expect(await status({ authorization, 'webhook-id': id })).toBe(204)
    expect(await status({ authorization, 'webhook-id': id })).toBe(204)

    gate.respond((response, { headers, body }) => {
      const { authorization: given = '', 'webhook-id': message } = headers
      post(port, { authorization: given, 'webhook-id': String(message) }, body).then(
        (answered) => void response.writeHead(answered).end(),
        () => void response.destroy(),
      )
    })
    await webhooks.endpoint({
      url: gate.url(),
      events: ['item.created'],
      authType: 'bearer',
      authSecret: SECRET,
    })
    const [item] = await webhooks.ledger.submit({})
    await webhooks.fanOutAll()
    await webhooks.deliverDue()
    const [first] = await webhooks.deliveries()
    expect(first).toMatchObject({ status: 'success', httpStatus: 204 })
    const em = webhooks.ledger.store.em()
    await redeliver({ em, sendRetries }, { id: first?.id ?? '', userId: webhooks.ledger.userId })
    await webhooks.deliverDue()
    expect((await webhooks.deliveries()).map((one) => one.httpStatus)).toEqual([204, 204])
    await webhooks.query('DELETE FROM webhook_endpoints')
    await webhooks.query('DELETE FROM webhook_deliveries')

    const lines = ['item.created by hand', `item.created ${item?.id}`]
    await expect.poll(() => said.trim().split(/\r?\n/)).toEqual(lines)
    expect(readdirSync(join(folder, 'inbox')).toSorted()).toEqual(
      [`${id}.json`, `${first?.messageId}.json`].toSorted(),
    )
  },
)
