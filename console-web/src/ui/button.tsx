// A button with words, in one of four looks.
import type { ComponentProps } from 'react'

const LOOKS = {
  plain: { className: 'button' },
  primary: { className: 'button primary' },
  danger: { className: 'button danger' },
  text: { className: 'text-button' },
} as const

export type Look = keyof typeof LOOKS

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> & {
  readonly look?: Look | undefined
}

export const Button = ({ look = 'plain', ...button }: ButtonProps) => (
  <button type="button" {...button} {...LOOKS[look]} />
)
