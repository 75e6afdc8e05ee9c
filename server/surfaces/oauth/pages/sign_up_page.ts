// The page that makes an account: address, names and a password.
import { PASSWORD_LENGTH } from '../../../domain/accounts/password.ts'
import { NAME_LENGTH } from '../../../domain/accounts/user.ts'
import {
  EMAIL_FIELD_LENGTH,
  type FormProblem,
  field,
  form,
  PASSWORD_FIELD_LENGTH,
  problemNote,
} from './form_parts.ts'
import { type Html, html, page } from './page.ts'

export interface SignUpPage {
  /** The form is posted here with `email`, `first_name`, `last_name`, `new_password` and the form token. */
  readonly action: string
  /** The address of the sign-in page. */
  readonly signIn?: string | undefined
  readonly cancel?: string
  readonly clientName?: string | undefined
  /** A sentence above the form, e.g. what an invitation is about. */
  readonly lead?: string | undefined
  readonly email?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly problem?: FormProblem | undefined
  readonly csrf: string
}

export const signUpPage = (parts: SignUpPage): Html => {
  const { action, signIn, cancel, clientName, lead, problem, csrf } = parts
  return page({
    title: 'Sign up',
    body: html`${clientName !== undefined && html`<p class="lead">to continue to <strong>${clientName}</strong></p>`}
${lead !== undefined && html`<p class="lead">${lead}</p>`}
${problemNote(problem)}
${form({ action, csrf, button: 'Make the account', look: 'primary', body: accountFields(parts) })}
${cancel !== undefined && form({ action: cancel, csrf, button: 'Cancel', look: 'plain' })}
${signIn !== undefined && html`<p class="aside">There is an account already? <a href="${signIn}">Sign in</a></p>`}`,
  })
}

/** The fields of a new account. */
export const accountFields = ({
  email,
  firstName,
  lastName,
  problem,
}: Pick<SignUpPage, 'email' | 'firstName' | 'lastName' | 'problem'>): Html =>
  html`${field(
    {
      name: 'email',
      label: 'E-mail address',
      type: 'email',
      autocomplete: 'username',
      value: email,
      maxLength: EMAIL_FIELD_LENGTH,
      focus: email === undefined,
    },
    problem,
  )}${nameFields({ firstName, lastName, problem })}${newPasswordField(problem)}`

/** Both may stay empty. */
export const nameFields = ({
  firstName,
  lastName,
  problem,
}: Pick<SignUpPage, 'firstName' | 'lastName' | 'problem'>): Html =>
  html`${field(
    {
      name: 'first_name',
      label: 'First name',
      type: 'text',
      autocomplete: 'given-name',
      value: firstName,
      optional: true,
      maxLength: NAME_LENGTH,
    },
    problem,
  )}${field(
    {
      name: 'last_name',
      label: 'Last name',
      type: 'text',
      autocomplete: 'family-name',
      value: lastName,
      optional: true,
      maxLength: NAME_LENGTH,
    },
    problem,
  )}`

export const newPasswordField = (problem?: FormProblem, focus = false): Html =>
  field(
    {
      name: 'new_password',
      label: 'New password',
      type: 'password',
      autocomplete: 'new-password',
      maxLength: PASSWORD_FIELD_LENGTH,
      hint: `At least ${PASSWORD_LENGTH.least} characters. A few words are easier to remember than symbols.`,
      focus,
    },
    problem,
  )
