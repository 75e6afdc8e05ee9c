// Hashes what is to be stamped, and says how far it is: one line, written again and again on a terminal.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { paced, plural, printable, type Terminal } from '../../../shared/cli/terminal.ts'
import type { HashType } from '../../../shared/proof/claims.ts'
import { HashThreads } from './hash_threads.ts'
import type { Source } from './sources.ts'

export interface Hashed {
  readonly type: HashType
  readonly value: Uint8Array
  /** As `HashedFile` has it. */
  readonly mark: string
}

export class Hasher {
  readonly #terminal: Terminal
  readonly #tell: ReturnType<typeof paced>
  readonly #threads = new HashThreads()
  #files = 0
  #bytes = 0
  #restedAt = performance.now()

  constructor(terminal: Terminal) {
    this.#terminal = terminal
    this.#tell = paced(terminal.progress, { firstMs: 500, everyMs: 200 })
  }

  /** @throws Complaint */
  async hash(source: Source): Promise<Hashed> {
    this.passed(source)
    if ('digest' in source) return { ...source.digest, mark: '' }
    const hear = (bytes: number): void => {
      this.#bytes += bytes
      this.#say(source)
    }
    await this.#rest()
    return { type: 'sha256', ...(await this.#threads.hash(source, { hear })) }
  }

  /** It need not be hashed. */
  passed(source: Source): void {
    this.#files += 1
    this.#say(source)
  }

  /** Takes the line away. */
  pause(): void {
    this.#terminal.progress?.('')
  }

  /** Nothing is hashed any more. */
  end(): void {
    this.pause()
    this.#threads.end()
  }

  #say({ path }: Source): void {
    this.#tell(() => {
      const read = this.#bytes === 0 ? '' : `, ${(this.#bytes / 1e9).toFixed(1)} GB`
      return `${plural(this.#files, 'file')}${read}  ${printable(path).slice(0, 60)}`
    })
  }

  /** Small files are read without waiting, and an interrupt has to be heard. */
  async #rest(): Promise<void> {
    if (performance.now() - this.#restedAt < 50) return
    await nextTurn()
    this.#restedAt = performance.now()
  }
}
