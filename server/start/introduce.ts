// Shows the first key, a sign-in link and a first request once: on a terminal, or in a file that only the owner can
// read.
import { mkdir } from 'node:fs/promises'
import { oneTimeLink } from '../domain/accounts/one_time_link.ts'
import { renameDurably, writeDurably } from '../store/embedded/durable_file.ts'
import type { FirstAccount } from './first_account.ts'
import { firstStartFile } from './first_start_file.ts'

const GOES =
  'The server deletes this file within a minute after the API key is used for the first time, and after a day in any case.'

export interface Introduced {
  /** The public origin. */
  readonly base: string
  readonly dataDir: string
  /** Somebody may be reading what is said. */
  readonly isTerminal: boolean
  readonly say: (line: string) => void
}

/** Returns when a person can find the key, even after a power cut. */
export async function introduce(
  { apiKey, email, passwordToken }: FirstAccount,
  { base, dataDir, isTerminal, say }: Introduced,
): Promise<void> {
  const text = [
    'This is shown once. Keep the API key; only its hash is stored.',
    '',
    `  Account   ${email}`,
    `  API key   ${apiKey}`,
    `  Console   ${base}/#key=${apiKey}`,
    `  Password  ${oneTimeLink(base, 'password_reset', passwordToken)}`,
    '',
    'The console link signs in with the key. The password link works once, within a day: choose a password there, and',
    'sign in with it and the address above from then on.',
    '',
    'Submit a first item:',
    '',
    `  curl -sS ${base}/api/json/items -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/vnd.api+json' -d '{"data":{"type":"item","attributes":{"claims":{"name":"My first item","description":"Recorded to see how long a minute is."}}}}'`,
    '',
    'Another key or password link, should these be lost:',
    '',
    `  npm run pharos -- key create --email ${email}`,
    `  npm run pharos -- user reset-password --email ${email}`,
    '',
  ].join('\n')
  if (isTerminal) return say(`\n${text}`)
  const path = firstStartFile(dataDir)
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await writeDurably(`${path}.new`, `${GOES}\n\n${text}`, 0o600)
    await renameDurably(`${path}.new`, path)
  } catch (error) {
    throw new Error(
      `The first API key could not be written to ${path} (${error instanceof Error ? error.message : String(error)}), ` +
        'so it was not made. Set DATA_DIR to a folder that can be written, and start again.',
      { cause: error },
    )
  }
  say(
    `The first API key, links to sign in and a first request are in ${path} (deleted once the key was used, or after a day)`,
  )
}
