// The pages behind two one-time links: an invitation, with the ways to accept it, and the choice of a password.
import { type Html, html } from '../../http/html.ts'
import {
  emailField,
  type FormProblem,
  form,
  hiddenField,
  newPasswordField,
  passwordField,
  problemNote,
} from './form_parts.ts'
import { page } from './page.ts'
import { nameFields } from './sign_in_page.ts'

export interface InvitationPage {
  readonly team: string
  readonly role: string
  /** The name of who invites, empty where there is none. */
  readonly inviter: string
  /** The address that the invitation is for. */
  readonly email: string
  /** Goes along with every form of the page. */
  readonly token: string
  /** The address of the account that is signed in. */
  readonly signedInAs: string | undefined
  readonly actions: {
    readonly accept: string
    readonly signIn: string
    readonly signUp: string
    readonly otherAccount: string
  }
  readonly typed?: { readonly email?: string; readonly firstName?: string; readonly lastName?: string }
  readonly problem?: FormProblem | undefined
  readonly csrf: string
}

export const invitationPage = (parts: InvitationPage): Html => {
  const { team, role, inviter, signedInAs, problem } = parts
  return page({
    title: `Join ${team}`,
    body: html`<p class="lead">${inviter === '' ? 'You are invited' : html`<strong>${inviter}</strong> invites you`} to the team <strong>${team}</strong>, as ${role}.</p>
${problemNote(problem)}
${signedInAs === undefined ? waysToSignIn(parts) : accepting(parts, signedInAs)}`,
  })
}

const accepting = ({ token, actions, csrf }: InvitationPage, signedInAs: string): Html =>
  html`<p>You are signed in as <strong>${signedInAs}</strong>.</p>
${form({ action: actions.accept, csrf, button: 'Join the team', look: 'primary', body: hiddenField('token', token) })}
${form({
  action: actions.otherAccount,
  csrf,
  button: 'Use another account',
  look: 'text',
  body: hiddenField('token', token),
})}`

const waysToSignIn = ({ email, token, actions, typed = {}, problem, csrf }: InvitationPage): Html =>
  html`<h2>With an account</h2>
${form({
  action: actions.signIn,
  csrf,
  button: 'Sign in and join',
  look: 'primary',
  body: html`${hiddenField('token', token)}${emailField(typed.email ?? email, problem)}${passwordField(false, problem)}`,
})}
<h2>Without an account</h2>
<p>An account is made for <strong>${email}</strong>.</p>
${form({
  action: actions.signUp,
  csrf,
  button: 'Make the account and join',
  look: 'plain',
  body: html`${hiddenField('token', token)}${usernameFor(email)}${nameFields({
    firstName: typed.firstName,
    lastName: typed.lastName,
    problem,
  })}${newPasswordField(problem)}`,
})}`

/** Tells password managers whose password is chosen. */
const usernameFor = (email: string): Html =>
  html`<input type="text" name="username" value="${email}" autocomplete="username" readonly hidden>`

interface ChoosePasswordPage {
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
