// The bar of the pages that nobody is signed in on: the name, and the theme.
import './door.css'
import { Link } from 'wouter'
import { theme, toggleTheme } from '../data/kept/theme.ts'
import { useStore } from '../data/store.ts'
import { Lighthouse } from '../ui/lighthouse.tsx'
import { ThemeButton } from '../ui/theme_button.tsx'

export const DoorBar = () => {
  const dark = useStore(theme) === 'dark'
  return (
    <header className="door-bar">
      <Link to="/" className="door-brand">
        <Lighthouse />
        <span>Pharos</span>
      </Link>
      <ThemeButton dark={dark} onToggle={toggleTheme} />
    </header>
  )
}
