// Programs that check the signature of what arrives, and lines for a shell that check one delivery (Standard Webhooks 1.0).
// They carry public keys, and no secret.
import { quoted } from '../data/curl.ts'
import type { Endpoint } from './endpoint.ts'
import v1Node from './programs/v1.js?raw'
import v1Python from './programs/v1.py?raw'
import v1Shell from './programs/v1.sh?raw'
import v1aNode from './programs/v1a.js?raw'
import v1aPython from './programs/v1a.py?raw'
import v1aShell from './programs/v1a.sh?raw'

export const LANGUAGES = { node: 'Node', python: 'Python', shell: 'Shell' } as const
export type Language = keyof typeof LANGUAGES

/** `v1` is checked with the secret, `v1a` with public keys, e.g. `whpk_…`, the newest first. */
type Checked = Pick<Endpoint, 'signing' | 'publicKeys'>

const PROGRAMS = {
  v1: { node: v1Node, python: v1Python, shell: v1Shell },
  v1a: { node: v1aNode, python: v1aPython, shell: v1aShell },
}

/**
 * Each takes the headers and the bytes of the body, and refuses what is older than five minutes. One that checks with a
 * public key has it as RFC 8410 writes it: the 12 bytes before the key are the same for each, and fill their characters of
 * base64.
 */
export const programOf = (language: Language, { signing, publicKeys: [newest = ''] }: Checked): string =>
  PROGRAMS[signing === 'v1' ? 'v1' : 'v1a'][language].replace('<PUBLIC_KEY>', () =>
    newest.replace(/^whpk_/, ''),
  )

/** What was signed of one attempt. `at` is its time; null where it is to be filled in from the header. */
export const signedContent = (messageId: string, at: string | null, body: string): string =>
  `${messageId}.${at === null ? '<webhook-timestamp>' : Math.floor(Date.parse(at) / 1_000)}.${body}`

/**
 * A line that prints whether a signature of the content is right. `v1a`: by any of the keys, or by one that the environment
 * names, because keys that sign no more are not among them.
 */
export const checkLine = (content: string, { signing, publicKeys }: Checked): string => {
  const given = `printf %s ${quoted(content)}`
  return signing === 'v1'
    ? `case " $WEBHOOK_SIGNATURE " in *" v1,$(${given} | ${HMAC_LINE}) "*) echo true ;; *) echo false ;; esac`
    : `${given} | node -e ${quoted(verifyLine(publicKeys))} "$WEBHOOK_SIGNATURE"`
}

const HMAC_LINE = `openssl dgst -sha256 -mac HMAC -macopt hexkey:$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n') -binary | base64`

const verifyLine = (publicKeys: readonly string[]): string =>
  `const { createPublicKey, verify } = require("node:crypto"), signed = require("node:fs").readFileSync(0)\n` +
  `const keys = ${JSON.stringify(publicKeys)}.concat(process.env.WEBHOOK_PUBLIC_KEY || []).map((one) => createPublicKey({ format: "jwk", ` +
  `key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(one.slice(5), "base64").toString("base64url") } }))\n` +
  `const isRight = (given) => keys.some((key) => verify(null, signed, key, Buffer.from(given, "base64")))\n` +
  `console.log(process.argv[1].split(" ").some((one) => one.startsWith("v1a,") && isRight(one.slice(4))))`
