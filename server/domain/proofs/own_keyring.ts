// Every key with which the service ever signed, as the public keyring and as the trusted keyring of our own
// verification.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { NamedKeyring } from '../../../shared/proof/verify/keyring.ts'
import { type SigningKey, signingKeys } from '../ledger/signing_key.ts'

/** A key that a block has introduced. */
export interface IntroducedKey extends SigningKey {
  readonly introducedAtHeight: number
}

/** Oldest first. The last key signs now. It is read on every call, so a rotation takes effect at once. */
export async function introducedKeys({ em }: { em: EntityManager }): Promise<IntroducedKey[]> {
  return (await signingKeys({ em })).filter(isIntroduced)
}

const isIntroduced = (key: SigningKey): key is IntroducedKey => key.introducedAtHeight !== null

export interface KeyringDocument {
  readonly version: '1.0'
  readonly keys: readonly {
    /** 8 hex digits, e.g. `591f29fc`. */
    readonly key_id: string
    /** Base64 of 32 bytes. */
    readonly public_key: string
    readonly sequence: number
    /** True for the key that signs now. */
    readonly active: boolean
  }[]
}

/** The document at `/.well-known/keyring.json`. */
export const keyringDocument = (keys: readonly IntroducedKey[]): KeyringDocument => ({
  version: '1.0',
  keys: keys.map((key, index) => ({
    key_id: key.keyId.toString('hex'),
    public_key: key.publicKey.toString('base64'),
    sequence: key.sequence,
    active: index === keys.length - 1,
  })),
})

/** The name under which reports show our own keyring. */
export const ownKeyring = (keys: readonly IntroducedKey[]): NamedKeyring => ({
  name: 'this service',
  own: true,
  keys: keyringDocument(keys).keys,
})
