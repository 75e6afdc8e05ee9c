// A service of which there is nothing but its chain, for those who follow it: it fails and lags as a test tells it.
import { createServer } from 'node:http'

interface Made {
  readonly hash: string
  readonly previous: string
  readonly at: number
}

const BEGUN = Date.UTC(2026, 10, 26, 18)
export const MINUTE = 60_000

export class ChainServer {
  /** May be changed at any time. */
  chain: Made[] = []
  /** The status of the next answers, before the chain is shown again. */
  refusals: { status: number; retryAfter?: string }[] = []
  /** The server of so many of the next lists has not got the newest block yet. */
  lagging = 0
  asked: URLSearchParams[] = []
  readonly #server = createServer((request, response) => {
    const { searchParams: query } = new URL(request.url ?? '', 'http://service')
    this.asked.push(query)
    const refused = this.refusals.shift()
    if (refused !== undefined) {
      const { status, retryAfter } = refused
      return response
        .writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
        .end('{}')
    }
    response.end(JSON.stringify({ data: this.#rows(query), links: { next: null } }))
  })

  #rows(query: URLSearchParams): object[] {
    const rows = this.chain.map(({ hash, previous, at }, height) => ({
      type: 'block',
      id: `block-${hash}`,
      attributes: {
        height,
        block_hash: hash,
        previous_block_hash: previous,
        finalized_at: new Date(at).toISOString(),
      },
    }))
    if (query.get('sort') === '-height') rows.reverse()
    else if (this.lagging > 0) {
      this.lagging -= 1
      rows.pop()
    }
    const exact = query.get('filter[height]')
    const least = Number(exact ?? query.get('filter[height][gte]') ?? 0)
    const below = exact === null ? Number(query.get('filter[height][lt]') ?? Infinity) : least + 1
    return rows
      .filter(({ attributes: { height } }) => height >= least && height < below)
      .slice(0, Number(query.get('page[limit]')))
  }

  open(): Promise<void> {
    return new Promise((listening) => void this.#server.listen(0, '127.0.0.1', listening))
  }

  get address(): string {
    const bound = this.#server.address()
    return `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`
  }

  /** So many blocks more, a minute apart unless said otherwise. @param previous what the first of them names */
  grow(count: number, name = 'a', apartMs = MINUTE, previous?: string): void {
    for (let n = 0; n < count; n += 1) {
      const last = this.chain.at(-1)
      this.chain.push({
        hash: `${name}${this.chain.length}`,
        previous: (n === 0 ? previous : undefined) ?? last?.hash ?? 'none',
        at: (last?.at ?? BEGUN) + apartMs,
      })
    }
  }

  /** Without the blocks from this height on. */
  cut(height: number): void {
    this.chain.splice(height)
  }

  /** Nothing is left of what a test has told it. */
  clear(): void {
    this.chain = []
    this.refusals = []
    this.asked = []
    this.lagging = 0
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
