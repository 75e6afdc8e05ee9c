// The kinds of things that can be proven, as the console names them.
import { type ProofType, TYPE_CODES } from '../../../shared/proof/signed_payload.ts'

export const isProofType = (name: string): name is ProofType => Object.hasOwn(TYPE_CODES, name)
