// Shows the first key, a sign-in link and a first request once: on a terminal, or in a file that only the owner can
// read.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FirstAccount } from './first_account.ts'
import { renameDurably, writeDurably } from './store/embedded/durable_file.ts'

/** Returns when a person can find the key, even after a power cut. */
export async function introduce(
  { apiKey, email }: FirstAccount,
  {
    base,
    dataDir,
    say,
  }: { readonly base: string; readonly dataDir: string; readonly say: (line: string) => void },
): Promise<void> {
  const text = [
    'This is shown once. Keep the API key; only its hash is stored.',
    '',
    `  Account   ${email}`,
    `  API key   ${apiKey}`,
    `  Console   ${base}/#key=${apiKey}`,
    '',
    'Submit a first item:',
    '',
    `  curl -sS ${base}/api/json/items -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/vnd.api+json' -d '{"data":{"type":"item","attributes":{"claims":{"name":"My first item","description":"Recorded to see how long a minute is."}}}}'`,
    '',
    'Another key, should this one be lost:',
    '',
    `  npm run pharos -- key create --email ${email}`,
    '',
  ].join('\n')
  if (process.stderr.isTTY) return say(`\n${text}`)
  const path = join(dataDir, 'first-start.txt')
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await writeDurably(`${path}.new`, text, 0o600)
    await renameDurably(`${path}.new`, path)
  } catch (error) {
    throw new Error(
      `The first API key could not be written to ${path} (${error instanceof Error ? error.message : String(error)}), ` +
        'so it was not made. Set DATA_DIR to a folder that can be written, and start again.',
      { cause: error },
    )
  }
  say(`The first API key, the console link and a first request are in ${path}`)
}
