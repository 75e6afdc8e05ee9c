// The account of a key, asked from the server before the key is used for anything else.
import { apiClient } from './api_client.ts'
import { readDocument, textOrNull } from './resource.ts'

export type Account = {
  /** Freely chosen, so it may imitate the name of another account. */
  readonly name: string
  /** Unique to the account. */
  readonly email: string
}

/** @throws ApiFailure */
export const readAccount = async (key: string, signal: AbortSignal): Promise<Account> => {
  const api = apiClient({ key, unauthorized: () => undefined, slowedUntil: () => undefined })
  const user = readDocument(await api.get('/api/json/users/me', signal))
  return { name: textOrNull(user, 'full_name') ?? '', email: textOrNull(user, 'email') ?? user.id }
}
