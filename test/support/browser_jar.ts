// A browser without a screen, for the sign-in pages: it keeps cookies as RFC 6265 says, and fills in forms.

export interface Page {
  readonly status: number
  readonly url: URL
  readonly headers: Headers
  readonly text: string
  /** The address that the answer redirects to. */
  readonly location: URL | undefined
}

export interface Form {
  readonly action: URL
  /** Hidden fields and ticked boxes by name. */
  readonly fields: Readonly<Record<string, string>>
}

export interface BrowserJar {
  readonly get: (url: string | URL) => Promise<Page>
  readonly post: (url: string | URL, fields: Readonly<Record<string, string>>) => Promise<Page>
  /** Fills in the form of the page whose action ends like this. A box that is undefined is unticked. */
  readonly submit: (
    page: Page,
    step: string,
    fields?: Readonly<Record<string, string | undefined>>,
  ) => Promise<Page>
  /** Goes on while the answers redirect to this origin. Returns the first answer that does not. */
  readonly follow: (page: Page) => Promise<Page>
  readonly cookies: () => readonly Cookie[]
  readonly forget: () => void
}

export interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

export type Fetch = (url: URL, init: RequestInit) => Promise<Response>

/** @param fetch leads to another server of the same service, for example */
export function openBrowserJar({ fetch = globalThis.fetch }: { fetch?: Fetch } = {}): BrowserJar {
  const jar = new Map<string, Cookie>()
  const keep = (line: string): void => {
    const [pair = '', ...attributes] = line.split(/; */)
    const at = pair.indexOf('=')
    const name = pair.slice(0, at)
    const value = pair.slice(at + 1)
    const read = new Map(
      attributes.map((one) => {
        const [key = '', ...rest] = one.split('=')
        return [key.toLowerCase(), rest.join('=')] as const
      }),
    )
    const path = read.get('path') ?? '/'
    const isOver = Date.parse(read.get('expires') ?? 'none') < Date.now()
    if (isOver || value === '') jar.delete(`${name} ${path}`)
    else jar.set(`${name} ${path}`, { name, value, path })
  }
  const send = async (given: string | URL, init: RequestInit = {}): Promise<Page> => {
    const url = new URL(given)
    const cookie = [...jar.values()]
      .filter(({ path }) => url.pathname === path || url.pathname.startsWith(`${path.replace(/\/$/, '')}/`))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const answer = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...(cookie === '' ? {} : { cookie }), 'user-agent': 'a test browser' },
    })
    for (const line of answer.headers.getSetCookie()) keep(line)
    const location = answer.headers.get('location')
    return {
      status: answer.status,
      url,
      headers: answer.headers,
      text: await answer.text(),
      location: location === null ? undefined : new URL(location, url),
    }
  }
  const post = (url: string | URL, fields: Readonly<Record<string, string>>) =>
    send(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: new URL(url).origin, 'sec-fetch-site': 'same-origin' },
    })
  return {
    get: send,
    post,
    submit: (page, step, fields = {}) => {
      const form = formsOf(page).find(({ action }) => action.pathname.endsWith(step))
      if (form === undefined) throw new Error(`The page has no form ${step}:\n${page.text}`)
      const filled = Object.entries({ ...form.fields, ...fields })
      return post(
        form.action,
        Object.fromEntries(filled.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
      )
    },
    follow: async (page) => {
      let at = page
      while (at.location !== undefined && at.location.origin === page.url.origin) at = await send(at.location)
      return at
    },
    cookies: () => [...jar.values()],
    forget: () => jar.clear(),
  }
}

export const formsOf = ({ text, url }: Page): readonly Form[] =>
  [...text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, attributes = '', body = '']) => ({
    action: new URL(plain(/action="([^"]*)"/.exec(attributes)?.[1] ?? ''), url),
    fields: {
      ...Object.fromEntries(
        [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
          ([, name = '', value = '']) => [name, plain(value)] as const,
        ),
      ),
      ...tickedBoxes(text, /id="([^"]*)"/.exec(attributes)?.[1]),
    },
  }))

/** Boxes that name the form that they belong to. */
const tickedBoxes = (text: string, form: string | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="checkbox" name="([^"]+)" form="([^"]+)" checked>/g)].flatMap(
      ([, name = '', of]) => (of === form ? [[name, 'on'] as const] : []),
    ),
  )

const plain = (escaped: string): string =>
  escaped
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
