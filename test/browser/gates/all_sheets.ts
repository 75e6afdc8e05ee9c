// The style sheets of all pages of the console that is served, and whether any of them changes a page that needs it not.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const DIST = resolve(import.meta.dirname, '..', '..', '..', 'console-web', 'dist')

/** Addresses of the sheets that the scripts of the document name. Those of the build before lie beside them. */
export function allSheets(): string[] {
  const names = readdirSync(join(DIST, 'assets'))
  const texts = [readFileSync(join(DIST, 'index.html'), 'utf8')]
  const named = new Set<string>()
  for (const text of texts)
    for (const name of names) {
      if (named.has(name) || !text.includes(name)) continue
      named.add(name)
      if (name.endsWith('.js')) texts.push(readFileSync(join(DIST, 'assets', name), 'utf8'))
    }
  return [...named].filter((name) => name.endsWith('.css')).map((name) => `/assets/${name}`)
}

/** Loads the sheets that the document does not have yet. Returns what looks different then. Evaluated in the page. */
export const changedBy = async (sheets: readonly string[]): Promise<string[]> => {
  const LOOKS = [
    ...['display', 'position', 'gridRowStart', 'gridColumnStart', 'alignItems', 'justifyContent', 'gap'],
    ...['paddingTop', 'paddingLeft', 'marginTop', 'marginBottom', 'borderTopWidth', 'borderTopColor'],
    ...['borderRadius', 'backgroundColor', 'color', 'fontSize', 'fontWeight', 'fontFamily', 'lineHeight'],
    ...['opacity', 'overflowX', 'whiteSpace', 'textAlign', 'textDecorationLine', 'minHeight', 'maxWidth'],
  ] as const
  const lookOf = (one: Element): readonly string[] => {
    const style = getComputedStyle(one)
    return [...LOOKS.map((name) => style[name]), getComputedStyle(one, '::before').content]
  }
  /** Whatever the page itself has changed meanwhile looks different by itself. */
  const tagOf = (one: Element): string =>
    [one.tagName, ...[...one.attributes].map(({ value }) => value)].join()
  const still = [...document.querySelectorAll('body, body *')].filter(
    (one) => one.getAnimations().length === 0,
  )
  const before = new Map(still.map((one) => [one, { look: lookOf(one), tag: tagOf(one) }]))
  const missing = sheets.filter((path) => document.querySelector(`link[href="${path}"]`) === null)
  const links = await Promise.all(
    missing.map(
      (path) =>
        new Promise<HTMLLinkElement>((resolve, reject) => {
          const link = document.createElement('link')
          link.rel = 'stylesheet'
          link.href = path
          link.onload = () => resolve(link)
          link.onerror = () => reject(new Error(`${path} did not come.`))
          document.head.append(link)
        }),
    ),
  )
  const found = [...before].flatMap(([one, { look, tag }]) => {
    const now = lookOf(one)
    const changed = [...LOOKS, 'content'].filter((_, index) => now[index] !== look[index])
    return one.isConnected && tag === tagOf(one) && changed.length > 0
      ? [`${one.tagName.toLowerCase()}.${one.className}: ${changed.join(', ')}`]
      : []
  })
  for (const link of links) link.remove()
  return [...new Set(found)].slice(0, 12)
}
