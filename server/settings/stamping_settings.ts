// The settings of what anybody may use without an account.
import { z } from 'zod'
import { KEY_TYPES } from '../domain/time_stamps/key_type.ts'
import { LEAST_TIME_SERVERS } from '../domain/time_stamps/stamping_clock.ts'
import { doorChoices, duration, objectIdentifier, timeServers } from './rules.ts'

export const STAMPING_SETTINGS = {
  publicDoors: {
    setting: 'PUBLIC_DOORS',
    example: 'stamp,calendar',
    rule: doorChoices.optional(),
    meaning:
      'what anybody may use without an account: `stamp` (receipts of our own), `calendar` (OpenTimestamps), `tsa` (time stamps, RFC 3161); all of them when it is not set and only this machine reaches the service (HOST and the host of BASE_URL are loopback, TRUSTED_PROXIES is empty), and else none',
  },
  aggregationIntervalMs: {
    setting: 'AGGREGATION_INTERVAL',
    rule: duration(100, 4_000),
    byDefault: '1s',
    meaning:
      'time in which digests that arrive without an account are gathered into one item; who sends one waits that long, and some clients give up after five seconds',
  },
  tsa: {
    certificate: {
      setting: 'TSA_CERTIFICATE',
      example: '/etc/pharos/tsa.pem',
      rule: z.string().min(1).optional(),
      meaning:
        'file with a certificate of your own for time stamps and its chain, PEM, the root last; without it the service makes a root and a new certificate each year',
    },
    key: {
      setting: 'TSA_KEY',
      example: '/etc/pharos/tsa.key',
      rule: z.string().min(1).optional(),
      meaning: 'file with the private key of TSA_CERTIFICATE, PEM without a passphrase',
    },
    keyType: {
      setting: 'TSA_KEY_TYPE',
      rule: z.enum(KEY_TYPES),
      byDefault: 'p256',
      meaning:
        'keys that the service makes for time stamps: p256 (ECDSA), or rsa (RSA-3072, which signtool of Windows needs, and which takes about twenty times as long to sign)',
    },
    policy: {
      setting: 'TSA_POLICY',
      example: '1.3.6.1.4.1.32473.1.1',
      rule: objectIdentifier.optional(),
      meaning:
        'object identifier of the policy that time stamps name; one under 2.25, made from the id of the first block, when not set',
    },
    timeServers: {
      setting: 'TSA_TIME_SERVERS',
      example: 'ntp1.example.com,ntp2.example.com,ntp3.example.com,ntp4.example.com',
      rule: timeServers.optional(),
      meaning: `time servers (NTP), ${LEAST_TIME_SERVERS} or more: without the agreement of three of four of them nothing is time-stamped; the clock is compared with the database alone when not set`,
    },
  },
} as const
