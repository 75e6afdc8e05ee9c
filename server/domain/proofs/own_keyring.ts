// Every key that ever signed, as the world may read it and as our own verification trusts it.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { NamedKeyring } from '../../../shared/proof/verify/keyring.ts'
import { type SigningKey, signingKeys } from '../ledger/signing_key.ts'

/** A key that some block has introduced. */
export interface IntroducedKey extends SigningKey {
  readonly introducedAtHeight: number
}

/** Oldest first, one per rotation; the last one signs now. Read anew each time: a rotation shows at once. */
export async function introducedKeys({ em }: { em: EntityManager }): Promise<IntroducedKey[]> {
  return (await signingKeys({ em })).filter(isIntroduced)
}

const isIntroduced = (key: SigningKey): key is IntroducedKey => key.introducedAtHeight !== null

export interface KeyringDocument {
  readonly version: '1.0'
  readonly keys: readonly {
    /** 8 hex, e.g. `591f29fc`. */
    readonly key_id: string
    /** base64 of 32 bytes. */
    readonly public_key: string
    readonly sequence: number
    /** True of the one that signs now. */
    readonly active: boolean
  }[]
}

/** What `/.well-known/keyring.json` answers. */
export const keyringDocument = (keys: readonly IntroducedKey[]): KeyringDocument => ({
  version: '1.0',
  keys: keys.map((key, index) => ({
    key_id: key.keyId.toString('hex'),
    public_key: key.publicKey.toString('base64'),
    sequence: key.sequence,
    active: index === keys.length - 1,
  })),
})

/** What a report calls a keyring of ours. */
export const ownKeyring = (keys: readonly IntroducedKey[]): NamedKeyring => ({
  name: 'this service',
  own: true,
  keys: keyringDocument(keys).keys,
})
