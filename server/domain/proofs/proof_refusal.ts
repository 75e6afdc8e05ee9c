// Refusals of the proof routes. Clients branch on the code in `meta`, so the code is repeated there.
import { type Refusal, type RefusalCode, refuse } from '../../kernel/refusal.ts'
import { isDatabaseUnavailable, isStatementTimeout } from '../../store/database_errors.ts'

export const refuseProof = (
  code: RefusalCode,
  {
    meta = {},
    ...parts
  }: { readonly detail?: string; readonly meta?: Readonly<Record<string, unknown>> } = {},
): Refusal => refuse(code, { ...parts, meta: { code, ...meta } })

/**
 * Runs a read. Other errors pass unchanged.
 * @throws lookup_failed when the database cannot be read now
 */
export async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (isDatabaseUnavailable(error) || isStatementTimeout(error)) throw refuseProof('lookup_failed')
    throw error
  }
}
