// An article about the service: a Markdown file whose name is its slug, and the data read from it.

export type Article = Extract<ReturnType<typeof readArticle>, { slug: string }>

/**
 * Parses an article. Returns the article, or the mistakes in the file.
 * @param slug the file's name without `.md`, e.g. `chain-walking`
 */
export function readArticle(slug: string, text: string) {
  const [, front, rest] = /^---\n(.*?)\n---\n(.*)$/s.exec(text.replaceAll('\r\n', '\n')) ?? []
  if (front === undefined || rest === undefined) return { mistakes: ['does not begin with front matter'] }
  const members = new Map(front.split('\n').map(memberOfFront))
  const title = members.get('title') ?? ''
  const updatedAt = new Date(members.get('updated_at') ?? '')
  const body = rest.trim()
  const targets = linkTargets(body)
  const mistakes = [
    ...(isSlug(slug) ? [] : ['has a name that is no slug']),
    ...(title === '' ? ['has no title'] : []),
    ...(Number.isNaN(updatedAt.getTime()) ? ['has no updated_at, such as 2026-11-20'] : []),
    ...(body === '' ? ['has no text'] : []),
    ...(text.includes('\0') || !text.isWellFormed() ? ['has characters that the database refuses'] : []),
    ...targets
      .filter((target) => !isSlug(target) && !isAddress(target))
      .map((target) => `links to ${target}`),
  ]
  if (mistakes.length > 0) return { mistakes }
  const links = new Set(targets.filter(isSlug).filter((target) => target !== slug))
  return Object.freeze({
    slug,
    title,
    /** Markdown, without the front matter. Links to other articles have their slug as target. */
    body,
    plain: plainText(body),
    /** Its code examples, in order. */
    code: codeOf(body),
    updatedAt,
    /** Slugs of the articles it links to, in the order of their first mention, each once. */
    links: [...links],
  })
}

export const isSlug = (text: string): boolean => text.length <= 80 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text)

/** The prose of our kind of Markdown, without markup and without examples. */
export function plainText(markdown: string): string {
  return markdown
    .replace(FENCED, '')
    .replace(/^\|[\s:|-]+\|$/gm, '')
    .replace(LINK, '$1')
    .replace(/^(#{1,6}|[-*]|\d+\.|>)\s+/gm, '')
    .replace(/\*\*([^*\n]+)\*\*/g, '$1')
    .replaceAll('`', '')
    .replace(/[ \t]*\|[ \t]*/g, ' ')
    .replace(/[ \t]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim()
}

const codeOf = (body: string): string => [...body.matchAll(FENCED)].map(([, code]) => code).join('\n')

/** From a line of three backticks to the next one. */
const FENCED = /^```[^\n]*\n(.*?)^```$/gms

/** Not applied inside code, because examples may contain brackets. */
function linkTargets(body: string): string[] {
  const prose = body.replace(FENCED, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(LINK)].map(([, , target = '']) => target)
}

/** `[words](target)`. Lengths are bounded, so that no text makes the match slow. */
const LINK = /\[([^[\]\n]{1,200})\]\(([^()\s]{1,500})\)/g

const isAddress = (target: string): boolean => target.startsWith('https://')

function memberOfFront(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
}
