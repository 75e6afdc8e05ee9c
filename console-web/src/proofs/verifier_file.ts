// The command-line verifier as a download: the same code as in this page, for a computer without it.
import address from '../../../server/client/dist/pharos.mjs?url'
import { quoted } from '../data/curl.ts'

export const VERIFIER_ADDRESS: string = address
export const VERIFIER_NAME = 'pharos.mjs'

/** Such as `pharos-keyring-localhost-4000.json`. */
export const ownKeyringName = (): string =>
  `pharos-keyring-${window.location.host.replace(/[^\w.-]+/g, '-')}.json`

/** The command that checks a downloaded proof offline with a keyring file. */
export const verifyCommand = (fileName: string, keyringFile = ownKeyringName()): string =>
  `node ${VERIFIER_NAME} verify ${shellWord(fileName)} --keyring ${shellWord(keyringFile)} --offline`

/** A plain word needs no quotes. */
const shellWord = (text: string): string => (/^[\w./-]+$/.test(text) ? text : quoted(text))
