// Programs that check the signature of what arrives, and lines for a shell that check one delivery (Standard Webhooks 1.0).
// They carry public keys, and no secret.
import { quoted } from '../data/curl.ts'
import type { Endpoint } from './endpoint.ts'

export const LANGUAGES = { node: 'Node', python: 'Python', shell: 'Shell' } as const
export type Language = keyof typeof LANGUAGES

/** `v1` is checked with the secret, `v1a` with public keys, e.g. `whpk_…`, the newest first. */
type Checked = Pick<Endpoint, 'signing' | 'publicKeys'>

/** Each takes the headers and the bytes of the body, and refuses what is older than five minutes. */
export const programOf = (language: Language, { signing, publicKeys }: Checked): string =>
  signing === 'v1' ? V1[language] : V1A[language](pemOf(publicKeys[0] ?? ''))

/** RFC 8410. The 12 bytes before the key are the same for each, and fill their characters of base64. */
const pemOf = (publicKey: string): string =>
  `-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA${rawOf(publicKey)}\n-----END PUBLIC KEY-----`

/** In base64, e.g. of `whpk_…`. */
const rawOf = (publicKey: string): string => publicKey.replace(/^whpk_/, '')

const V1: Readonly<Record<Language, string>> = {
  node: `// npm install standardwebhooks
import { Webhook } from "standardwebhooks"

const webhook = new Webhook(process.env.WEBHOOK_SECRET)

// The event. Throws unless it was signed with the secret within the last five minutes.
// headers: by lower-case name. body: as it came, before anything parses it.
export const signedEvent = (headers, body) => webhook.verify(body, headers)
`,
  python: `import base64, hashlib, hmac, json, os, time

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


def signed_event(headers, body):
    """The event. Raises unless it was signed with the secret within the last five minutes.
    headers: by lower-case name. body: the bytes as they came."""
    sent = headers["webhook-timestamp"]
    signed = f"{headers['webhook-id']}.{sent}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    given = headers["webhook-signature"].encode().split(b" ")
    if not any([hmac.compare_digest(one, expected) for one in given]):
        raise ValueError("The signature is wrong.")
    if abs(time.time() - int(sent)) > 300:
        raise ValueError("It was signed too long ago.")
    return json.loads(body)
`,
  shell: `# Ends with 0 when the body, which it reads, was signed with the secret within the last five minutes.
# Set WEBHOOK_SECRET, and from the headers of the request ID, TIMESTAMP and SIGNATURE.
key=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
expected=$({ printf %s "$ID.$TIMESTAMP."; cat; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
age=$(($(date +%s) - TIMESTAMP))
case " $SIGNATURE " in
*" v1,$expected "*) [ "\${age#-}" -lt 300 ] ;;
*) exit 1 ;;
esac
`,
}

const V1A: Readonly<Record<Language, (pem: string) => string>> = {
  node: (pem) => `import { createPublicKey, verify } from "node:crypto"

const key = createPublicKey(\`${pem}\`)

// The event. Throws unless it was signed with the key of the endpoint within the last five minutes.
// headers: by lower-case name. body: as it came, before anything parses it.
export function signedEvent(headers, body) {
  const sent = headers["webhook-timestamp"]
  const signed = Buffer.from(\`\${headers["webhook-id"]}.\${sent}.\${body}\`)
  const isSigned = headers["webhook-signature"]
    .split(" ")
    .some((one) => one.startsWith("v1a,") && verify(null, signed, key, Buffer.from(one.slice(4), "base64")))
  if (!isSigned) throw new Error("The signature is wrong.")
  if (Math.abs(Date.now() / 1000 - Number(sent)) > 300) throw new Error("It was signed too long ago.")
  return JSON.parse(body)
}
`,
  python: (pem) => `# pip install cryptography
import base64, json, time
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import load_pem_public_key

KEY = load_pem_public_key(b"""${pem}""")


def is_signed(signature, message):
    try:
        KEY.verify(base64.b64decode(signature), message)
        return True
    except (InvalidSignature, ValueError):
        return False


def signed_event(headers, body):
    """The event. Raises unless it was signed with the key of the endpoint within the last five minutes.
    headers: by lower-case name. body: the bytes as they came."""
    sent = headers["webhook-timestamp"]
    signed = f"{headers['webhook-id']}.{sent}.".encode() + body
    given = headers["webhook-signature"].split(" ")
    if not any(one.startswith("v1a,") and is_signed(one[4:], signed) for one in given):
        raise ValueError("The signature is wrong.")
    if abs(time.time() - int(sent)) > 300:
        raise ValueError("It was signed too long ago.")
    return json.loads(body)
`,
  shell: (
    pem,
  ) => `# Ends with 0 when the body, which it reads, was signed with the key of the endpoint within the last five minutes.
# Set from the headers of the request ID, TIMESTAMP and SIGNATURE. It needs OpenSSL 3.
set -f
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
echo '${pem}' >"$folder/key"
{ printf %s "$ID.$TIMESTAMP."; cat; } >"$folder/signed"
age=$(($(date +%s) - TIMESTAMP))
for one in $SIGNATURE; do
  case $one in v1a,*) ;; *) continue ;; esac
  printf %s "\${one#v1a,}" | base64 -d >"$folder/signature"
  openssl pkeyutl -verify -pubin -inkey "$folder/key" -rawin -in "$folder/signed" -sigfile "$folder/signature" &&
    [ "\${age#-}" -lt 300 ] && exit 0
done
exit 1
`,
}

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
