// What is shown without a key: the front door, the pages that need none, and the sign-in where a page needs one.
import { Link, useLocation } from 'wouter'
import { SignInCard } from './door/sign_in_card.tsx'
import { DoorPage } from './pages/door_page.tsx'
import { Routes } from './routes.tsx'
import { ThemeButton } from './ui/button.tsx'
import { Lighthouse } from './ui/lighthouse.tsx'
import { SkipLink } from './ui/skip_link.tsx'

export const Doorway = () => {
  const [path] = useLocation()
  const door = (
    <div className="door">
      <SkipLink />
      <header className="door-bar spread">
        <Link to="/" className="brand">
          <Lighthouse />
          <span>Pharos</span>
        </Link>
        <ThemeButton />
      </header>
      {path === '/' ? <DoorPage /> : <SignInPage path={path} />}
    </div>
  )
  return <Routes signIn={door} />
}

const SignInPage = ({ path }: { path: string }) => (
  <>
    <title>Sign in · Pharos</title>
    <main className="door-alone stack">
      <h1>Sign in to go on</h1>
      <p className="soft">
        <code>{path}</code> opens as soon as you are signed in.
      </p>
      <SignInCard />
      <p className="soft">
        No key? <Link to="/">What this is, and how to get one</Link>. To check a proof,{' '}
        <Link to="/verify">none is needed</Link>.
      </p>
    </main>
  </>
)
