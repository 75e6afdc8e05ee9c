// The layout that all sign-in pages share, which have no script framework, and the words for a wait.
import { type Problem, retryAfterSeconds } from '../../../kernel/refusal.ts'
import { type Html, html, PAGE_ICON } from '../../http/html.ts'

/** Where the files of the pages are served. */
export const PAGE_FILES = {
  style: '/oauth/pages.css',
  icon: PAGE_ICON,
  linkScript: '/oauth/link.js',
} as const

interface PageParts {
  /** The heading, and the title of the browser's tab. */
  readonly title: string
  readonly body: Html
  /** One of our own files. It runs after the page was read. */
  readonly script?: (typeof PAGE_FILES)[keyof typeof PAGE_FILES]
}

/** The whole document. It has no inline style and no inline script, so that the strict content policy holds. */
export const page = ({ title, body, script }: PageParts): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Pharos</title>
<link rel="icon" type="image/svg+xml" href="${PAGE_FILES.icon}">
<link rel="stylesheet" href="${PAGE_FILES.style}">
${script !== undefined && html`<script src="${script}" defer></script>`}
</head>
<body>
<main class="card">
<header><img src="${PAGE_FILES.icon}" alt="" width="36" height="36"><span>Pharos</span></header>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`

/** `20 seconds`, `3 minutes`. Rounded up. */
export function spokenWait(problem: Problem): string {
  const seconds = retryAfterSeconds(problem) ?? 60
  const [count, unit] = seconds <= 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
