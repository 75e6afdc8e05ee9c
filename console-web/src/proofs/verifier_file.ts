// The command-line verifier as a file to download: the same code as here, for a computer without this page.
import address from '../../../server/verifier/dist/pharos.mjs?url'

export const VERIFIER_ADDRESS: string = address
export const VERIFIER_NAME = 'pharos.mjs'

/** As in `pharos-keyring-localhost-4000.json`. */
export const keyringName = (host: string): string => `pharos-keyring-${host.replace(/[^\w.-]+/g, '-')}.json`

/** The line that checks a downloaded proof with a keyring file, without asking anybody. */
export const verifyCommand = (fileName: string, keyringFile: string): string =>
  `node ${VERIFIER_NAME} verify ${quoted(fileName)} --keyring ${quoted(keyringFile)} --offline`

const quoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
