// The kind of every place in a bundle: which texts are byte strings in CBOR, and which maps are hashed.
import { ENTROPY_NAMES } from '../entropy_names.ts'

/**
 * `hex` and `base64`: text in JSON, a byte string in CBOR.
 * `hashed`: stays in the JSON value space, because its canonical text is hashed.
 * `hex_text` and `base64url_text`: written as text in both. Readers also accept byte strings in CBOR, because
 * older tools write them.
 * `plain`: the same in both. Members that are not listed are `plain`.
 */
export type MemberForm =
  | 'hex'
  | 'base64'
  | 'hex_text'
  | 'base64url_text'
  | 'hashed'
  | 'plain'
  | { readonly members: Readonly<Record<string, MemberForm>> }
  | { readonly each: MemberForm }

const BLOCK_MAP: MemberForm = {
  members: { previous_block_hash: 'hex', merkle_root: 'hex', signing_key_id: 'hex', metadata: 'hashed' },
}

const COMMITMENTS: MemberForm = {
  each: { members: { epoch_merkle_root: 'hex', transaction_hash: 'hex', block_merkle_root: 'hex' } },
}

export const PUBLISHED_PLACES: MemberForm = {
  members: {
    public_key: 'base64',
    signature: 'base64',
    subject: {
      members: {
        signing_key_id: 'hex',
        claims: 'hashed',
        entropy: 'hashed',
        metadata: 'hashed',
        witnesses: {
          members: {
            block: BLOCK_MAP,
            ...Object.fromEntries(ENTROPY_NAMES.map((name) => [name, 'hashed'] as const)),
          },
        },
      },
    },
    block: BLOCK_MAP,
    block_path: { each: BLOCK_MAP },
    commitments: COMMITMENTS,
    signing_key_event: { members: { block: BLOCK_MAP, commitments: COMMITMENTS } },
  },
}

export const COMPACT_PLACES: MemberForm = {
  members: {
    pk: 'base64',
    sig: 'base64',
    ip: 'base64url_text',
    s: { members: { d: 'hashed', mh: 'hex', kid: 'hex' } },
    b: { members: { ph: 'hex', mr: 'hex', mh: 'hex', kid: 'hex' } },
    cx: {
      each: {
        members: {
          ep: 'base64url_text',
          tx: 'hex',
          memo: 'hex',
          op: 'hex',
          bmr: 'hex',
          rtx: 'hex_text',
          txp: 'hex_text',
        },
      },
    },
  },
}
