// Stands before every import of code that is loaded later, in place of the bundler's own (console-web/vite.config.ts).
// A browser remembers for as long as the document lives that a module or one of its parts could not be fetched, and
// does not ask for it again (HTML, "fetch a single module script"). So nothing is imported before it is here.

const WITHIN_MS = 60_000

/** What is here, or on its way. What did not come is asked for again. */
const asked = new Map<string, Promise<void>>()

/** `names` are the paths of all files that the import needs. Rejects when one of them does not come. */
export const bringCode = async <Module>(
  load: () => Promise<Module>,
  names: readonly string[] = [],
): Promise<Module> => {
  await Promise.all(names.map((name) => ask(`/${name}`)))
  return load()
}

const ask = (path: string): Promise<void> => {
  const before = asked.get(path)
  if (before !== undefined) return before
  const coming = bring(path)
  asked.set(path, coming)
  coming.catch(() => asked.delete(path))
  return coming
}

/** Afterwards the file lies in the cache of the browser, from which the import takes it. */
const bring = async (path: string): Promise<void> => {
  if (document.querySelector(`script[src="${path}"], link[href="${path}"]`) !== null) return
  const answer = await fetch(path, { signal: AbortSignal.timeout(WITHIN_MS) })
  if (!answer.ok) throw new Error(`${path} is answered with ${answer.status}.`)
  await answer.arrayBuffer()
  if (path.endsWith('.css')) await putOn(path)
}

const putOn = (path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const sheet = document.createElement('link')
    sheet.rel = 'stylesheet'
    sheet.href = path
    sheet.addEventListener('load', () => resolve())
    const fail = (): void => {
      sheet.remove()
      reject(new Error(`${path} was not put on.`))
    }
    sheet.addEventListener('error', fail)
    setTimeout(() => sheet.sheet === null && fail(), WITHIN_MS)
    document.head.append(sheet)
  })
