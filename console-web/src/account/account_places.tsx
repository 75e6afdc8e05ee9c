// The pages about the account of the person, and whose account it is.
import './account.css'
import { Link } from 'wouter'
import { useConsole } from '../data/console_context.ts'
import { maskedKey } from '../data/key_text.ts'
import { useDocument } from '../data/use_document.ts'
import { Shown } from '../ui/shown_text.tsx'
import { ME_PATH, readMe } from './me.ts'

const places = {
  keys: { to: '/account/keys', name: 'API keys' },
  teams: { to: '/account/teams', name: 'Teams' },
  sessions: { to: '/account/sessions', name: 'Sessions' },
  applications: { to: '/account/applications', name: 'Applications' },
  password: { to: '/account/password', name: 'Password' },
} as const

type Place = keyof typeof places

const isPlace = (name: string): name is Place => Object.hasOwn(places, name)

export const AccountPlaces = ({ here }: { here: Place }) => (
  <div className="account-places">
    <nav className="page-places" aria-label="Account">
      {Object.keys(places)
        .filter(isPlace)
        .map((place) => (
          <Link key={place} to={places[place].to} aria-current={place === here ? 'page' : undefined}>
            {places[place].name}
          </Link>
        ))}
    </nav>
    <Who />
  </div>
)

/** Says nothing before it is known. */
const Who = () => {
  const { by } = useConsole()
  const me = useDocument(ME_PATH, { read: readMe })
  if (me.kind !== 'found' || me.value.email === null) return null
  return (
    <p className="account-who" data-testid="account-who">
      <Shown text={me.value.email} />
      {by.kind === 'key' && `, with the key ${maskedKey(by.key)}`}
    </p>
  )
}
