// PEM (RFC 7468): the values of one label in a text, such as certificates.
import { fromBase64, readOrUndefined } from '../proof/bytes.ts'

/** DER, in their order. Undefined where there is none of this label, or one that cannot be read. */
export function readPem(text: string, label: 'CERTIFICATE' | 'X509 CRL'): Uint8Array[] | undefined {
  const pem = new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----`, 'g')
  const found = [...text.matchAll(pem)].map(([, base64 = '']) =>
    readOrUndefined(() => fromBase64(base64.replaceAll(/\s/g, ''))),
  )
  const read = found.filter((one) => one !== undefined)
  return read.length === 0 || read.length < found.length ? undefined : read
}
