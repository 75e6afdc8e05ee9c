// The types of subjects that can be proved, with their names in the console.
import { type ProofType, TYPE_CODES } from '../../../shared/proof/signed_payload.ts'

export const isProofType = (name: string): name is ProofType => Object.hasOwn(TYPE_CODES, name)
