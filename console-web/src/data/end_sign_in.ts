// Tells the service that this browser signs out, which ends its session and every token of it.

const TIMEOUT_MS = 8_000

/** False when the service could not be told. */
export const endSignIn = async (): Promise<boolean> => {
  try {
    const { ok } = await fetch('/oauth/sign-out', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '',
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      keepalive: true,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return ok
  } catch {
    return false
  }
}
