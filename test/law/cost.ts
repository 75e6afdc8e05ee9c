// What a request costs: CPU time of this process (including the test's share), statements, rows, and bytes of
// the answer.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { type Answer, type Ask, ask } from '../support/http.ts'
import { slowness } from '../support/slowness.ts'

/** The cost of something that returned `done`. */
export interface Took<Done> {
  readonly done: Done
  /** Milliseconds of the cheapest try, because other work on the machine must not count. */
  readonly cpuMs: number
  /** Of the try with the fewest statements. */
  readonly statements: number
  readonly rows: number
}

export interface Cost extends Omit<Took<Answer>, 'done'> {
  readonly answer: Answer
  readonly answerBytes: number
}

/** On a busy machine the same work takes more CPU time, at times. */
const TRIES = 20
/** What others are compared with is known after a few tries. */
const PLAIN_TRIES = 6
/** Milliseconds that any request may cost. What costs less is compared with nothing. */
const LEAST_MS = 50

/** Counts what the driver sends while it is open. */
interface Counter {
  statements: number
  rows: number
}

const counters = new Set<Counter>()
const query = pg.Client.prototype.query

/** Makes the driver count. Its behaviour is otherwise unchanged. */
function countStatements(): () => void {
  pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
    for (const counter of counters) counter.statements += 1
    const answer: unknown = Reflect.apply(query, this, given)
    if (answer instanceof Promise)
      answer.then(
        (result: pg.QueryResult | undefined) => {
          for (const counter of counters) counter.rows += result?.rows?.length ?? 0
        },
        () => undefined,
      )
    return answer
  } as typeof query
  return () => {
    pg.Client.prototype.query = query
  }
}

/**
 * @param begin does the preparation, which is not measured, and returns the measured part
 * @param enough a cost below which there is no further try. What costs more is compared with the speed of the machine.
 * @param statements up to this many statements are ignored, because they may be periodic statements of the
 * service
 */
export async function costOfDoing<Done>(
  begin: () => Promise<() => Promise<Done>>,
  enough = 0,
  statements = Number.POSITIVE_INFINITY,
  most = TRIES,
): Promise<Took<Done>> {
  let best: Took<Done> | undefined
  const isEnough = () => best !== undefined && best.cpuMs < enough && best.statements <= statements
  for (let tries = 0; tries < most && !isEnough(); tries += 1) {
    const act = await begin()
    const counter: Counter = { statements: 0, rows: 0 }
    counters.add(counter)
    const before = process.cpuUsage()
    const done = await act()
    const { user, system } = process.cpuUsage(before)
    counters.delete(counter)
    const tookMs = (user + system) / 1_000
    const cpuMs = tookMs < enough || enough === 0 ? tookMs : tookMs / slowness()
    const fewest = Math.min(counter.statements, best?.statements ?? counter.statements)
    if (best === undefined || cpuMs < best.cpuMs) best = { done, cpuMs, ...counter }
    best = { ...best, statements: fewest }
  }
  if (best === undefined) throw new Error('Nothing was tried.')
  return best
}

/**
 * @param allowed returns the cost that an answer of so many bytes may have. Below it, there is no further try; above it,
 * the question is asked again, because the machine may have become slower since the plain request was measured
 */
export async function costOf(
  port: number,
  path: string,
  parts: Ask,
  {
    allowed,
    statements,
  }: { allowed: (answerBytes: number, again?: boolean) => Promise<number>; statements: number },
): Promise<Cost & { readonly allowed: number }> {
  const begin = async () => () => ask(port, path, parts)
  const first = await costOfDoing(begin, Number.POSITIVE_INFINITY)
  const bytes = ({ text }: Answer) => Buffer.byteLength(text)
  const isCheap = first.cpuMs < LEAST_MS && first.statements <= statements
  const before = isCheap ? LEAST_MS : await allowed(bytes(first.done))
  const isEnough = first.cpuMs < before && first.statements <= statements
  const most = isEnough ? before : Math.max(before, await allowed(bytes(first.done), true))
  const { done: answer, ...took } = isEnough ? first : await costOfDoing(begin, most, statements)
  return { answer, ...took, answerBytes: bytes(answer), allowed: most }
}

/** The service under test, and an empty route to compare it with. */
export interface LawGround {
  readonly app: TestApp
  readonly plain: Plain
}

/** Opened before the tests of a file and closed after them. The driver counts its statements in between. */
export function lawGround(open: () => Promise<TestApp>): LawGround {
  let ground: LawGround | undefined
  const opened = (): LawGround => {
    if (ground === undefined) throw new Error('It is open while tests run.')
    return ground
  }
  let uncount = (): void => undefined
  beforeAll(async () => {
    ground = { app: await open(), plain: await openPlain() }
    uncount = countStatements()
  })
  afterAll(async () => {
    uncount()
    ground?.plain.close()
    await ground?.app.close()
  })
  return {
    get app() {
      return opened().app
    },
    get plain() {
      return opened().plain
    },
  }
}

export interface Plain {
  /** Milliseconds that a request of these bytes may cost, whatever it asks for. `again` measures anew. */
  readonly allowed: (requestBytes: number, answerBytes: number, again?: boolean) => Promise<number>
  readonly close: () => void
}

/** An empty route: reads JSON and answers with the same number of bytes of JSON. */
async function openPlain(): Promise<Plain> {
  const server: Server = createServer({ maxHeaderSize: 1_048_576 }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const asked: unknown = body === '' ? 0 : JSON.parse(body)
      const bytes = Number(request.headers['x-answer-bytes'])
      const lines = Array.from({ length: Math.ceil(bytes / 100) }, () => 'x'.repeat(97))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(typeof asked === 'string' ? [asked.length, ...lines] : lines))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const known = new Map<string, number>()
  return {
    allowed: async (requestBytes, answerBytes, again = false) => {
      const key = `${Math.ceil(requestBytes / 4_096)} ${Math.ceil(answerBytes / 4_096)}`
      const before = known.get(key)
      if (before !== undefined && !again) return before
      const parts = {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-answer-bytes': String(answerBytes) },
        body: JSON.stringify('x'.repeat(Math.max(0, requestBytes - 2))),
      }
      const begin = async () => () => ask(port, '/', parts)
      const { cpuMs } = await costOfDoing(begin, 0, Number.POSITIVE_INFINITY, PLAIN_TRIES)
      const allowed = 10 * cpuMs + LEAST_MS
      known.set(key, allowed)
      return allowed
    },
    close: () => void server.close(),
  }
}
