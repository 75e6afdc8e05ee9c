// A master key that an operator gives to a command: in a file or on standard input, and never as a word of the command.
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { Complaint, wordsOf } from '../../shared/cli/terminal.ts'

/** The name of the option. */
export const MASTER_KEY_FILE = 'master-key-file'

/**
 * @param file `-` is standard input
 * @param undone what is said of what the command would have done
 * @throws Complaint
 */
export async function readMasterKey(file: string, undone: string): Promise<Buffer> {
  const given = file === '-' ? buffer(process.stdin) : readFile(file)
  const text = (
    await given.catch((error: unknown) => {
      throw new Complaint(`The file of --${MASTER_KEY_FILE} cannot be read: ${wordsOf(error)}. ${undone}`)
    })
  )
    .toString()
    .trim()
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  const named = file === '-' ? 'Standard input' : `The file ${file}`
  throw new Complaint(`${named} holds no master key (64 hex characters). ${undone}`)
}
