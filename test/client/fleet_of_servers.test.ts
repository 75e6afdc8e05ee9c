// The command line against several servers behind a balancer: no verb notices that one of them is restarted, or killed.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Fleet, openFleet } from '../faults/fleet.ts'
import { sizeOf } from '../support/sizes.ts'
import { type HeardEvent, type LocalReceiver, localReceiver } from './local_receiver.ts'
import { type Desk, openDesk } from './run_pharos.ts'
import { type RunningPharos, runningPharos } from './running_pharos.ts'

const RESTARTS = sizeOf('restarts')

let fleet: Fleet
let desk: Desk
let receiver: LocalReceiver
const running: RunningPharos[] = []
beforeAll(async () => {
  ;[fleet, desk, receiver] = await Promise.all([openFleet(), openDesk(), localReceiver()])
  await receiver.up()
}, 300_000)
afterAll(async () => {
  for (const { kill, ended } of running.splice(0)) {
    kill('SIGKILL')
    await ended
  }
  await receiver?.down()
  await desk?.clear()
  await fleet?.close()
})

const env = () => ({ PHAROS_URL: fleet.balancer.base, PHAROS_API_KEY: fleet.key })

/** Runs a verb, which must end as it does where all servers are there. @returns what it printed */
async function run(args: readonly string[], { code = 0, input = '' } = {}): Promise<string> {
  const ran = await desk.pharos(args, { env: env(), input })
  expect(ran.code, `${args.join(' ')}: ${ran.out}${ran.err}`).toBe(code)
  return ran.out
}

/** Every verb that asks the service and ends by itself. @returns the item that was stamped */
async function everyVerb(n: number): Promise<string> {
  const file = await desk.put(`${n}.txt`, `file ${n}`)
  const receipt = `${file}.pharos`
  await run(['stamp', file, '--wait', '--until', 'block', '--timeout', '5m'])
  const { item } = JSON.parse(await readFile(join(desk.folder, receipt), 'utf8'))
  await run(['upgrade', receipt], { code: 3 })
  await run(['status', receipt], { code: 3 })
  await run(['verify', receipt, '--file', file], { code: 3 })
  await run(['proof', item.id], { code: 1 })
  expect(await run(['show', item.id])).toContain(item.id)
  expect(await run(['ls', '--all', '--json'])).toContain(item.id)
  await run(['api', 'GET', 'items', '--paginate'])
  await run(['whoami'])
  await run(['trigger', 'item.created'])
  await run(['login', '--with-key', '--insecure-storage', '--profile', `p${n}`], { input: fleet.key })
  await run(['logout', '--profile', `p${n}`])
  await run(['keyring', 'add', fleet.balancer.base, '--name', `k${n}`])
  await run(['watch', `${fleet.balancer.base}/log`, '--once'])
  return item.id
}

const itemOf = ({ body }: HeardEvent): string => (JSON.parse(body) as { data: { id: string } }).data.id

it('every verb ends as ever while servers are restarted and killed, and what follows leaves nothing out', {
  timeout: 900_000,
}, async () => {
  const forwarding = ['listen', '--forward-to', receiver.url, '--events', 'item.created']
  running.push(runningPharos(desk, forwarding, env()))
  running.push(runningPharos(desk, ['tail', '--since', '0', '--every', '1', '--json'], env()))
  const [listening = expect.fail(), tailing = expect.fail()] = running
  await listening.notedOnce(/^Ready\./m)
  const stamped: string[] = []
  let isOver = false
  const asking = (async () => {
    while (!isOver) stamped.push(await everyVerb(stamped.length))
  })()
  // Somebody must hear of it at once, and the servers go on being restarted meanwhile.
  asking.catch(() => undefined)
  for (let n = 0; n < RESTARTS; n += 1) {
    const index = n % fleet.ports.length
    await (n % 2 === 0 ? fleet.restart(index, () => Promise.resolve()) : fleet.kill(index))
  }
  isOver = true
  await asking
  const heard = () => new Set(receiver.heard.map(itemOf))
  await expect.poll(() => stamped.filter((id) => !heard().has(id))).toEqual([])
  const [{ height } = { height: 0 }] = await fleet.query<{ height: number }>(
    'SELECT max(height)::integer AS height FROM blocks',
  )
  const heights = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).height)
  const isBeacon = (line: string) => !line.includes('"type":"absence"')
  const lines = await tailing.linesOnce(height, isBeacon)
  expect(heights(lines).slice(0, height)).toEqual(Array.from({ length: height }, (_, n) => n + 1))
})
