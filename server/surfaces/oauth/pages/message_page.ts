// A page that says one thing: something is done, or cannot be done.
import { type Html, html } from '../../http/html.ts'
import { page } from './page.ts'

export interface MessagePage {
  readonly title: string
  readonly text: string | Html
  /** Where to go on from here. */
  readonly link?: { readonly href: string; readonly text: string } | undefined
}

export const messagePage = ({ title, text, link }: MessagePage): Html =>
  page({
    title,
    body: html`<p class="lead" role="status">${text}</p>
${link !== undefined && html`<p><a class="primary" href="${link.href}">${link.text}</a></p>`}`,
  })
