// The name of a statement for traces: its verb and its first table, without any value.

/** The texts of statements are ours, and few. A text beyond the ceiling is read again each time. */
const known = new Map<string, string>()
const MOST_KNOWN = 2_000

/** e.g. `SELECT items`, `INSERT facts`, `COMMIT` */
export function statementTitle(text: string): string {
  const found = known.get(text)
  if (found !== undefined) return found
  const title = read(text)
  if (known.size < MOST_KNOWN) known.set(text, title)
  return title
}

function read(text: string): string {
  const verb = /^[\s(]*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? ''
  if (!VERBS.has(verb)) return 'statement'
  const table = /\b(?:from|into|update)\s+(?:only\s+)?"?([a-z_]+)"?(?:\."?([a-z_]+)"?)?/i.exec(text)
  const name = table?.[2] ?? table?.[1]
  return name === undefined ? verb : `${verb} ${name}`
}

const VERBS: ReadonlySet<string> = new Set([
  ...['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'WITH', 'BEGIN', 'START', 'COMMIT', 'ROLLBACK', 'COPY'],
  ...['DECLARE', 'FETCH', 'CLOSE', 'SET', 'NOTIFY'],
])
