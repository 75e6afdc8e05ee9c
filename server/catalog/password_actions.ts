// Changes the caller's password.

import { attribute } from '../contract/attribute.ts'
import { instant } from '../contract/kinds/scalar.ts'
import { secretText } from '../contract/kinds/text.ts'
import { resultOf } from '../contract/result_schema.ts'
import { PASSWORD_LENGTH } from '../domain/accounts/password.ts'
import { action } from './define.ts'
import { timeOf } from './show.ts'

export const passwordActions = [
  action({
    name: 'changePassword',
    doc: 'Changes the caller’s password. Every other browser session ends, and everything that applications were allowed; API keys stay.',
    access: 'account',
    http: 'POST /users/me/password',
    graphql: 'changePassword',
    graphqlShape: 'mutation',
    accepts: {
      current_password: attribute(secretText({ max: PASSWORD_LENGTH.most }), 'The password until now.', {
        required: true,
        example: 'correct horse battery',
      }),
      new_password: attribute(
        secretText({ max: PASSWORD_LENGTH.most }),
        `At least ${PASSWORD_LENGTH.least} characters, any of them.`,
        { required: true, example: 'staple lantern harbour' },
      ),
    },
    refuses: ['conflict'],
    run: async ({ caller, services }, { current_password, new_password }) => {
      const { id, kind } = caller.credential
      const changedAt = await services.changePassword({
        userId: caller.userId,
        currentPassword: current_password,
        newPassword: new_password,
        tokenId: kind === 'access_token' ? id : undefined,
      })
      services.forgetAccounts()
      return { password_changed_at: timeOf(changedAt) }
    },
    result: resultOf({
      password_changed_at: { ...instant().schema, description: 'When the new password became valid.' },
    }),
    example: {
      data: { current_password: 'correct horse battery', new_password: 'staple lantern harbour' },
      result: { password_changed_at: '2026-11-20T18:00:00.123Z' },
    },
  }),
]
