// The buttons: with words, in one of five looks, or with an icon alone.
import type { ComponentProps } from 'react'
import { theme, toggleTheme } from '../data/kept/theme.ts'
import { useStore } from '../data/store.ts'
import { Icon, type IconName } from './icon.tsx'

const LOOKS = {
  plain: { className: 'button' },
  primary: { className: 'button primary' },
  danger: { className: 'button danger' },
  text: { className: 'text-button' },
  quiet: { className: 'text-button quiet' },
} as const

export type Look = keyof typeof LOOKS

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> & {
  readonly look?: Look | undefined
}

export const Button = ({ look = 'plain', ...button }: ButtonProps) => (
  <button type="button" {...button} {...LOOKS[look]} />
)

type IconButtonProps = Omit<ComponentProps<'button'>, 'type' | 'title' | 'aria-label' | 'children'> & {
  readonly icon: IconName
  readonly label: string
  /** More than the name, such as the keyboard key for the same action. */
  readonly tip?: string
}

/** Screen readers get its name, everyone else a tip. */
export const IconButton = ({ icon, label, tip = label, ...button }: IconButtonProps) => (
  <button {...button} type="button" className="icon-button" aria-label={label} data-tip={tip}>
    <Icon name={icon} />
  </button>
)

/** The switch between the light and the dark theme. */
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
