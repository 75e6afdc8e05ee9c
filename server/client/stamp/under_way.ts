// Requests of an account that are under way, `FILE.pharos.part` beside the evidence of one of the files: what a run that was
// killed has asked for is asked again in the same words, whatever files came and went since, so nothing is made twice.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Complaint } from '../../../shared/cli/terminal.ts'
import type { TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import { EvidenceRejected, readDigest, shownDigest } from '../../../shared/evidence/evidence.ts'
import { bytesEqual } from '../../../shared/proof/bytes.ts'
import { type JsonValue, memberAt, textAt } from '../../../shared/proof/json_value.ts'
import { readStrictJson, StrictJsonError } from '../../../shared/proof/strict_json.ts'
import { unfinishedAt, written } from '../files.ts'
import type { Accepted, Acceptor } from './accept.ts'
import { STDOUT } from './places.ts'

/** One file of a request, with the place of its evidence. */
interface Asked {
  readonly place: string
  readonly entry: TreeEntry
}

export class StampUnderWay {
  /** Who asks whom for what: the same digests for another team are another request. */
  readonly #of: string
  /** By the places of the evidence. */
  readonly #answers = new Map<string, { readonly entry: TreeEntry; readonly accepted: Accepted }>()
  readonly #resumed = new Map<string, readonly Asked[]>()

  constructor({ service, labels }: Pick<Acceptor, 'service' | 'labels'>) {
    const whose = JSON.stringify([service.url.origin, service.tenant ?? null, labels])
    this.#of = createHash('sha256').update(whose).digest('hex')
  }

  /** Asks again what an earlier run has left beside this place, unless all evidence of it is there. @throws Complaint */
  async resume(place: string, ask: (entries: TreeEntry[]) => Promise<Accepted[]>): Promise<void> {
    if (place === STDOUT) return
    const part = unfinishedAt(place, '.part')
    const left = leftAt(part, this.#of)
    if (left === undefined) return
    this.#resumed.set(part, left)
    if (left.every(isPlaced)) return
    const answers = await ask(left.map(({ entry }) => entry)).catch((error: unknown) => {
      if (isLastingNo(error)) rmSync(part, { force: true })
      throw error
    })
    for (const [at, accepted] of answers.entries()) {
      const one = left[at]
      if (one !== undefined) this.#answers.set(one.place, { entry: one.entry, accepted })
    }
  }

  /** What an earlier request was answered for this very file, once. */
  taken({ place, entry }: Asked): Accepted | undefined {
    const key = resolve(place)
    const answered = this.#answers.get(key)
    if (answered?.entry.type !== entry.type || !bytesEqual(answered.entry.value, entry.value))
      return undefined
    this.#answers.delete(key)
    return answered.accepted
  }

  /**
   * Remembers a request, before anybody hears of it.
   * @returns what forgets it
   * @throws Complaint when it cannot be remembered
   */
  async begin(asked: readonly Asked[]): Promise<() => void> {
    const places = asked.filter(({ place }) => place !== STDOUT)
    if (places.length === 0) return () => undefined
    const parts = places.map(({ place }) => unfinishedAt(place, '.part'))
    const part = parts.find((one) => !existsSync(one)) ?? parts.find((one) => isOwn(textIn(one)))
    if (part === undefined)
      throw new Complaint(`${parts[0]} is there, and is no stamp under way. It is not overwritten.`, {
        advice: 'Move it away, or choose another place: -o <place>',
      })
    const digests = places.map(({ place, entry }) => ({ place: resolve(place), ...shownDigest(entry) }))
    const text = `${FIRST_LINE}${JSON.stringify({ of: this.#of, digests })}`
    await written(part, async () => writeFileSync(part, text, { flush: true }))
    return () => rmSync(part, { force: true })
  }

  /** Forgets what is done. Of a file that was not named this time the evidence is still to come. */
  end(): void {
    for (const [part, left] of this.#resumed) if (left.every(isPlaced)) rmSync(part, { force: true })
  }
}

const isPlaced = ({ place }: Asked): boolean => existsSync(place)

/** There is nothing to go on from then, and another run may ask for something else. */
export const isLastingNo = (error: unknown): boolean => error instanceof Complaint && error.exitCode !== 2

const FIRST_LINE = 'pharos stamp items 1\n'

/** A service knows a request for a day, and asking takes a while. */
const KNOWN_MS = 86_400_000 - 600_000

/** Undefined where there is none of this kind that the service still knows. */
function leftAt(part: string, of: string): Asked[] | undefined {
  if (!existsSync(part)) return undefined
  const text = textIn(part)
  if (!isOwn(text) || text === '') return undefined
  if (Date.now() - statSync(part).mtimeMs > KNOWN_MS) {
    rmSync(part, { force: true })
    return undefined
  }
  try {
    const left = readStrictJson(text.slice(FIRST_LINE.length))
    if (textAt(left, 'of') !== of) return undefined
    const digests = memberAt(left, 'digests')
    return Array.isArray(digests) ? digests.map(askedIn) : undefined
  } catch (error) {
    // A run that was killed while it wrote this has asked nobody.
    if (error instanceof StrictJsonError || error instanceof EvidenceRejected) return undefined
    throw error
  }
}

/** @throws EvidenceRejected */
const askedIn = (one: JsonValue): Asked => ({
  place: textAt(one, 'place') ?? '',
  entry: readDigest({ type: textAt(one, 'type') ?? null, value: textAt(one, 'value') ?? null }, undefined),
})

const isOwn = (text: string | undefined): text is string =>
  text !== undefined && (text === '' || text.startsWith(FIRST_LINE))

/** Undefined for what cannot be read, or is larger than any of these. */
function textIn(part: string): string | undefined {
  try {
    return statSync(part).size > LARGEST_BYTES ? undefined : readFileSync(part, 'utf8')
  } catch {
    return undefined
  }
}

const LARGEST_BYTES = 8_388_608
