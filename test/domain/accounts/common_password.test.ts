// Passwords that anybody would try first are refused, and phrases are not.
import { expect, it } from 'vitest'
import { isCommon } from '../../../server/domain/accounts/password.ts'

const ADDRESS = 'ada.lovelace@engines.example'

it.each([
  'password1234',
  'P@ssw0rd!2026',
  'PasswordPassword',
  'welcome-2026!',
  'changemechangeme',
  'letmein123456',
  '123456789012',
  '210987654321',
  'qwertyuiopas',
  '1qaz2wsx3edc',
  'abcabcabcabc',
  'aaaaaaaaaaaa',
  'PharosPharos1',
  'lovelace2026!',
  'ada.lovelace@1',
  'engines-ada-99',
  '000000000000000',
])('%s is refused', (password) => {
  expect(isCommon(password, ADDRESS)).toBe(true)
})

it.each([
  'correct horse battery',
  'the password of a stranger',
  'staple lantern harbour',
  'the lighthouse keeper',
  'x7Kq-Tz81-Lw0p',
  'пароль из трёх слов',
  '🗼🔑🌊🧭⚓🌙🪨🌫🛶🐚🦀🐙',
  '841-552-907-316',
])('%s is accepted', (password) => {
  expect(isCommon(password, ADDRESS)).toBe(false)
})
