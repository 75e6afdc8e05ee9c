// Whose key a key is: asked of the server before anything is done with it.
import { apiClient } from './api_client.ts'
import { readDocument, textOrNull } from './resource.ts'

export type Account = {
  /** May be chosen to look like somebody else’s. */
  readonly name: string
  /** Nobody else has it. */
  readonly email: string
}

/** @throws ApiFailure */
export const readAccount = async (key: string, signal: AbortSignal): Promise<Account> => {
  const api = apiClient({ key, unauthorized: () => undefined, slowedUntil: () => undefined })
  const user = readDocument(await api.get('/api/json/users/me', signal))
  return { name: textOrNull(user, 'full_name') ?? '', email: textOrNull(user, 'email') ?? user.id }
}
