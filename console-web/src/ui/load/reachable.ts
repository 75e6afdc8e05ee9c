// Asks the server whether it answers. When the browser reports that the network is gone, a server on this machine or
// behind another interface may still answer; and when it reports nothing, the server may restart.

const WITHIN_MS = 3_000

export const reachable = async (): Promise<boolean> => {
  try {
    await fetch('/health/live', { cache: 'no-store', signal: AbortSignal.timeout(WITHIN_MS) })
    return true
  } catch {
    return false
  }
}
