// The account of a credential, asked from the server before it is used for anything else.
import { apiClient } from './api_client.ts'
import type { Credential } from './credential.ts'
import { readDocument, textOrNull } from './resource.ts'

export type Account = {
  /** Freely chosen, so it may imitate the name of another account. */
  readonly name: string
  /** Unique to the account. */
  readonly email: string
}

/** @throws ApiFailure */
export const readAccount = async (credential: Credential, signal: AbortSignal): Promise<Account> => {
  const api = apiClient({ credential, unauthorized: () => undefined, slowedUntil: () => undefined })
  const user = readDocument(await api.get('/api/json/users/me', signal))
  return { name: textOrNull(user, 'full_name') ?? '', email: textOrNull(user, 'email') ?? user.id }
}
