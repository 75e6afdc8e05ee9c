// A button with only an icon. Screen readers get its name, everyone else a tip.
import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { Tip } from './over/tip.tsx'

type IconButtonProps = Omit<ComponentProps<'button'>, 'type' | 'title' | 'aria-label' | 'children'> & {
  readonly icon: IconName
  readonly label: string
  /** More than the name, such as the keyboard key for the same action. */
  readonly tip?: string
}

export const IconButton = ({ icon, label, tip = label, className = '', ...button }: IconButtonProps) => (
  <Tip text={tip}>
    <button {...button} type="button" className={`icon-button ${className}`} aria-label={label}>
      <Icon name={icon} />
    </button>
  </Tip>
)
