// The pages with forms: on which somebody signs in, makes an account, allows an application something, joins a team, and
// chooses a password.
import { NAMELESS } from '../../../domain/oauth/described_client.ts'
import { type Html, html } from '../../http/html.ts'
import {
  emailField,
  type FormParts,
  form,
  hiddenField,
  nameFields,
  newPasswordField,
  type Posted,
  passwordField,
  problemNote,
  type Typed,
} from './form.ts'
import { page } from './page.ts'

interface FormPage extends Omit<FormParts, 'look'> {
  readonly title: string
  readonly intro: Html | false
  /** Posted to by the cancel button. */
  readonly cancel?: string | undefined
  readonly asides?: readonly (Html | string | false)[]
  readonly isOfLink?: boolean
}

/** A page of one form, with the ways around it below. */
const formPage = ({ title, intro, cancel, asides = [], isOfLink = false, ...main }: FormPage): Html =>
  page({
    title,
    isOfLink,
    body: html`${intro}
${problemNote(main.problem)}
${form({ ...main, look: 'primary' })}
${cancel !== undefined && form({ action: cancel, csrf: main.csrf, button: 'Cancel', look: 'plain' })}
${asides.map((aside) => aside !== false && html`<p class="aside">${aside}</p>`)}`,
  })

/** Whatever an application is called, it chose that itself. Without a name it claims none. */
const claimedName = (name: string, article: 'An' | 'an'): Html =>
  name === NAMELESS
    ? html`${article} application without a name`
    : html`${article} application that calls itself <strong>${name}</strong>`

interface Destination {
  /** The application that the person goes on to. Absent when the person stays here. */
  readonly clientName?: string | undefined
  /** It is our own console. */
  readonly isOwn?: boolean
}

const destination = ({ clientName, isOwn }: Destination): Html | false =>
  clientName !== undefined &&
  html`<p class="lead">to continue to ${isOwn === true ? html`<strong>${clientName}</strong>` : claimedName(clientName, 'an')}</p>`

interface OfRequest extends Posted, Destination {
  readonly cancel?: string
}

/**
 * @param parts.signUp the address of the sign-up page, where sign-up is possible
 * @param parts.email what was typed before, or the address that an invitation is for
 */
export const signInPage = (
  parts: OfRequest & { readonly signUp?: string | undefined; readonly email?: string | undefined },
): Html =>
  formPage({
    ...parts,
    title: 'Sign in',
    intro: destination(parts),
    fields: [emailField(parts.email), passwordField(parts.email !== undefined)],
    button: 'Sign in',
    asides: [
      parts.signUp !== undefined && html`No account yet? <a href="${parts.signUp}">Sign up</a>`,
      'Password forgotten? The operator of this server can make a link with which you choose another.',
    ],
  })

/** @param parts.signIn the address of the sign-in page */
export const signUpPage = (parts: OfRequest & Typed & { readonly signIn?: string }): Html =>
  formPage({
    ...parts,
    title: 'Sign up',
    intro: destination(parts),
    fields: [emailField(parts.email), ...nameFields(parts), newPasswordField()],
    button: 'Make the account',
    asides: [
      parts.signIn !== undefined && html`There is an account already? <a href="${parts.signIn}">Sign in</a>`,
    ],
  })

interface AskedScope {
  readonly name: string
  readonly meaning: string
  /** The person may leave it out. */
  readonly isOptional: boolean
}

interface ConsentPage extends Posted {
  /** Posted to when the person does not allow it. */
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
}

/** Asks whether an application may act for the person. What stays ticked of what is optional goes along. */
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

/** Longer than any token, and long enough for a whole link. */
const TYPED_LENGTH = 2_048

/**
 * The page that a one-time link opens. It shows what the link is for only after the token was posted and found valid.
 * With a script the token moves from the address into the form by itself. Without one the person types it.
 */
export const linkPage = (parts: Posted & { readonly title: string }): Html =>
  formPage({
    ...parts,
    isOfLink: true,
    id: 'link',
    intro: html`<p class="lead" id="found" hidden>One moment…</p>`,
    fields: [
      html`<div class="field" id="typed">
<label for="token">The link, or what follows <code>#token=</code> in it</label>
<input id="token" name="token" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="${TYPED_LENGTH}" required>
</div>`,
    ],
    button: 'Continue',
  })

interface InvitationPage extends Omit<Posted, 'action'> {
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
  readonly actions: Readonly<Record<'accept' | 'signIn' | 'signUp' | 'otherAccount', string>>
  readonly typed: Typed
}

export const invitationPage = (parts: InvitationPage): Html => {
  const { team, role, inviter, email, token, signedInAs, actions, typed, problem, csrf } = parts
  const along = hiddenField('token', token)
  const common = { csrf, problem }
  return page({
    title: `Join ${team}`,
    body: html`<p class="lead">${inviter === '' ? 'You are invited' : html`<strong>${inviter}</strong> invites you`} to the team <strong>${team}</strong>, as ${role}.</p>
${problemNote(problem)}
${
  signedInAs === undefined
    ? html`<h2>With an account</h2>
${form({
  ...common,
  action: actions.signIn,
  fields: [along, emailField(typed.email ?? email), passwordField(false)],
  button: 'Sign in and join',
  look: 'primary',
})}
<h2>Without an account</h2>
<p>An account is made for <strong>${email}</strong>.</p>
${form({
  ...common,
  action: actions.signUp,
  fields: [along, usernameFor(email), ...nameFields(typed), newPasswordField()],
  button: 'Make the account and join',
  look: 'plain',
})}`
    : html`<p>You are signed in as <strong>${signedInAs}</strong>.</p>
${form({ ...common, action: actions.accept, fields: [along], button: 'Join the team', look: 'primary' })}
${form({
  ...common,
  action: actions.otherAccount,
  fields: [along],
  button: 'Use another account',
  look: 'text',
})}`
}`,
  })
}

/** Tells password managers whose password is chosen. */
const usernameFor = (email: string): Html =>
  html`<input type="text" name="username" value="${email}" autocomplete="username" readonly hidden>`

interface ChoosePasswordPage extends Posted {
  readonly email: string
  /** There is a password already. */
  readonly isChange: boolean
  readonly token: string
}

export const choosePasswordPage = (parts: ChoosePasswordPage): Html =>
  formPage({
    ...parts,
    title: parts.isChange ? 'Choose another password' : 'Choose a password',
    intro: html`<p class="lead">for the account <strong>${parts.email}</strong></p>`,
    fields: [hiddenField('token', parts.token), usernameFor(parts.email), newPasswordField(true)],
    button: 'Set the password',
    asides: [
      'Every browser that is signed in to this account is signed out, and applications lose what they were allowed. API keys stay.',
    ],
  })
