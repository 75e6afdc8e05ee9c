// What callers feel of fifty accounts that read twenty pull endpoints each, as often as they may: first by requests that
// wait for news, then by requests that do not.
import { createAccount } from '../../server/domain/accounts/account_door.ts'
import { createApiKey } from '../../server/domain/accounts/api_key.ts'
import { createEndpoint } from '../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import { type Ground, openGround } from '../bench/ground.ts'
import { startServer } from '../bench/server_process.ts'
import { Started } from '../bench/started.ts'
import { type Caller, measureCallers, percentile, type Times } from './callers.ts'
import { sendGreedyCallers } from './greedy_callers.ts'

const ACCOUNTS = 50
const ENDPOINTS_EACH = 20
const CALLERS = 25
/** Seconds that give more than 1,000 answers of each kind, at one of each per second and caller. */
const SECONDS = 42
/** Each account submits an item in this time, and each of its endpoints hears of it. */
const NEWS_EVERY_MS = 10_000
/** A calm value below this many milliseconds counts as this many. */
const LEAST_CALM_MS = 4
const MOST_TIMES = 3

type Say = (line: string) => void
type Reader = Caller & { readonly path: string }

/** @returns whether every bound holds */
export async function readPullEndpoints(say: Say): Promise<boolean> {
  const started = new Started(say)
  try {
    const ground = await openGround(started)
    const innocent = await Promise.all(numbered(CALLERS, (n) => callerOf(ground, 'caller', n)))
    const owners = await Promise.all(numbered(ACCOUNTS, (n) => callerOf(ground, 'owner', n)))
    const readers: Reader[] = []
    for (const owner of owners) readers.push(...(await endpointsOf(ground, owner)))
    const { base } = await startServer(ground, { BLOCK_INTERVAL: '10s', PUBLIC_CHAINS: 'none' })
    const beside = async (seconds: number): Promise<Times> => {
      const news = measureCallers(base, owners, { seconds, everyMs: NEWS_EVERY_MS })
      const times = await measureCallers(base, innocent, { seconds, everyMs: 1_000 })
      const { failed } = await news
      say(`  owners were refused ${failed.length} times`)
      return times
    }
    await beside(5)
    const calm = await beside(SECONDS)
    const held: boolean[] = []
    for (const [how, wait] of [
      ['wait for news', 'wait=30&after='],
      ['ask at once', 'after='],
    ] as const) {
      const callers = readers.map((reader) => ({ ...reader, path: `${reader.path}?${wait}` }))
      const greedy = await sendGreedyCallers(base, { lanes: 1, callers, refused: 'obeys' })
      const times = await beside(SECONDS)
      const { statuses, bytes } = await greedy.stop()
      say(
        `${readers.length} readers who ${how} were told ${JSON.stringify(statuses)}, ${(bytes / 1e6 / SECONDS).toFixed(1)} MB/s`,
      )
      held.push(...judged({ calm, times }, say))
    }
    return held.every(Boolean)
  } finally {
    await started.end()
  }
}

async function callerOf({ store }: Ground, name: 'caller' | 'owner', nth: number) {
  const account = { email: `${name}${nth}@example.com`, firstName: 'Caller', plan: 'enterprise' } as const
  const { userId } = await createAccount(store.em(), account)
  const { secret } = await createApiKey(store.em(), { userId, name: 'soak' })
  return { userId, key: secret, localAddress: `127.0.${name === 'owner' ? 1 : 0}.${10 + nth}` }
}

async function endpointsOf(
  { store, masterKeyHex }: Ground,
  { userId, key, localAddress }: Caller & { readonly userId: string },
): Promise<Reader[]> {
  const readers: Reader[] = []
  for (let n = 0; n < ENDPOINTS_EACH; n += 1) {
    const { id } = await createEndpoint(
      { em: store.em(), masterKey: masterKey(Buffer.from(masterKeyHex, 'hex')) },
      { userId, kind: 'pull', resourceType: 'item', events: ['item.created'] },
    )
    readers.push({ key, localAddress, path: `/api/json/webhook-endpoints/${id}/events` })
  }
  return readers
}

function judged({ calm, times }: { calm: Times; times: Times }, say: Say): boolean[] {
  const rows = (['latest', 'create'] as const).map((what): readonly [boolean, string] => {
    const [before, during] = [percentile(calm[what], 0.95), percentile(times[what], 0.95)]
    const ratio = during / Math.max(before, LEAST_CALM_MS)
    const told = `p95 of ${what} ${during.toFixed(1)} ms of ${times[what].length}, ${before.toFixed(1)} ms without`
    return [ratio < MOST_TIMES, `${told} (× ${ratio.toFixed(2)}, below ${MOST_TIMES})`]
  })
  const verdicts = [...rows, [times.failed.length === 0, `${times.failed.length} were failed`] as const]
  for (const [holds, text] of verdicts) say(`  ${holds ? 'holds' : 'FAILS'}: ${text}`)
  return verdicts.map(([holds]) => holds)
}

const numbered = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))
