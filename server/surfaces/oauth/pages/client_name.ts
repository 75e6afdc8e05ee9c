// What the pages call the application that sent the person.
import { NAMELESS } from '../../../domain/oauth/described_client.ts'
import { type Html, html } from '../../http/html.ts'

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
