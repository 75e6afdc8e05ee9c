// Asks a postmaster to stop: SIGINT rolls open transactions back and ends at once, SIGQUIT leaves the rest to recovery.
import type { Binaries } from './binaries.ts'
import { hasCode } from './durable_file.ts'
import { runProgram } from './run_program.ts'

/** A process that is gone already is no fault. */
export const signalPostmaster = async (
  { pgCtl }: Binaries,
  pid: number,
  signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL',
): Promise<void> => {
  if (process.platform === 'win32' && signal !== 'SIGKILL') {
    // Windows knows no signals (process.kill would end it on the spot); PostgreSQL listens on a pipe of its own.
    await runProgram(pgCtl, ['kill', signal.slice('SIG'.length), String(pid)])
    return
  }
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error
  }
}
