// Where programs on the same machine find a node: each running node keeps a file in the data folder, with an address
// that may only read the chain.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { whenMissing } from '../kernel/error_code.ts'
import { boundedRequest, RequestFailed } from '../outgoing/bounded_request.ts'

/** In the data folder. The files are named after the port, which only one running node has. */
const FOLDER = 'devchain'
const FILE = /^\d{1,5}\.url$/

/** More nodes than one machine runs. Files beyond that are not looked at. */
const MOST_FILES = 64
const CALL = { timeoutMs: 2_000, maxBytes: 4_096 } as const

/**
 * Stores the address for this account alone (mode 0600), and deletes what nodes left behind that were killed.
 * @returns its end, which deletes the file
 */
export async function announceReader(dataDir: string, url: string): Promise<() => Promise<void>> {
  const folder = join(dataDir, FOLDER)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await answeringReader(dataDir)
  const path = join(folder, `${new URL(url).port}.url`)
  const draft = `${path}.${process.pid}`
  await rm(draft, { force: true })
  await writeFile(draft, url, { mode: 0o600, flag: 'wx' })
  await rename(draft, path)
  return () => rm(path, { force: true })
}

/** The address of a running node, of the newest when there are several. Undefined when none runs. */
export async function answeringReader(dataDir: string): Promise<string | undefined> {
  const files = await filesIn(join(dataDir, FOLDER))
  const answers = await Promise.all(
    files.map(async ({ path, url }) => ({ url, answer: await ask(url), path })),
  )
  for (const { path, answer } of answers) if (answer === 'nobody') await rm(path, { force: true })
  return answers.find(({ answer }) => answer === 'node')?.url
}

/** The newest first. */
async function filesIn(folder: string) {
  const names = (await readdir(folder).catch(whenMissing)) ?? []
  const found = await Promise.all(
    names
      .filter((name) => FILE.test(name))
      .slice(0, MOST_FILES)
      .map(async (name) => {
        const path = join(folder, name)
        const [url, written] = await Promise.all([
          readFile(path, 'utf8').catch(whenMissing),
          stat(path).catch(whenMissing),
        ])
        return { path, url: url ?? '', writtenMs: written?.mtimeMs ?? 0 }
      }),
  )
  return found.filter(({ url }) => URL.canParse(url)).sort((one, other) => other.writtenMs - one.writtenMs)
}

/** `nobody`: the node of this address is gone, and something else may have its port. */
async function ask(address: string): Promise<'node' | 'busy' | 'nobody'> {
  const { origin, username, password } = new URL(address)
  try {
    const { status } = await boundedRequest(origin, {
      ...CALL,
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
      body: JSON.stringify({ id: 1, method: 'getblockcount', params: [] }),
    })
    if (status === 200) return 'node'
    return status === 500 ? 'busy' : 'nobody'
  } catch (error) {
    if (error instanceof RequestFailed) return error.reason === 'timeout' ? 'busy' : 'nobody'
    throw error
  }
}
