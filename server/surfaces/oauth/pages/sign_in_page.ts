// The pages on which somebody signs in, or makes an account.
import { NAME_LENGTH } from '../../../domain/accounts/user.ts'
import { type Html, html } from '../../http/html.ts'
import {
  type Destination,
  destination,
  emailField,
  type FormProblem,
  form,
  formField,
  newPasswordField,
  passwordField,
  problemNote,
} from './form_parts.ts'
import { page } from './page.ts'

interface SignInPage extends Destination {
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

interface SignUpPage extends Destination {
  /** The form is posted here with `email`, `first_name`, `last_name`, `new_password` and the form token. */
  readonly action: string
  /** The address of the sign-in page. */
  readonly signIn?: string | undefined
  readonly cancel?: string
  readonly email?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly problem?: FormProblem | undefined
  readonly csrf: string
}

export const signUpPage = (parts: SignUpPage): Html => {
  const { action, signIn, cancel, problem, csrf } = parts
  return page({
    title: 'Sign up',
    body: html`${destination(parts)}
${problemNote(problem)}
${form({ action, csrf, button: 'Make the account', look: 'primary', body: accountFields(parts) })}
${cancel !== undefined && form({ action: cancel, csrf, button: 'Cancel', look: 'plain' })}
${signIn !== undefined && html`<p class="aside">There is an account already? <a href="${signIn}">Sign in</a></p>`}`,
  })
}

const accountFields = ({ email, problem, ...names }: SignUpPage): Html =>
  html`${emailField(email, problem)}${nameFields({ ...names, problem })}${newPasswordField(problem)}`

/** Both may stay empty. */
export const nameFields = ({
  firstName,
  lastName,
  problem,
}: Pick<SignUpPage, 'firstName' | 'lastName' | 'problem'>): Html => {
  const common = { type: 'text', optional: true, maxLength: NAME_LENGTH } as const
  const first = {
    name: 'first_name',
    label: 'First name',
    autocomplete: 'given-name',
    value: firstName,
  } as const
  const last = {
    name: 'last_name',
    label: 'Last name',
    autocomplete: 'family-name',
    value: lastName,
  } as const
  return html`${formField({ ...common, ...first }, problem)}${formField({ ...common, ...last }, problem)}`
}
