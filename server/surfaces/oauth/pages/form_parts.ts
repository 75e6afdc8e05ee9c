// The parts of the pages' forms: labelled fields, the sentence that tells a refusal, buttons, the form token, and the
// name of the application that sent the person.
import type Koa from 'koa'
import { PASSWORD_LENGTH } from '../../../domain/accounts/password.ts'
import { NAMELESS } from '../../../domain/oauth/described_client.ts'
import { type Problem, Refusal } from '../../../kernel/refusal.ts'
import { retryAfterHeader } from '../../http/error_document.ts'
import { type Html, html } from '../../http/html.ts'
import { FORM_TOKEN } from '../form_guard.ts'
import { spokenWait } from './page.ts'

/** Whatever an application is called, it chose that itself. Without a name it claims none. */
export const claimedName = (name: string, article: 'An' | 'an'): Html =>
  name === NAMELESS
    ? html`${article} application without a name`
    : html`${article} application that calls itself <strong>${name}</strong>`

export interface Destination {
  /** The application that the person goes on to. Absent when the person stays here. */
  readonly clientName?: string | undefined
  /** It is our own console. */
  readonly isOwn?: boolean
}

export const destination = ({ clientName, isOwn }: Destination): Html | false =>
  clientName !== undefined &&
  html`<p class="lead">to continue to ${isOwn === true ? html`<strong>${clientName}</strong>` : claimedName(clientName, 'an')}</p>`

/** What was wrong with the last try. `field` names the field that it is about. */
export interface FormProblem {
  readonly text: string
  readonly field?: string
}

interface Field {
  readonly name: string
  readonly label: string
  readonly type: 'email' | 'password' | 'text'
  /** Tells password managers what belongs here. */
  readonly autocomplete: 'username' | 'current-password' | 'new-password' | 'given-name' | 'family-name'
  readonly value?: string | undefined
  readonly optional?: true
  readonly maxLength: number
  readonly hint?: string
  /** The cursor starts here, where there was no mistake. At most one field of a page. */
  readonly focus?: boolean
}

/** Announced by screen readers when the page has loaded. Nothing when there was no mistake. */
export const problemNote = (problem: FormProblem | undefined): Html | false =>
  problem !== undefined && html`<p class="problem" id="problem" role="alert">${problem.text}</p>`

export const formField = (
  { name, label, type, autocomplete, value, optional, maxLength, hint, focus }: Field,
  problem?: FormProblem,
): Html => {
  const wrong = problem !== undefined && problem.field === name
  // After a mistake the cursor starts where it was made.
  const isFocused = problem?.field === undefined ? focus === true : wrong
  const described = [hint !== undefined && `${name}-hint`, wrong && 'problem'].filter((id) => id !== false)
  return html`<div class="field">
<label for="${name}">${label}${optional && html` <span class="optional">(optional)</span>`}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${maxLength}"${
    value !== undefined && html` value="${value}"`
  }${!optional && html` required`}${wrong && html` aria-invalid="true"`}${
    described.length > 0 && html` aria-describedby="${described.join(' ')}"`
  }${type === 'email' && html` inputmode="email"`}${
    type !== 'text' && html` autocapitalize="none" spellcheck="false"`
  }${isFocused && html` autofocus`}>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`
}

/** Goes along with the form without being shown. */
export const hiddenField = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`

interface Form {
  /** The address that the form is posted to. */
  readonly action: string
  /** The form token, see `form_guard.ts`. */
  readonly csrf: string
  readonly body?: Html
  readonly button: string
  readonly look: 'primary' | 'plain' | 'text'
  readonly id?: string
}

/** A form that works without a script. */
export const form = ({
  action,
  csrf,
  body,
  button,
  look,
  id,
}: Form): Html => html`<form method="post" action="${action}"${id !== undefined && html` id="${id}"`}>
${hiddenField(FORM_TOKEN, csrf)}
${body}
<button type="submit" class="${look}">${button}</button>
</form>`

/** Longer than any address of an account. */
const EMAIL_LENGTH = 255

/** In UTF-16 units, of which a code point has at most two. */
const PASSWORD_FIELD_LENGTH = 2 * PASSWORD_LENGTH.most

export const emailField = (value: string | undefined, problem?: FormProblem): Html =>
  formField(
    {
      name: 'email',
      label: 'E-mail address',
      type: 'email',
      autocomplete: 'username',
      value,
      maxLength: EMAIL_LENGTH,
      focus: value === undefined,
    },
    problem,
  )

/** @param focus the address is known already */
export const passwordField = (focus: boolean, problem?: FormProblem): Html =>
  formField(
    {
      name: 'password',
      label: 'Password',
      type: 'password',
      autocomplete: 'current-password',
      maxLength: PASSWORD_FIELD_LENGTH,
      focus,
    },
    problem,
  )

export const newPasswordField = (problem?: FormProblem, focus = false): Html =>
  formField(
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

interface Tried {
  readonly problem: FormProblem
  readonly status: number
}

/** Refusals whose usual detail is meant for programs. */
const SPOKEN: Readonly<Partial<Record<string, string>>> = {
  overloaded: 'Too many people sign in just now. Please try again in a moment.',
  database_unavailable: 'That could not be stored just now. Please try again in a moment.',
}

/** Names of fields in domain verbs, as the form names them, and how a person calls them. */
const FIELDS: Readonly<Partial<Record<string, readonly [name: string, spoken: string]>>> = {
  email: ['email', 'The e-mail address'],
  firstName: ['first_name', 'The first name'],
  lastName: ['last_name', 'The last name'],
  new_password: ['new_password', 'The new password'],
}

/** What the page shows of an expected no. Other errors are thrown again. */
export function triedIn(ctx: Koa.Context, error: unknown): Tried {
  const [first] = error instanceof Refusal ? error.problems : []
  if (!(error instanceof Refusal) || first === undefined) throw error
  ctx.set(retryAfterHeader(error.problems))
  ctx.state.answered = { ...ctx.state.answered, codes: error.problems.map(({ code }) => code) }
  return { problem: spoken(first), status: error.status }
}

function spoken(problem: Problem): FormProblem {
  const { code, detail, path } = problem
  const [field, name] = FIELDS[path?.[0] ?? ''] ?? []
  if (code === 'rate_limited') return { text: `Too many tries. Please try again in ${spokenWait(problem)}.` }
  const text =
    SPOKEN[code] ??
    `${name === undefined ? detail.charAt(0).toUpperCase() + detail.slice(1) : `${name} ${detail}`}.`
  return { text, ...(field === undefined ? {} : { field }) }
}
