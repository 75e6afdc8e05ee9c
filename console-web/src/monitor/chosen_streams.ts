// Which streams the monitor follows, remembered on this device.
import type { StreamName } from '../../../shared/wire/console_stream.ts'
import { keep, kept } from '../data/browser_storage.ts'
import { isStream } from './monitor_row.ts'

const NAME = 'pharos.monitor.off'

/** The streams that are switched off. Everything is on at first. */
export const readOff = (): ReadonlySet<StreamName> =>
  new Set((kept('device', NAME) ?? '').split(' ').filter(isStream))

export const keepOff = (off: ReadonlySet<StreamName>): void => keep('device', NAME, [...off].join(' '))
