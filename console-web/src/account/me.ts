// The account of the person from GET /api/json/users/me.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { readDocument, textOrNull } from '../data/resource.ts'

export type Me = {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly plan: string | null
}

export const ME_PATH = '/api/json/users/me'

export const readMe = (document: JsonValue): Me => {
  const user = readDocument(document)
  return {
    id: user.id,
    name: textOrNull(user, 'full_name') ?? '',
    email: textOrNull(user, 'email'),
    plan: textOrNull(user, 'plan'),
  }
}
