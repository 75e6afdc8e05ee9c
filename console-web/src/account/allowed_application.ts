// What the person allowed an application, from GET /api/json/allowed-applications.
import { collection } from '../data/resource.ts'
import { called, or, shape, text, textOrNull, texts } from '../data/shape.ts'

const readApplication = shape({
  id: text,
  name: called('client_name', text),
  /** Where the application got the permission. The name is freely chosen, the host is not. */
  host: called('redirect_host', or(textOrNull, '')),
  scopes: texts,
  lastUsedAt: textOrNull,
  insertedAt: text,
})

export type AllowedApplication = ReturnType<typeof readApplication>

export const applications = collection('/api/json/allowed-applications', readApplication)

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
