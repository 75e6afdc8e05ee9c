// What is shown without a key: the front door, the pages that need none, and the sign-in where a page needs one.
import { Link, useLocation } from 'wouter'
import { DoorBar } from './door/door_bar.tsx'
import { SignInCard } from './door/sign_in_card.tsx'
import { DoorPage } from './pages/door_page.tsx'
import { Routes } from './routes.tsx'

/** `message`: why nobody is signed in, when that is not plain. */
export const Doorway = ({ message }: { message: string | null }) => {
  const [path] = useLocation()
  const Closed = path === '/' ? DoorPage : SignInPage
  return <Routes signIn={<Closed message={message} />} />
}

const SignInPage = ({ message }: { message: string | null }) => {
  const [path] = useLocation()
  return (
    <div className="door">
      <title>Sign in · Pharos</title>
      <DoorBar />
      <main className="door-alone stack">
        <h1>{message === null ? 'This page needs a key' : 'Sign in to go on'}</h1>
        <p className="soft">
          <code>{path}</code> opens as soon as you are signed in.
        </p>
        <SignInCard message={message} />
        <p className="soft">
          No key? <Link to="/">What this is, and how to get one</Link>. To check a proof,{' '}
          <Link to="/verify">none is needed</Link>.
        </p>
      </main>
    </div>
  )
}
