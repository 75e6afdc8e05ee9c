// Pages of one thing: a message that something is done or cannot be done, and the page that a one-time link opens,
// which shows what it is for only after its token was posted and found valid.
import { type Html, html } from '../../http/html.ts'
import { form } from './form_parts.ts'
import { PAGE_FILES, page } from './page.ts'

interface MessagePage {
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

interface LinkPage {
  readonly title: string
  /** The token is posted here as `token`. */
  readonly action: string
  readonly csrf: string
}

/** Longer than any token, and long enough for a whole link. */
const TYPED_LENGTH = 2_048

/** With a script the token moves from the address into the form by itself. Without one the person types it. */
export const linkPage = ({ title, action, csrf }: LinkPage): Html =>
  page({
    title,
    script: PAGE_FILES.linkScript,
    body: html`<p class="lead" id="found" hidden>One moment…</p>
${form({
  action,
  csrf,
  id: 'link',
  button: 'Continue',
  look: 'primary',
  body: html`<div class="field" id="typed">
<label for="token">The link, or what follows <code>#token=</code> in it</label>
<input id="token" name="token" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="${TYPED_LENGTH}" required>
</div>`,
})}`,
  })
