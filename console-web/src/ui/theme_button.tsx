// The switch between the light and the dark theme.
import { theme, toggleTheme } from '../data/kept/theme.ts'
import { useStore } from '../data/store.ts'
import { IconButton } from './button.tsx'

export const ThemeButton = () => {
  const dark = useStore(theme) === 'dark'
  return (
    <IconButton
      icon={dark ? 'sun' : 'moon'}
      label={dark ? 'Light theme' : 'Dark theme'}
      data-testid="theme"
      onClick={toggleTheme}
    />
  )
}
