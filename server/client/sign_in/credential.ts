// The credential that a service is asked with: an API key, or the tokens of a sign-in. These are renewed when the service
// refuses them, once for all that ask at the same time, in this process and in others: a refresh token works once.
import { join } from 'node:path'
import { Complaint } from '../../../shared/cli/terminal.ts'
import { configFolder } from '../files.ts'
import { inTurn } from '../turn.ts'
import { renewedTokens } from './oauth_requests.ts'
import type { SecretPlace } from './profiles.ts'
import { readSecret, type Secret, type Tokens, writeSecret } from './secret.ts'
import { secretStore } from './secret_store.ts'

export interface Credential {
  /** What the header of this name says now. */
  readonly authorization: string
  /** Afterwards it says something else than what was refused. Undefined for a key: nothing renews it. */
  readonly renew?: (refused: string) => Promise<void>
}

export const keyCredential = (key: string): Credential => ({ authorization: `Bearer ${key}` })

/** Where the tokens of a sign-in lie. */
interface Kept {
  readonly env: NodeJS.ProcessEnv
  readonly origin: string
  readonly place: SecretPlace
  /** What to type when the sign-in has ended. */
  readonly advice: string
}

export class SignInCredential implements Credential {
  readonly #kept: Kept
  #tokens: Tokens
  #renewal: Promise<Tokens> | undefined

  constructor(kept: Kept, tokens: Tokens) {
    this.#kept = kept
    this.#tokens = tokens
  }

  get authorization(): string {
    return `Bearer ${this.#tokens.access_token}`
  }

  /** @throws Complaint when the sign-in has ended, and when nobody answers */
  readonly renew = async (refused: string): Promise<void> => {
    if (refused !== this.authorization) return
    this.#renewal ??= this.#renewed().finally(() => {
      this.#renewal = undefined
    })
    this.#tokens = await this.#renewal
  }

  /** Commit point: the store has the new tokens. Whoever is killed between the answer and that has to sign in anew. */
  #renewed(): Promise<Tokens> {
    const { env, origin, place, advice } = this.#kept
    const ended = () => new Complaint(`The sign-in at ${origin} has ended.`, { exitCode: 4, advice })
    return inTurn(join(configFolder(env), 'turns', place.id), async () => {
      const secret = await keptSecret(env, { origin, place })
      if (secret?.kind !== 'sign_in') throw ended()
      // Another process has renewed them meanwhile.
      if (secret.tokens.access_token !== this.#tokens.access_token) return secret.tokens
      const tokens = await renewedTokens(origin, secret.tokens)
      if (tokens === undefined) throw ended()
      await keepSecret(env, place, { ...secret, tokens })
      return tokens
    })
  }
}

/** Undefined also for a secret that was given for another service. @throws Complaint when the store does not answer */
export async function keptSecret(
  env: NodeJS.ProcessEnv,
  { origin, place: { store, id } }: { readonly origin: string; readonly place: SecretPlace },
): Promise<Secret | undefined> {
  const text = await secretStore(env, store).read(id)
  const secret = text === undefined ? undefined : readSecret(text)
  return secret?.origin === origin ? secret : undefined
}

/** @throws Complaint when the store does not take it */
export const keepSecret = (
  env: NodeJS.ProcessEnv,
  { store, id }: SecretPlace,
  secret: Secret,
): Promise<void> => secretStore(env, store).write(id, writeSecret(secret), `Pharos ${secret.origin}`)

/** For people. */
export const placeWords = (env: NodeJS.ProcessEnv, { store, id }: SecretPlace): string =>
  secretStore(env, store).placeOf(id)
