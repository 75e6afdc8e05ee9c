// Generates, exports and verifies proofs.
import { attribute } from '../contract/attribute.ts'
import { boolean, enumeration, names, objectOrText, text } from '../contract/kinds.ts'
import { exportOpentimestamps, generateProof } from '../domain/proofs/generate_proof.ts'
import {
  MAX_PROOF_BYTES,
  PROOF_FORMATS,
  PROOF_LAYOUTS,
  PROOF_TYPES,
  proofRequestProblems,
  WITNESS_NAMES,
} from '../domain/proofs/proof_request.ts'
import { verifyProof } from '../domain/proofs/verify_proof.ts'
import { action } from './define.ts'
import EXAMPLES from './proof_examples.json' with { type: 'json' }
import { OPENTIMESTAMPS_SCHEMA, PROOF_SCHEMA, REPORT_SCHEMA } from './proof_schemas.ts'

const optional = { nullable: true } as const

export const proofActions = [
  action({
    name: 'generateProof',
    doc: 'A proof that something is part of the ledger; anybody can verify it without this service. Nothing is stored. An older client reads another layout: see `layout`.',
    access: 'read',
    http: 'POST /proof/generate',
    tool: {
      name: 'generate_proof',
      title: 'Generate a proof',
      doc: 'Makes the proof of an item, a block, a beacon or an observation: a bundle that anybody can verify without this service. Use it some time after create_item, with the `id` of the item. Too early, it fails with subject_not_ready or no_external_commitments: wait `retry_after_ms` (null: there will be none) and call again. Nothing is stored, so keep the answer.',
      tellsWait: true,
    },
    graphqlShape: 'json',
    accepts: {
      id: attribute(text({ max: 64 }), 'ULID of an item, UUIDv7 of a block or an observation.', {
        required: true,
      }),
      type: attribute(
        enumeration(PROOF_TYPES),
        'What a UUIDv7 is of; resolving the id tells. Not needed with a ULID, which is always an item.',
        optional,
      ),
      format: attribute(
        enumeration(PROOF_FORMATS),
        '`json` when left out; `cbor` comes as base64.',
        optional,
      ),
      witnesses: attribute(
        names(WITNESS_NAMES),
        'Which surroundings to carry: all when left out, none of them when empty.',
        optional,
      ),
      layout: attribute(
        enumeration(PROOF_LAYOUTS),
        '`published`, or `compact` for older clients, which look for `v`, `t` and `s`. Left out: what the server’s `PROOF_LAYOUT` says, `published` unless set.',
        optional,
      ),
    },
    refuses: [
      'invalid_witness',
      'not_found',
      'subject_not_ready',
      'no_external_commitments',
      'subject_not_recomputable',
      'signing_unavailable',
      'witness_unavailable',
      'lookup_failed',
      'generation_failed',
    ],
    check: ({ id, type, witnesses }) =>
      proofRequestProblems({ id, type: type ?? undefined, witnesses: witnesses ?? undefined }),
    run: ({ em, caller, services }, { id, type, format, witnesses, layout }) =>
      generateProof({ em, ...services.proofs.generating }, caller, {
        id,
        type: type ?? 'item',
        witnesses: witnesses ?? undefined,
        format: format ?? 'json',
        layout: layout ?? services.proofs.layout,
      }),
    result: PROOF_SCHEMA,
    example: EXAMPLES.generate,
  }),
  action({
    name: 'exportOpentimestamps',
    doc: 'The proof of an item as an `.ots` file, which the ordinary OpenTimestamps client verifies with the file that the item is about. It discloses the whole claims, and leaves out what only a bundle carries: signatures, witnesses and keys. Nothing is stored.',
    access: 'read',
    http: 'POST /proof/opentimestamps',
    tool: {
      name: 'export_opentimestamps',
      title: 'Proof as an .ots file',
      doc: 'Exports the proof of an item as an `.ots` file (base64), which the ordinary OpenTimestamps client verifies with the file that the item is about. Use it when others shall check with their own tools. It discloses the whole claims; signatures and witnesses are only in the bundle of generate_proof.',
    },
    graphqlShape: 'json',
    accepts: {
      id: attribute(
        text({ max: 64 }),
        'ULID of an item whose `hash_type` is `sha256` or `sha1` and whose block is committed to a Bitcoin chain.',
        { required: true },
      ),
    },
    refuses: [
      'not_found',
      'not_expressible',
      'subject_not_ready',
      'no_external_commitments',
      'subject_not_recomputable',
      'signing_unavailable',
      'lookup_failed',
      'generation_failed',
    ],
    check: ({ id }) => proofRequestProblems({ id, type: 'item' }),
    run: ({ em, caller, services }, { id }) =>
      exportOpentimestamps({ em, ...services.proofs.generating }, caller, { id }),
    result: OPENTIMESTAMPS_SCHEMA,
    example: EXAMPLES.opentimestamps,
  }),
  action({
    name: 'verifyProof',
    doc: 'Checks a proof and reports every step. One that fails is a report too; only what is no proof at all, or one of another type than expected, is refused.',
    access: 'read',
    http: 'POST /proof/verify',
    tool: {
      name: 'verify_proof',
      title: 'Verify a proof',
      doc: 'Checks a proof, whoever made it, and reports every step; `passed` is the verdict. Give as `proof` what generate_proof answered. One that fails is a report too; only what is no proof at all, or one of another type than expected, is refused.',
      openWorld: true,
    },
    graphqlShape: 'json',
    accepts: {
      proof: attribute(
        objectOrText({ bytes: MAX_PROOF_BYTES }),
        'The bundle: as an object, as its JSON text, or as the base64 of its CBOR. Also the whole answer that has it as `result`. At most 262,144 bytes.',
        { required: true },
      ),
      type: attribute(enumeration(PROOF_TYPES), 'What it is expected to be a proof of.', optional),
      expected_hash: attribute(
        text({ max: 1_024 }),
        'The hash of the file in your hands: blanks around it and letter case do not matter.',
        optional,
      ),
      skip_external: attribute(boolean(), 'Leaves out the look at public chains and sources.', optional),
    },
    refuses: ['invalid_proof', 'subject_type_mismatch'],
    run: ({ em, caller, services, signal, progress }, { proof, type, expected_hash, skip_external }) =>
      verifyProof(
        { em, ...services.proofs.verifying },
        caller,
        {
          proof,
          type: type ?? undefined,
          expectedHash: expected_hash ?? undefined,
          skipExternal: skip_external === true,
        },
        {
          signal,
          answered: (count, total) =>
            progress?.({ progress: count, total, message: 'Asking public services' }),
        },
      ),
    result: REPORT_SCHEMA,
    example: EXAMPLES.verify,
  }),
]
