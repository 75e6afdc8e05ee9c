// The forms of the pages: labelled fields, buttons, the form token, the sentence that tells a refusal, and what is done
// with a form, which is shown again where it was refused.
import type Koa from 'koa'
import { PASSWORD_LENGTH } from '../../../domain/accounts/password.ts'
import { NAME_LENGTH } from '../../../domain/accounts/user.ts'
import { type Problem, Refusal } from '../../../kernel/refusal.ts'
import { retryAfterHeader } from '../../http/error_document.ts'
import { Html, html, sentence } from '../../http/html.ts'
import { noteAnswered } from '../../http/identify.ts'
import { FORM_TOKEN } from '../form_guard.ts'
import { spokenWait } from './page.ts'

/** What was wrong with the last try. `field` names the field that it is about. */
interface FormProblem {
  readonly text: string
  readonly field?: string
}

/** A form that our page posts, where it was refused with what was wrong. */
export interface Posted {
  /** The address that the form is posted to. */
  readonly action: string
  /** The form token, see `form_guard.ts`. */
  readonly csrf: string
  readonly problem?: FormProblem | undefined
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

const formField = (
  { name, label, type, autocomplete, value, optional, maxLength, hint, focus }: Field,
  problem: FormProblem | undefined,
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

export interface FormParts extends Posted {
  /** In their order, with markup that goes along. */
  readonly fields?: readonly (Field | Html)[]
  readonly button: string
  readonly look: 'primary' | 'plain' | 'text'
  readonly id?: string | undefined
}

/** A form that works without a script. */
export const form = ({
  action,
  csrf,
  problem,
  fields = [],
  button,
  look,
  id,
}: FormParts): Html => html`<form method="post" action="${action}"${id !== undefined && html` id="${id}"`}>
${hiddenField(FORM_TOKEN, csrf)}
${fields.map((field) => (field instanceof Html ? field : formField(field, problem)))}
<button type="submit" class="${look}">${button}</button>
</form>`

/** Longer than any address of an account. */
const EMAIL_LENGTH = 255

/** In UTF-16 units, of which a code point has at most two. */
const PASSWORD_FIELD_LENGTH = 2 * PASSWORD_LENGTH.most

export const emailField = (value: string | undefined): Field => ({
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  autocomplete: 'username',
  value,
  maxLength: EMAIL_LENGTH,
  focus: value === undefined,
})

/** @param focus the address is known already */
export const passwordField = (focus: boolean): Field => ({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
  maxLength: PASSWORD_FIELD_LENGTH,
  focus,
})

export const newPasswordField = (focus = false): Field => ({
  name: 'new_password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  maxLength: PASSWORD_FIELD_LENGTH,
  hint: `At least ${PASSWORD_LENGTH.least} characters. A few words are easier to remember than symbols.`,
  focus,
})

/** What a person typed before. */
export interface Typed {
  readonly email?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
}

/** Both may stay empty. */
export const nameFields = ({ firstName, lastName }: Typed): readonly Field[] => {
  const common = { type: 'text', optional: true, maxLength: NAME_LENGTH } as const
  return [
    { ...common, name: 'first_name', label: 'First name', autocomplete: 'given-name', value: firstName },
    { ...common, name: 'last_name', label: 'Last name', autocomplete: 'family-name', value: lastName },
  ]
}

/** What was typed, why it was refused, and with which status. */
export interface Tried extends Typed {
  readonly problem?: FormProblem
  readonly status?: number
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

/**
 * Does what a form asks for. After an expected no the page is shown again, with what was wrong, where the person can try
 * again. What is not found is not there for another try. Returns false when it was refused.
 */
export async function orAgain(
  ctx: Koa.Context,
  act: () => Promise<void>,
  again: (tried: Tried) => unknown,
): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    const [first] = error instanceof Refusal && error.code !== 'not_found' ? error.problems : []
    if (!(error instanceof Refusal) || first === undefined) throw error
    ctx.set(retryAfterHeader(error.problems))
    noteAnswered(ctx, { codes: error.problems.map(({ code }) => code) })
    await again({ problem: spoken(first), status: error.status })
    return false
  }
}

function spoken(problem: Problem): FormProblem {
  const { code, detail, path } = problem
  const [field, name] = FIELDS[path?.[0] ?? ''] ?? []
  if (code === 'rate_limited') return { text: `Too many tries. Please try again in ${spokenWait(problem)}.` }
  const text = SPOKEN[code] ?? sentence(name === undefined ? detail : `${name} ${detail}`)
  return { text, ...(field === undefined ? {} : { field }) }
}
