// Stops a postmaster by signal. SIGINT rolls open transactions back and ends at once. SIGQUIT leaves the rest to
// recovery.

import { hasCode } from '../../kernel/error_code.ts'
import type { Binaries } from './binaries.ts'
import { runProgram } from './run_program.ts'

/** Does nothing when the process has ended already. */
export const signalPostmaster = async (
  { pgCtl }: Binaries,
  pid: number,
  signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL',
): Promise<void> => {
  if (process.platform === 'win32' && signal !== 'SIGKILL') {
    // Windows has no signals, and process.kill would end the process at once. PostgreSQL listens on its own pipe
    // there.
    await runProgram(pgCtl, ['kill', signal.slice('SIG'.length), String(pid)])
    return
  }
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error
  }
}
