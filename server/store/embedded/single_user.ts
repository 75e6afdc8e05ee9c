// PostgreSQL without a server: one session for whoever owns the cluster's files, without a password.
import type { Binaries } from './binaries.ts'
import { SUPERUSER } from './roles.ts'
import { type Account, runProgram } from './run_program.ts'

/**
 * Gives the superuser another password, for a data folder whose password file is lost or was restored without it.
 * Whoever can do this could read the cluster's files anyway. The cluster must be stopped.
 */
export async function setSuperuserPassword(
  { binaries, account, cluster }: { binaries: Binaries; account: Account | undefined; cluster: string },
  /** Base64url. */
  password: string,
): Promise<void> {
  const { ok, how, output } = await runProgram(binaries.postgres, ['--single', '-D', cluster, SUPERUSER], {
    account,
    timeoutMs: 300_000,
    input: `ALTER ROLE "${SUPERUSER}" PASSWORD '${password}'\n`,
  })
  // An error in a statement does not end the session.
  const refused = /^.*(ERROR|FATAL):.*$/m.exec(output)?.[0]
  if (refused?.includes('does not exist') === true)
    throw new Error(
      `The database in ${cluster} was made by a development state of Pharos, which cannot be used any more. ` +
        'Set DATA_DIR to another folder to begin anew.',
    )
  if (!ok || refused !== undefined)
    throw new Error(`The password of the database in ${cluster} could not be set (${refused ?? how}).`)
}
