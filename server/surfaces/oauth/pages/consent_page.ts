// The page that asks whether an application may act for the person.
import { type Html, html } from '../../http/html.ts'
import { claimedName, form } from './form_parts.ts'
import { page } from './page.ts'

interface AskedScope {
  readonly name: string
  readonly meaning: string
  /** The person may leave it out. */
  readonly isOptional: boolean
}

interface ConsentPage {
  /** Posted to when the person allows it, with the names of the optional scopes that stay ticked. */
  readonly action: string
  /** Posted to when the person does not. */
  readonly cancel: string
  /** What the application calls itself. Anybody may register any name. */
  readonly clientName: string
  /** The host that the answer goes to, the only part that the application cannot make up. */
  readonly redirectHost: string
  /** The answer goes to a program on the person's own computer. */
  readonly isLoopback?: boolean
  readonly scopes: readonly AskedScope[]
  /** The person allowed it something optional before, which goes on whatever is unticked now. */
  readonly keepsUnticked?: boolean
  /** The account that is signed in. */
  readonly email: string
  /** Posted to when the person wants to use another account. */
  readonly otherAccount?: string | undefined
  readonly csrf: string
}

export const consentPage = (parts: ConsentPage): Html => {
  const { action, cancel, clientName, redirectHost, isLoopback, scopes, email, otherAccount, csrf } = parts
  return page({
    title: 'Allow access?',
    body: html`<p class="lead">${claimedName(clientName, 'An')} asks to use your account <strong>${email}</strong>.</p>
<h2>It would be able to</h2>
<ul class="scopes">${scopes.map((scope) => html`<li>${asked(scope)}</li>`)}</ul>
${parts.keepsUnticked === true && html`<p class="note">What you allowed this application before goes on, also where you untick it here: end that in the console under allowed applications.</p>`}
<p class="note">${
      isLoopback === true
        ? html`The answer goes to a program on this computer (<strong>${redirectHost}</strong>). Allow it only if you have just started that program yourself.`
        : html`The answer goes to <strong>${redirectHost}</strong>. Anybody can choose any name; this address is what to judge the application by.`
    }</p>
<div class="choices">${form({ action, csrf, button: 'Allow', look: 'primary', id: AGREEING })}${form({ action: cancel, csrf, button: 'Do not allow', look: 'plain' })}</div>
<p class="aside">You can take it back at any time, in the console under allowed applications.</p>
${otherAccount !== undefined && form({ action: otherAccount, csrf, button: 'Use another account', look: 'text' })}`,
  })
}

/** The boxes stand above the form that they belong to. */
const AGREEING = 'agreeing'

const asked = ({ name, meaning, isOptional }: AskedScope): Html => {
  const said = html`${meaning} <code>${name}</code>`
  if (!isOptional) return said
  return html`<label><input type="checkbox" name="${name}" form="${AGREEING}" checked> <span>${said}</span></label>`
}
