// What the person allowed an application, from GET /api/json/allowed-applications.
import { type Resource, readPage, textOf, textOrNull, textsOf } from '../data/resource.ts'

export type AllowedApplication = {
  readonly id: string
  readonly name: string
  /** Where the application got the permission. The name is freely chosen, the host is not. */
  readonly host: string
  readonly scopes: readonly string[]
  readonly lastUsedAt: string | null
  readonly insertedAt: string
}

export const APPLICATIONS_PATH = '/api/json/allowed-applications'

export const applicationPath = (id: string): string => `${APPLICATIONS_PATH}/${encodeURIComponent(id)}`

const readApplication = (resource: Resource): AllowedApplication => ({
  id: resource.id,
  name: textOf(resource, 'client_name'),
  host: textOrNull(resource, 'redirect_host') ?? '',
  scopes: textsOf(resource, 'scopes'),
  lastUsedAt: textOrNull(resource, 'last_used_at'),
  insertedAt: textOf(resource, 'inserted_at'),
})

export const readApplicationPage = readPage(readApplication)

const SCOPE_WORDS: Readonly<Record<string, string>> = {
  'api:read': 'read what you may read',
  'api:write': 'submit and change items and webhooks',
  'console:read': 'follow the live stream',
  'console:write': 'use the live stream',
  account: 'change keys, teams and the password',
  'mcp:read': 'read with agent tools',
  'mcp:write': 'submit and change with agent tools',
}

/** A scope that this page does not know is named as it is. */
export const scopeWords = (scope: string): string =>
  Object.hasOwn(SCOPE_WORDS, scope) ? (SCOPE_WORDS[scope] ?? scope) : scope
