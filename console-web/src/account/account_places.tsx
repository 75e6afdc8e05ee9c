// The pages about the account of the person.
import './account.css'
import { Link } from 'wouter'

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
  <nav className="page-places account-places" aria-label="Account">
    {Object.keys(places)
      .filter(isPlace)
      .map((place) => (
        <Link key={place} to={places[place].to} aria-current={place === here ? 'page' : undefined}>
          {places[place].name}
        </Link>
      ))}
  </nav>
)
