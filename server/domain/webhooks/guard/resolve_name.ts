// Asks the name servers for all addresses of a name, within a time: never the hosts file, never a thread that blocks.
import { Resolver } from 'node:dns/promises'

/** Every A and AAAA answer, aliases followed; empty when there are none. @throws when nobody answers in time */
export type ResolveName = (host: string) => Promise<readonly string[]>

/** Milliseconds for one question to one server, questions in all, and the whole. */
const TIMES = { question: 1_500, tries: 2, whole: 4_000 } as const

/** These say that there is no such record; anything else that nothing can be said. */
const NO_RECORD: ReadonlySet<unknown> = new Set(['ENODATA', 'ENOTFOUND'])

/** IPv4 first: whoever has both answers on both. One kind that is not answered does not hide the other. */
export const resolveName: ResolveName = async (host) => {
  const resolver = new Resolver({ timeout: TIMES.question, tries: TIMES.tries })
  const deadline = setTimeout(() => resolver.cancel(), TIMES.whole)
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const failed = answers.find((answer) => answer.status === 'rejected' && !saysNone(answer.reason))
    if (addresses.length === 0 && failed?.status === 'rejected') throw failed.reason
    return addresses
  } finally {
    clearTimeout(deadline)
  }
}

const saysNone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NO_RECORD.has(error.code)
