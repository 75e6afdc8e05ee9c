import { createPublicKey, verify } from "node:crypto"

const key = createPublicKey(`-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA<PUBLIC_KEY>
-----END PUBLIC KEY-----`)

// The event. Throws unless it was signed with the key of the endpoint within the last five minutes.
// headers: by lower-case name. body: as it came, before anything parses it.
export function signedEvent(headers, body) {
  const sent = headers["webhook-timestamp"]
  const signed = Buffer.from(`${headers["webhook-id"]}.${sent}.${body}`)
  const isSigned = headers["webhook-signature"]
    .split(" ")
    .some((one) => one.startsWith("v1a,") && verify(null, signed, key, Buffer.from(one.slice(4), "base64")))
  if (!isSigned) throw new Error("The signature is wrong.")
  if (Math.abs(Date.now() / 1000 - Number(sent)) > 300) throw new Error("It was signed too long ago.")
  return JSON.parse(body)
}
