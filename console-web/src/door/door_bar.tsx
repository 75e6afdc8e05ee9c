// The bar of the pages that nobody is signed in on: the name, and the theme.
import './door.css'
import { Link } from 'wouter'
import { ThemeButton } from '../ui/button.tsx'
import { Lighthouse } from '../ui/lighthouse.tsx'

export const DoorBar = () => (
  <header className="door-bar spread">
    <Link to="/" className="brand">
      <Lighthouse />
      <span>Pharos</span>
    </Link>
    <ThemeButton />
  </header>
)
