// A request as a command for a shell.

type CurlParts = {
  readonly method?: 'POST'
  /** Null for one that the shell reads, so that a copied command carries no secret unless a person wants it. */
  readonly key?: string | null
  /** Name and value. */
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: string
}

/** One part a line. What is given is quoted, so that nothing in it means anything to the shell. */
export const curl = (url: string, { method, key, headers = [], body }: CurlParts): string =>
  [
    `curl${method === undefined ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...(key === undefined ? [] : [`-H ${authorization(key)}`]),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ')

const authorization = (key: string | null): string =>
  key === null ? '"Authorization: Bearer $PHAROS_API_KEY"' : quoted(`Authorization: Bearer ${key}`)

/** A word of a POSIX shell. Inside single quotes no character is special. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
