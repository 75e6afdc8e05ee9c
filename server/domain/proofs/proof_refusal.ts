// The no of proof routes: clients of proofs branch on the code in `meta`, so it stands there too.
import { type Refusal, type RefusalCode, refuse } from '../../kernel/refusal.ts'
import { isDatabaseUnavailable, isStatementTimeout } from '../../store/database_faults.ts'

export const refuseProof = (
  code: RefusalCode,
  {
    meta = {},
    ...parts
  }: { readonly detail?: string; readonly meta?: Readonly<Record<string, unknown>> } = {},
): Refusal => refuse(code, { ...parts, meta: { code, ...meta } })

/** @throws lookup_failed when the database cannot be read just now; what is a fault of ours stays one */
export async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (isDatabaseUnavailable(error) || isStatementTimeout(error)) throw refuseProof('lookup_failed')
    throw error
  }
}
