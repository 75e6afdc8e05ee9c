// Resolves a name to all its addresses through the name servers, within a time limit. It does not use the hosts file
// or a blocking thread.
import { Resolver } from 'node:dns/promises'

/**
 * Returns every A and AAAA answer, with aliases followed, or an empty list when there are none.
 * @throws when no server answers in time
 */
export type ResolveName = (host: string) => Promise<readonly string[]>

/** Milliseconds per question to one server, number of questions, and milliseconds in total. */
const TIMES = { question: 1_500, tries: 2, whole: 4_000 } as const

/** These codes mean that there is no such record. After any other code the result is unknown. */
const NO_RECORD: ReadonlySet<unknown> = new Set(['ENODATA', 'ENOTFOUND'])

/**
 * IPv4 addresses come first, because hosts with both usually answer on both. When one kind of question fails, the
 * answers of the other are still used.
 */
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
