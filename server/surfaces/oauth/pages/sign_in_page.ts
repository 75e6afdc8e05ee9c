// The page that asks for an address and a password.
import { type Html, html } from '../../http/html.ts'
import { type Destination, destination } from './client_name.ts'
import { emailField, type FormProblem, form, passwordField, problemNote } from './form_parts.ts'
import { page } from './page.ts'

export interface SignInPage extends Destination {
  /** The form is posted here with `email`, `password` and the form token. */
  readonly action: string
  /** Posted to by the cancel button. */
  readonly cancel?: string
  /** The address of the sign-up page, where sign-up is possible. */
  readonly signUp?: string | undefined
  /** What was typed before, or the address that an invitation is for. */
  readonly email?: string | undefined
  readonly problem?: FormProblem | undefined
  readonly csrf: string
}

export const signInPage = ({ action, cancel, signUp, email, problem, csrf, ...to }: SignInPage): Html =>
  page({
    title: 'Sign in',
    body: html`${destination(to)}
${problemNote(problem)}
${form({
  action,
  csrf,
  button: 'Sign in',
  look: 'primary',
  body: html`${emailField(email, problem)}${passwordField(email !== undefined, problem)}`,
})}
${cancel !== undefined && form({ action: cancel, csrf, button: 'Cancel', look: 'plain' })}
${signUp !== undefined && html`<p class="aside">No account yet? <a href="${signUp}">Sign up</a></p>`}
<p class="aside">Password forgotten? The operator of this server can make a link with which you choose another.</p>`,
  })
