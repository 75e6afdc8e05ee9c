// What is shown without a key: the front door, the pages that need none, and the sign-in where a page needs one.
import { useLocation } from 'wouter'
import { DoorPage } from './pages/door_page.tsx'
import { SignInPage } from './pages/sign_in_page.tsx'
import { Routes } from './routes.tsx'
import type { Session } from './session/session.ts'

type DoorwayProps = {
  readonly session: Session
  /** Why nobody is signed in, when that is not plain. */
  readonly message: string | null
}

export const Doorway = ({ session, message }: DoorwayProps) => {
  const [path] = useLocation()
  const Closed = path === '/' ? DoorPage : SignInPage
  return <Routes signIn={<Closed session={session} message={message} />} />
}
