// The input of all steps: the bundle, the derived facts, and the answers of the public services, which are asked a
// limited number of questions.
import type { ReadEntry } from '../bundle/bundle_parts.ts'
import type { ReadBundle } from '../bundle/read_bundle.ts'
import type { EntropyName } from '../entropy_names.ts'
import type { Lookup, Lookups } from '../lookups/lookup.ts'
import { confirmEntropy } from './entropy_readers.ts'
import { type Facts, factsOf } from './facts.ts'
import type { NamedKeyring } from './keyring.ts'
import type { ChainVerdict, CheckVerdict, Temporal } from './report.ts'

/** Counts different questions. Correct bundles have fewer than ten. */
const MAX_LOOKUPS = 16

/**
 * Limits the number of lookups, because one bundle can name thousands of transactions and each question may take its
 * full time.
 * Asks the same question only once. Questions after the last allowed one count as unreachable.
 */
function limitedLookups(lookups: Lookups): Lookups {
  let left = MAX_LOOKUPS
  const asked = new Map<string, Promise<Lookup<unknown>>>()
  return {
    ask: (place, path) => {
      const key = `${place} ${path}`
      const known = asked.get(key)
      if (known !== undefined) return known
      if (left === 0)
        return Promise.resolve({ outcome: 'unreachable', why: `one bundle may ask ${MAX_LOOKUPS} questions` })
      left--
      const answer = lookups.ask(place, path)
      asked.set(key, answer)
      return answer
    },
  }
}

export type VerifySignature = (publicKey: Uint8Array, digest: Uint8Array, signature: Uint8Array) => boolean

export interface Examination {
  readonly bundle: ReadBundle
  readonly facts: Facts
  /** Trimmed and in lowercase. */
  readonly expectedHash: string | undefined
  readonly keyrings: readonly NamedKeyring[]
  readonly verifySignature: VerifySignature
  readonly temporal: Temporal
  /** What the chain answered about each entry, including the entries of the key event. */
  readonly chains: ReadonlyMap<ReadEntry, ChainVerdict>
  readonly entropy: readonly {
    readonly name: EntropyName
    readonly isWitness: boolean
    readonly verdict: CheckVerdict
  }[]
}

/** Sends all questions at once. Each has its own time limit. */
export async function answersOf(
  bundle: ReadBundle,
  lookups: Lookups | undefined,
): Promise<Pick<Examination, 'facts' | 'chains' | 'entropy'>> {
  const facts = factsOf(bundle)
  const limited = lookups === undefined ? undefined : limitedLookups(lookups)
  const chains = [...facts.chains].map(
    async ([entry, { confirm }]) => [entry, await confirm(limited)] as const,
  )
  const entropy = facts.entropy.map(async ({ name, isWitness, question }) => ({
    name,
    isWitness,
    verdict: await confirmEntropy(limited, name, question),
  }))
  const [settled, verdicts] = await Promise.all([Promise.all(chains), Promise.all(entropy)])
  return { facts, chains: new Map(settled), entropy: verdicts }
}
