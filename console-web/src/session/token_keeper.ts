// Keeps the tokens of one sign-in, in memory only, and renews them before they expire (RFC 6749 section 6).
import { ApiFailure } from '../data/api_failure.ts'
import type { Credential } from '../data/credential.ts'
import { waitAfter } from '../data/retry_schedule.ts'

export type Tokens = {
  readonly accessToken: string
  readonly refreshToken: string
  /** Lifetime of the access token, counted from its arrival. */
  readonly lifetimeMs: number
}

type KeeperPorts = {
  /** @throws ApiFailure, `unauthorized` when the server does not renew them any more, now or later */
  readonly refresh: (refreshToken: string) => Promise<Tokens>
  /** Called once, when the tokens cannot be renewed any more. */
  readonly ended: () => void
  readonly online: () => boolean
  readonly random: () => number
}

/** The renewal is due in this part of the lifetime. Pages that were opened together spread over it. */
const DUE = { from: 0.7, width: 0.1 }

/** A token this close to its end is not sent, because it may expire on the way. */
const TOO_LATE_MS = 5_000

export class TokenKeeper implements Credential {
  readonly #ports: KeeperPorts
  readonly #followers = new Set<() => void>()
  #tokens: Tokens
  #expiresAt = 0
  #dueAt = 0
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #renewal: Promise<string> | null = null
  #stopped = false

  constructor(ports: KeeperPorts, tokens: Tokens) {
    this.#ports = ports
    this.#tokens = tokens
    this.#take(tokens)
  }

  token = (): Promise<string> => {
    const isFresh = Date.now() < this.#expiresAt - TOO_LATE_MS
    return isFresh ? Promise.resolve(this.#tokens.accessToken) : this.#renew()
  }

  another = async (refused: string): Promise<string | null> => {
    if (refused !== this.#tokens.accessToken) return this.token()
    try {
      return await this.#renew()
    } catch (error) {
      if (isOver(error)) return null
      throw error
    }
  }

  follow = (renewed: () => void): (() => void) => {
    this.#followers.add(renewed)
    return () => this.#followers.delete(renewed)
  }

  /** Call when the network returned or the page woke up. Renews when that is due. */
  wake = (): void => {
    if (this.#stopped || Date.now() < this.#dueAt || !this.#ports.online()) return
    // A failure plans the next attempt itself.
    this.#renew().catch(() => undefined)
  }

  /** The tokens are forgotten. A renewal that still runs has no effect. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#followers.clear()
    this.#tokens = { accessToken: '', refreshToken: '', lifetimeMs: 0 }
    this.#expiresAt = 0
  }

  /** One renewal at a time, because a refresh token that is used twice ends the whole sign-in. */
  #renew(): Promise<string> {
    if (this.#stopped) return Promise.reject(signInOver())
    this.#renewal ??= this.#refresh().finally(() => {
      this.#renewal = null
    })
    return this.#renewal
  }

  async #refresh(): Promise<string> {
    clearTimeout(this.#timer)
    try {
      const tokens = await this.#ports.refresh(this.#tokens.refreshToken)
      if (this.#stopped) throw signInOver()
      this.#failures = 0
      this.#take(tokens)
    } catch (error) {
      if (this.#stopped) throw signInOver()
      if (isOver(error)) {
        this.stop()
        this.#ports.ended()
        throw error
      }
      this.#failures += 1
      this.#plan(waitAfter(this.#failures, error, this.#ports.random()))
      throw error
    }
    for (const renewed of [...this.#followers]) renewed()
    return this.#tokens.accessToken
  }

  #take(tokens: Tokens): void {
    this.#tokens = tokens
    this.#expiresAt = Date.now() + tokens.lifetimeMs
    this.#plan(tokens.lifetimeMs * (DUE.from + DUE.width * this.#ports.random()))
  }

  /** Without a network nothing is tried by the clock; `wake` goes on. A request that needs a token still asks. */
  #plan(ms: number): void {
    this.#dueAt = Date.now() + ms
    this.#timer = setTimeout(this.wake, ms)
  }
}

const isOver = (error: unknown): boolean => error instanceof ApiFailure && error.kind === 'unauthorized'

export const signInOver = (): ApiFailure =>
  new ApiFailure('unauthorized', 'You are signed out: the sign-in has ended.')
