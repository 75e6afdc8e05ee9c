// Passwords that many people chose before are refused, and so is the account's own address. Phrases are not.
import { expect, it } from 'vitest'
import { readNewPassword } from '../../../server/domain/accounts/password.ts'

const ADDRESS = 'ada.lovelace@engines.example'

const chosen = (password: string) => readNewPassword(password, 'new_password', ADDRESS)

it.each([
  'password1234',
  'Password1234',
  'PasswordPassword',
  '123456789012',
  '1qaz2wsx3edc',
  'Administrator',
  'ada.lovelace@engines.example',
  'Ada.Lovelace',
  'engines.example',
  'ada.lovelace@engines.example1',
])('%s is refused', async (password) => {
  await expect(chosen(password)).rejects.toMatchObject({
    code: 'invalid_argument',
    problems: [{ detail: 'is one that others would guess' }],
  })
})

it.each([
  'correct horse battery',
  'the password of a stranger',
  'x7Kq-Tz81-Lw0p',
  'пароль из трёх слов',
  '🗼🔑🌊🧭⚓🌙🪨🌫🛶🐚🦀🐙',
  '841-552-907-316',
])('%s is accepted', async (password) => {
  expect(await chosen(password)).toBe(password)
})
