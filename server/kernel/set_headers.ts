// Sets header fields of an answer. Koa's own `set` makes lists of each field, and every request sets several.
import type { ServerResponse } from 'node:http'

export function setHeaders(response: ServerResponse, fields: Readonly<Record<string, string>>): void {
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined) response.setHeader(name, value)
  }
}
