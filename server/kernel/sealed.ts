// Secrets at rest: AES-256-GCM (NIST SP 800-38D) with one master key, bound to the place where they are stored.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * A 32-byte key that seals and opens. What is stored is sealed by `store/seal.ts` alone. `derive` returns independent
 * keys for other purposes (cursors, cookies).
 */
export type MasterKey = ReturnType<typeof masterKey>

/** Thrown when a sealed value was moved to another place, shortened or changed. */
export class SealBroken extends Error {
  constructor(place: string) {
    super(`The sealed value of ${place} does not open: it was changed, or MASTER_KEY is another one.`)
    this.name = 'SealBroken'
  }
}

/** What `open` returns. Undefined for a value that does not open. */
export function unlessBroken<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}

/** @param key 32 bytes. Layout of a sealed value: `u8 version ‖ nonce(12) ‖ ciphertext ‖ tag(16)`. */
export function masterKey(key: Uint8Array) {
  if (key.length !== 32) throw new RangeError('A master key has 32 bytes.')
  const sealing = Buffer.from(hkdfSync('sha256', key, '', 'pharos seal v1', 32))
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key, '', `pharos ${purpose}`, 32))
  return Object.freeze({
    /** 16 hex characters by which people and the database tell master keys apart. Nobody finds the key from them. */
    fingerprint: derive('fingerprint').subarray(0, 8).toString('hex'),
    seal: (plain: Uint8Array, place: string): Buffer => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), nonce, body, cipher.getAuthTag()])
    },
    open: (sealed: Uint8Array, place: string): Buffer => {
      if (sealed[0] !== VERSION || sealed.length < 1 + NONCE_BYTES + TAG_BYTES) throw new SealBroken(place)
      const decipher = createDecipheriv('aes-256-gcm', sealing, sealed.subarray(1, 1 + NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(place))
        .setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
      try {
        const body = decipher.update(sealed.subarray(1 + NONCE_BYTES, sealed.length - TAG_BYTES))
        return Buffer.concat([body, decipher.final()])
      } catch {
        throw new SealBroken(place)
      }
    },
    derive,
  })
}
