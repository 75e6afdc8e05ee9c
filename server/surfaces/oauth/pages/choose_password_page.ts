// The page on which a person with a one-time link chooses a password.
import { type Html, html } from '../../http/html.ts'
import { type FormProblem, form, hiddenField, newPasswordField, problemNote } from './form_parts.ts'
import { usernameFor } from './invitation_page.ts'
import { page } from './page.ts'

export interface ChoosePasswordPage {
  /** The form is posted here with `token` and `new_password`. */
  readonly action: string
  readonly email: string
  /** There is a password already. */
  readonly isChange: boolean
  readonly token: string
  readonly problem?: FormProblem | undefined
  readonly csrf: string
}

export const choosePasswordPage = (parts: ChoosePasswordPage): Html => {
  const { action, email, isChange, token, problem, csrf } = parts
  return page({
    title: isChange ? 'Choose another password' : 'Choose a password',
    body: html`<p class="lead">for the account <strong>${email}</strong></p>
${problemNote(problem)}
${form({
  action,
  csrf,
  button: 'Set the password',
  look: 'primary',
  body: html`${hiddenField('token', token)}${usernameFor(email)}${newPasswordField(problem, true)}`,
})}
<p class="aside">Every browser that is signed in to this account is signed out, and applications lose what they were allowed. API keys stay.</p>`,
  })
}
