// What is remembered of services on this computer: files of one kind in a folder of their own, one for each service, by
// its name.
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Complaint, codeOf, wordsOf } from '../../shared/cli/terminal.ts'
import { configFolder, noneThere, replaceFile } from './files.ts'

export class Shelf {
  readonly #folder: string
  readonly #kind: string
  readonly #ending: string

  /** @param kind what lies there, for people */
  constructor(env: NodeJS.ProcessEnv, folder: string, kind: string, ending: string) {
    this.#folder = join(configFolder(env), folder)
    this.#kind = kind
    this.#ending = ending
  }

  /** Sorted by name: host and port of the service, e.g. `localhost:4000`. @throws Complaint */
  all() {
    return this.#onDisk(async () => {
      const names = (await readdir(this.#folder).catch(noneThere)) ?? []
      const files = names.filter((name) => name.endsWith(this.#ending)).sort()
      return Promise.all(
        files.map(async (file) => {
          const path = join(this.#folder, file)
          const [bytes, { mtime }] = await Promise.all([readFile(path), stat(path)])
          return { name: nameOf(file.slice(0, -this.#ending.length)), path, bytes, rememberedAt: mtime }
        }),
      )
    })
  }

  /**
   * Returns the path of the file.
   * @param change what it holds from now on, or undefined to leave it as it is; of what it holds, undefined where there is
   * none
   * @throws Complaint
   */
  put(name: string, change: (held: Buffer | undefined, path: string) => string | undefined): Promise<string> {
    const path = this.#pathOf(name)
    return this.#onDisk(async () => {
      const changed = change(await readFile(path).catch(noneThere), path)
      if (changed !== undefined) await replaceFile(path, changed)
      return path
    })
  }

  /** True when there was one. @throws Complaint */
  remove(name: string): Promise<boolean> {
    const path = this.#pathOf(name)
    return this.#onDisk(async () => {
      const held = await readFile(path).catch(noneThere)
      await rm(path, { force: true })
      return held !== undefined
    })
  }

  /** Percent-encoded, so that a name cannot lead out of the folder. */
  #pathOf(name: string): string {
    return join(this.#folder, `${encodeURIComponent(name)}${this.#ending}`)
  }

  /** Turns errors of the file system into complaints, because only the person can solve them. */
  async #onDisk<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Complaint || codeOf(error) === undefined) throw error
      throw new Complaint(`The ${this.#kind} in ${this.#folder} cannot be read or kept: ${wordsOf(error)}.`)
    }
  }
}

const nameOf = (encoded: string): string => {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
