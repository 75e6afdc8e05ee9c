// The switch between the light and the dark theme.
import { IconButton } from './icon_button.tsx'

type ThemeButtonProps = { readonly dark: boolean; readonly onToggle: () => void }

export const ThemeButton = ({ dark, onToggle }: ThemeButtonProps) => (
  <IconButton
    icon={dark ? 'sun' : 'moon'}
    label={dark ? 'Light theme' : 'Dark theme'}
    data-testid="theme"
    onClick={onToggle}
  />
)
